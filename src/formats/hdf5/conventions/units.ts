/**
 * Names and units of axes as conventions of HDF5 write them.
 *
 * @module
 */

import type { PlainValue } from "../metadata/attributes.ts";

/** How HyperSpy writes that something is not known. */
const UNSET = /^(|\.|_None_|<undefined>|t\.BaseUndefined)$/;

/** The name of an axis, if it has one. */
export function named(name: PlainValue | undefined): { name?: string } {
  return typeof name === "string" && !UNSET.test(name) ? { name } : {};
}

/** `[n_m^-1]` of EMD as `1/nm`, `A^-1` as `1/A`; nothing for pixels. */
export function unit(units: PlainValue | undefined): { unit?: string } {
  if (typeof units !== "string" || UNSET.test(units)) return {};
  const plain = units.replace(/^\[(.*)\]$/, "$1").replaceAll("_", "").trim();
  if (plain === "" || /^(pixels?|px|None)$/i.test(plain)) return {};
  const [, inverse] = /^(.+)\^-1$/.exec(plain) ?? [];
  return { unit: inverse === undefined ? plain : `1/${inverse}` };
}
