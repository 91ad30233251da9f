/**
 * What `replay` says: whether inputs, version and results are those of a manifest.
 *
 * @module
 */

import { arrayFromAsync } from "../../portable.ts";
import { cwd } from "node:process";
import type { FrameLayout } from "../../dataset/layout/layout.ts";
import { type Glance, glance } from "../../udf/results/digest.ts";
import type { ManifestCommand } from "../../udf/results/manifest.ts";
import type { RecordedResult } from "./file.ts";
import { VERSION } from "../../version.ts";
import type { Arguments } from "../shell/args.ts";
import { type CliIo, oneLine, outJson, outTable, printable } from "../shell/io.ts";

/** Size and ends of the files of a data set, one open at a time. */
export async function inputsOf({ layout }: { readonly layout: FrameLayout }): Promise<Glance[]> {
  return await arrayFromAsync(layout.files, ({ source }) => glance(source));
}

/** Says where paths are looked up, if that is not where the manifest was made. */
export function sayWhere(path: string, { folder }: ManifestCommand, io: CliIo): void {
  if (folder === cwd()) return;
  const text = `${path} was made in ${folder}; relative paths are looked up in ${cwd()}`;
  io.err(`tilewise: ${oneLine(text)}\n`);
}

/** Warns of inputs whose size or ends are not as recorded. */
export function sayChanged(recorded: readonly Glance[], now: readonly Glance[], io: CliIo): void {
  for (const [i, { name, bytes, ends }] of now.entries()) {
    const before = recorded.find((one) => one.name === name) ?? recorded[i];
    if (before?.bytes === bytes && before.ends === ends) continue;
    io.err(`tilewise: warning: ${printable(name)} is not the file that the run read\n`);
  }
}

/** Says that another version made the manifest. */
export function sayVersion(
  recorded: { readonly version: string; readonly kernels: string },
  kernels: string,
  io: CliIo,
): void {
  if (recorded.version === VERSION && recorded.kernels === kernels) return;
  io.err(
    `tilewise: the run was made by version ${printable(String(recorded.version))}, this is ${VERSION}\n`,
  );
}

/** Reports for each result whether its bits are the same; returns the exit code. */
export function report(
  results: readonly (readonly [RecordedResult, found: string | undefined])[],
  manifest: string,
  args: Arguments,
  io: CliIo,
): number {
  let differing = 0;
  for (const [{ udf, result, sha256: expected }, found] of results) {
    const names = udf === undefined ? { result } : { udf, result };
    const same = found === expected;
    if (!same) differing++;
    if (args.has("json")) outJson(io, { manifest, ...names, same, expected, found: found ?? null });
    else {
      const verdict = same ? "same bits" : found === undefined ? "is missing" : "differs";
      outTable(io, [[Object.values(names).join("."), verdict]]);
    }
  }
  return differing > 0 ? 1 : 0;
}
