/**
 * Writes a table of numbers as a unit of a FITS file.
 *
 * Source: FITS standard 4.0, section 7.3 (binary tables).
 *
 * @module
 */

import { type CardValue, headerOf, wholeBlocks } from "./head.ts";

/** A column of numbers. */
export interface FitsColumn {
  /** Its name. */
  readonly name: string;
  /** Its type: `E` is float32, `J` is int32. */
  readonly type: "E" | "J";
  /** Its unit. */
  readonly unit?: string;
  /** A value for each row. */
  readonly values: readonly number[];
}

/**
 * The bytes of a table, header and all.
 *
 * @param name its name, `EXTNAME`
 * @param cards further cards
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const table = fitsTable("SIZES", [{ name: "WIDTH", type: "E", unit: "m", values: [1.5, 2] }], {});
 * assertEquals([table.length, new DataView(table.buffer).getFloat32(2880 + 4)], [2 * 2880, 2]);
 * ```
 */
export function fitsTable(
  name: string,
  columns: readonly FitsColumn[],
  cards: Readonly<Record<string, CardValue>>,
): Uint8Array<ArrayBuffer> {
  const rows = columns[0]?.values.length ?? 0, pitch = 4 * columns.length;
  const own: [string, CardValue][] = [
    ["XTENSION", "BINTABLE"],
    ["BITPIX", 8],
    ["NAXIS", 2],
    ["NAXIS1", pitch],
    ["NAXIS2", rows],
    ["PCOUNT", 0],
    ["GCOUNT", 1],
    ["TFIELDS", columns.length],
  ];
  const described = columns.flatMap(({ name, type, unit }, i): [string, CardValue][] => [
    [`TTYPE${i + 1}`, name],
    [`TFORM${i + 1}`, `1${type}`],
    ...(unit === undefined ? [] : [[`TUNIT${i + 1}`, unit] as [string, CardValue]]),
  ]);
  const head = headerOf([...own, ...described, ["EXTNAME", name], ...Object.entries(cards)], own.length);
  const file = new Uint8Array(head.length + wholeBlocks(rows * pitch));
  file.set(head);
  const view = new DataView(file.buffer, head.length);
  columns.forEach(({ type, values }, i) => {
    values.forEach((value, row) => {
      const at = row * pitch + 4 * i;
      if (type === "E") view.setFloat32(at, value);
      else view.setInt32(at, value);
    });
  });
  return file;
}
