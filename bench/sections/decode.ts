/**
 * Decoding tiles of TIFF and chunks of Zarr as a section: the files are written by Python, which also runs the peers.
 *
 * @module
 */

import { decodeRows } from "../kernels/decode_bench.ts";
import type { Section, SectionRow } from "./section.ts";

/** Rows and columns of the pictures unless told. */
const SIDE = 2048;

/** All pictures of `decode_bench.ts`. */
export const decodeSection: Section = async ({ repeats, python, side = SIDE }) => {
  if (python === undefined) {
    return { rows: [], skipped: ["decoding: without Python there are no files to decode"], failures: [] };
  }
  const found = await decodeRows(python, repeats, side);
  if (typeof found === "string") return { rows: [], skipped: [`decoding: ${found}`], failures: [] };
  const rows = found.rows.map((row): SectionRow => {
    const by = row.by === "tilewise simd" ? "tilewise" : row.by ?? "";
    return { ...row, by, bytes: row.bytes ?? 0 };
  });
  return { rows, skipped: found.skipped, failures: [] };
};
