/**
 * The mark of a memory with fences, see `fences.ts`.
 *
 * @module
 */

/** Places in the reserved bytes of what describes the fences: a mark, the address of the map, the seed of the pattern. */
export const FENCE_HEADER = 64;

/** Bytes of that. */
export const FENCE_HEADER_BYTES = 16;

/** The mark, as two words of 32 bits. */
export const FENCE_MARK: readonly [low: number, high: number] = [0x5eedfe4c, 0x0e15d0f5];

/** Whether the reserved bytes of a memory say that it has fences. */
export function hasFences({ buffer }: WebAssembly.Memory): boolean {
  if (buffer.byteLength === 0) return false;
  const [low, high] = new Int32Array(buffer, FENCE_HEADER, 2);
  return low === FENCE_MARK[0] && high === FENCE_MARK[1];
}
