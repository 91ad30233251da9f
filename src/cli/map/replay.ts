/**
 * Repeats a `map` from its manifest without writing anything: the digest of the result must be the recorded one.
 *
 * @module
 */

import { inputsOf, report, sayChanged, sayVersion, sayWhere } from "../manifests/compare.ts";
import { allowModules } from "../manifests/modules.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { parseArguments } from "../shell/parse_arguments.ts";
import { type Planned, planned, withMap } from "./asked.ts";
import { MEASURED, measuredAgain } from "./channels.ts";
import { SampleDigest } from "./digest.ts";
import { mapKernelsDigest, mapManifestIn } from "./manifest.ts";
import { MAP } from "./map.ts";
import { pass } from "./pass.ts";
import { makesLabels } from "../reductions/table.ts";
import { tableDigest, tableOf } from "./tables.ts";
import { mapModules, wordsOf } from "./words.ts";

/** Computes again what the manifest at `path` records; `flags` are added to its command. Returns the exit code. */
export async function replayMap(
  path: string,
  manifest: unknown,
  flags: readonly string[],
  args: Arguments,
  io: CliIo,
): Promise<number> {
  const recorded = mapManifestIn(path, manifest);
  sayWhere(path, recorded.command, io);
  const again = parseArguments(MAP, [...recorded.command.arguments, ...flags]);
  if (again.has("help")) throw new UsageError("it asks for help");
  if (again.positionals.length < MAP.least) throw new UsageError(`${path} names no filter and source`);
  await allowModules(path, recorded.command, mapModules(wordsOf(again)), args, io);
  return await withMap(again, io, again.text("output"), async (asked) => {
    sayChanged(recorded.inputs, (await Promise.all(asked.files.map(inputsOf))).flat(), io);
    const plan = await planned(asked, undefined, again);
    const told = { args: again, io };
    const found = await digestNow(plan, told);
    const { channels } = asked, isMeasured = Object.keys(channels).length > 0;
    const table = isMeasured ? await tableAgain(plan, told) : undefined;
    sayVersion(recorded, await mapKernelsDigest(plan), io);
    const results = recorded.results.map(({ result, sha256: expected }) => ({
      names: { result },
      expected,
      found: result === MEASURED && isMeasured ? table : found,
    }));
    return report(results, path, args, io);
  });
}

/** The digest of the table of labels in other channels, computed again. */
async function tableAgain(
  planned: Planned,
  told: { readonly args: Arguments; readonly io: CliIo },
): Promise<string | undefined> {
  const { byteLength } = planned.asked.dataset;
  const table = await pass(
    "measure",
    byteLength,
    told,
    (settings) => measuredAgain(planned.asked, (sink, own) => planned.store(sink, own), settings),
  );
  return table && await tableDigest(table.columns);
}

/** The digest of the result, computed again. */
async function digestNow(
  planned: Planned,
  told: { readonly args: Arguments; readonly io: CliIo },
): Promise<string> {
  const { dataset, words: { reduction } } = planned.asked;
  if (reduction && !makesLabels(reduction.row)) {
    return await tableDigest((await tableOf(planned, reduction.row, undefined, told)).columns);
  }
  const digest = new SampleDigest();
  await pass(
    "map",
    dataset.byteLength,
    told,
    (settings) => planned.store((block) => digest.add(block), settings),
  );
  return digest.hex();
}
