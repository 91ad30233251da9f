/**
 * A slide as scanners write it: JPEG tiles of 512 pixels in a pyramid of any size. All tiles of a level are one of four pictures,
 * so that the file is small.
 *
 * @module
 */

/// <reference lib="dom" />

/** Pixels of a side of a tile. */
export const TILE = 512;

/** Tiles that differ. */
const KINDS = 4;

/** A tile: tissue on a bright ground, in the colours of a stain. */
async function tile(kind: number): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(TILE, TILE), context = canvas.getContext("2d")!;
  context.fillStyle = "#f4ecf2";
  context.fillRect(0, 0, TILE, TILE);
  for (let i = 0; i < 40; i++) {
    context.fillStyle = i % 3 === 0 ? "#6a3d8f" : "#e59ac0";
    context.beginPath();
    context.arc((i * 97 + kind * 31) % TILE, (i * 53 + kind * 77) % TILE, 10 + (i * 7) % 30, 0, 7);
    context.fill();
  }
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
  return new Uint8Array(await blob.arrayBuffer());
}

/** The file: a TIFF whose levels have half the size of the one before, down to one tile. */
export async function slide(side: number): Promise<Blob> {
  const tiles = await Promise.all(Array.from({ length: KINDS }, (_, kind) => tile(kind)));
  const parts: Uint8Array[] = [Uint8Array.of(0x49, 0x49, 42, 0, 0, 0, 0, 0), ...tiles];
  const places: number[] = [];
  let end = 8;
  for (const { length } of tiles) {
    places.push(end);
    end += length;
  }
  const sizes = [side];
  while (sizes.at(-1)! > TILE) sizes.push(Math.ceil(sizes.at(-1)! / 2));
  let link = new DataView(parts[0]!.buffer, 4);
  for (const [level, size] of sizes.entries()) {
    const pad = end % 2;
    const directory = directoryOf(size, level, end + pad, places, tiles);
    link.setUint32(0, directory.at, true);
    parts.push(new Uint8Array(pad), directory.bytes);
    end += pad + directory.bytes.length;
    link = directory.next;
  }
  return new Blob(parts as BlobPart[]);
}

/** Arrays of a directory, and the directory behind them. */
function directoryOf(
  size: number,
  level: number,
  start: number,
  places: readonly number[],
  tiles: readonly Uint8Array[],
): { readonly bytes: Uint8Array; readonly at: number; readonly next: DataView } {
  const across = Math.ceil(size / TILE), count = across * across;
  const kindOf = (i: number) => (i % across + 2 * Math.floor(i / across)) % KINDS;
  const rows: [tag: number, type: 3 | 4, values: number[]][] = [
    [254, 4, [level === 0 ? 0 : 1]],
    [256, 4, [size]],
    [257, 4, [size]],
    [258, 3, [8, 8, 8]],
    [259, 3, [7]],
    [262, 3, [6]],
    [277, 3, [3]],
    [284, 3, [1]],
    [322, 3, [TILE]],
    [323, 3, [TILE]],
    [324, 4, Array.from({ length: count }, (_, i) => places[kindOf(i)]!)],
    [325, 4, Array.from({ length: count }, (_, i) => tiles[kindOf(i)]!.length)],
    [530, 3, [2, 2]],
  ];
  const bytesOf = ([, type, values]: typeof rows[number]) => values.length * (type === 3 ? 2 : 4);
  const long = rows.filter((row) => bytesOf(row) > 4);
  const before = long.reduce((sum, row) => sum + bytesOf(row) + bytesOf(row) % 4, 0);
  const bytes = new Uint8Array(before + 2 + 12 * rows.length + 4), view = new DataView(bytes.buffer);
  const write = ([, type, values]: typeof rows[number], at: number) =>
    values.forEach((value, i) =>
      type === 3 ? view.setUint16(at + 2 * i, value, true) : view.setUint32(at + 4 * i, value, true)
    );
  let free = 0;
  view.setUint16(before, rows.length, true);
  rows.forEach((row, i) => {
    const at = before + 2 + 12 * i, length = bytesOf(row);
    view.setUint16(at, row[0], true);
    view.setUint16(at + 2, row[1], true);
    view.setUint32(at + 4, row[2].length, true);
    if (length <= 4) return write(row, at + 8);
    view.setUint32(at + 8, start + free, true);
    write(row, free);
    free += length + length % 4;
  });
  return { bytes, at: start + before, next: new DataView(bytes.buffer, bytes.length - 4) };
}
