/**
 * How a `map` is said again from its manifest, without writing anything.
 *
 * @module
 */

import { inputsOf } from "../manifests/compare.ts";
import type { Again, Kind } from "../manifests/file.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { type MapRequest, type Planned, planned, withMap } from "./request.ts";
import { MEASURED, measuredAgain } from "./channels.ts";
import { MAP_FORM, mapKernelsDigest } from "./manifest.ts";
import { MAP } from "./map.ts";
import { tableDigest, tableOf } from "./tables.ts";
import { pass } from "../shell/progress.ts";
import { Seen } from "../manifests/seen.ts";
import { makesLabels } from "../reductions/table.ts";
import { mapModules, wordsOf } from "./words.ts";

/** Manifests of `map`. */
export const MAP_KIND: Kind = {
  verb: MAP,
  form: MAP_FORM,
  modules: (args) => mapModules(wordsOf(args)),
  again: (args, { io, tellInputs }) =>
    withMap(args, io, args.text("output"), async (asked) => {
      tellInputs((await Promise.all(asked.files.map(inputsOf))).flat());
      return await againOf(asked, { args, io });
    }),
};

async function againOf(
  asked: MapRequest,
  told: { readonly args: Arguments; readonly io: CliIo },
): Promise<Again> {
  const plan = await planned(asked, undefined, told.args);
  const found = await digestNow(plan, told);
  const isMeasured = Object.keys(asked.channels).length > 0;
  const table = isMeasured ? await tableAgain(plan, told) : undefined;
  return {
    kernels: await mapKernelsDigest(plan),
    digestOf: ({ result }) => result === MEASURED && isMeasured ? table : found,
  };
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
  const seen = new Seen(planned.result, { hasDigest: true });
  await pass(
    "map",
    dataset.byteLength,
    told,
    (settings) => planned.store(({ data }) => seen.add(data), settings),
  );
  return seen.made().sha256!;
}
