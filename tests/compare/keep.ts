/**
 * Writes a comparison into a folder: the data set as files, the description of it all, and both results.
 *
 * @module
 */

import { encodeNpy } from "../npy_files.ts";
import type { Results } from "./compare.ts";
import { writeData } from "./data/files.ts";
import type { Outcome } from "./runner.ts";
import { stored } from "./data/files.ts";
import { valuesOf } from "./data/values.ts";

/** Writes what led to `outcome` into a folder below `folder`, and says which one. */
export async function keepCase(outcome: Outcome, folder: string): Promise<string> {
  const { at, ours, theirs, differences } = outcome;
  const path = `${folder}/${at.word}-${at.data.seed}`;
  for (const part of ["data", "ours", "theirs"]) await Deno.mkdir(`${path}/${part}`, { recursive: true });
  await writeData(at.data, `${path}/data`);
  const samples = stored(valuesOf(at.data), at.data.dtype);
  await Deno.writeFile(
    `${path}/images.npy`,
    encodeNpy(samples, [at.data.images, ...at.data.sig], at.data.dtype),
  );
  await Deno.writeTextFile(`${path}/case.json`, JSON.stringify(at, null, 2) + "\n");
  await Deno.writeTextFile(`${path}/differences.txt`, differences.map(({ text }) => `${text}\n`).join(""));
  if ("results" in ours) await writeResults(ours.results, `${path}/ours`);
  if ("results" in theirs) await writeResults(theirs.results, `${path}/theirs`);
  return path;
}

async function writeResults(results: Results, folder: string): Promise<void> {
  for (const [name, { data, shape, dtype }] of Object.entries(results)) {
    await Deno.writeFile(`${folder}/${name}.npy`, encodeNpy(data, shape, dtype));
  }
}
