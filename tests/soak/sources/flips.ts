/**
 * Bits of the metadata of HDF5 files are flipped: all of those in chunk indices, many of those of whole files. What is read
 * then is what was read before, or it is refused.
 *
 * @module
 */

import { FILES, flipFile, flipIndex, type Flips, INDICES } from "../../formats/hdf5/hdf5_flips.ts";
import type { Finding, Outcome, Part, SoakOptions } from "../part.ts";

/** The part. */
export const FLIPS: Part = {
  name: "flips",
  help: "flipped bits of the metadata of HDF5 files: refused, or nothing is different",
  run: manyFlips,
};

/** Flips per structure of an index, and per file. */
const QUICK = { structure: 20, file: 30 };
const LONG = { structure: Infinity, file: 20_000 };

async function manyFlips({ quick }: SoakOptions): Promise<Outcome> {
  const most = quick ? QUICK : LONG;
  const rows: [name: string, flips: Flips][] = [];
  for (const [name, path] of INDICES) {
    rows.push([`index of ${path} of ${name}`, await flipIndex(name, path, most.structure)]);
  }
  for (const name of FILES) rows.push([name, await flipFile(name, most.file)]);
  const findings = rows.flatMap(([, { different }]): Finding[] =>
    different.map((at) => ({ at, text: "what is read is different, and nothing says so" }))
  );
  const figures = rows.map((
    [name, { flips, refused, told }],
  ) => [name, ...[flips, refused, told].map(String)]);
  return {
    cases: rows.reduce((sum, [, { flips }]) => sum + flips, 0),
    findings,
    figures: [["metadata", "flips", "refused", "told"], ...figures],
  };
}
