/**
 * The header of a `.npy` file, so that the Python peers can read what the benches make.
 *
 * @module
 */

/**
 * The bytes before the samples: magic, version 1.0, and a description padded to a multiple of 64.
 *
 * `descr` is NumPy's name of dtype and byte order, for example `<f4`; samples follow in C order.
 */
export function npyHeader(descr: string, shape: readonly number[]): Uint8Array {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const length = Math.ceil((10 + text.length + 1) / 64) * 64 - 10;
  const bytes = new Uint8Array(10 + length);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, length & 255, length >> 8]);
  bytes.set(new TextEncoder().encode(text.padEnd(length - 1) + "\n"), 10);
  return bytes;
}
