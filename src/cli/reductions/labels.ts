/**
 * The reductions `label` and `measure`.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { TilewiseError } from "../../errors.ts";
import { open } from "../../formats/open.ts";
import { sameShape, type Shape, showShape } from "../../space/shape.ts";
import type { LabelMeasures } from "../../views/measure/measure.ts";
import { targetNamed } from "../../sinks/registry.ts";
import { rowsFile } from "../../views/map/rows_file.ts";
import type { ArrayFacts } from "../../views/array.ts";
import type { AxesInput } from "../../views/chain/dimensions.ts";
import type { AnySink } from "../../views/map/map_plan.ts";
import { type Columns, objectColumns, objectsInUnits } from "../../analyses/objects.ts";
import { type FilterParameter, number } from "../../analyses/filters/filter.ts";
import { UsageError } from "../shell/args.ts";
import type {
  LabelReduction,
  LabelsMade,
  ReductionInput,
  ReductionRequest,
  Table,
  TableReduction,
} from "./reduction.ts";

const THRESHOLD: FilterParameter = {
  kind: "level",
  meaning: "samples greater than it are inside",
  preset: "0, as in a mask",
};
const CONNECTIVITY = number(
  "dimensions in which neighbours differ: in images 1 for 4 neighbours, 2 for 8",
  "1",
);

/** Connected components. */
export const LABEL: LabelReduction = {
  name: "label",
  help: "numbers connected components from 1, as scipy.ndimage.label",
  result: "an image of uint32, 0 outside",
  parameters: { threshold: THRESHOLD, connectivity: CONNECTIVITY },
  example: "gaussian:sigma=2 label:threshold=otsu image.tif -o labels.npy",
  check: checkLabelled,
  labels: labelled,
};

/** A table of components. */
export const MEASURE: TableReduction = {
  name: "measure",
  help: "a row per label: area, centroid, box; mean, least and greatest sample of the source",
  result: "a table; without threshold and labels, the source is an image of labels",
  parameters: {
    threshold: { ...THRESHOLD, preset: "none" },
    connectivity: CONNECTIVITY,
    labels: { kind: "path", meaning: "a file with labels instead", preset: "none" },
  },
  example: "gaussian:sigma=2 measure:threshold=100 image.tif -o table.csv",
  async check(asked) {
    const { source, filtered, values: { threshold, labels: file } } = asked;
    if (threshold !== undefined && file !== undefined) {
      throw new UsageError("measure takes threshold or labels, not both");
    }
    const { checkMeasured } = await import("../../views/measure/measure.ts");
    if (threshold !== undefined) await checkLabelled(asked);
    const labels = file === undefined ? filtered : await openLabels(asked);
    const samples = sameShape(source.shape, labels.shape) ? source : filtered;
    mustBeOneImage(source, samples, labels);
    if (threshold === undefined) checkMeasured(labels, file === undefined ? undefined : samples);
  },
  async table(input) {
    const { source, filtered, values: { threshold, labels: file }, settings } = input;
    const { measure } = await import("../../views/measure/measure.ts");
    const isLabels = threshold === undefined && file === undefined;
    const labels = isLabels ? filtered : await labelsOf(input);
    const samples = sameShape(source.shape, labels.shape) ? source : filtered;
    const found = await measure(labels, isLabels ? undefined : samples, settings);
    const inUnits = objectsInUnits(found, samples, input.axes);
    return { columns: { ...objectColumns(found, source), ...inUnits }, ...factsOf(found) };
  },
};

/** The table of labels in several images of the same place: what they measure there has the name of the image. */
export async function channelTable(
  labels: StoredDataset,
  channels: Readonly<Record<string, StoredDataset>>,
  { settings, axes: asked }: Pick<ReductionInput, "settings" | "axes">,
): Promise<Table> {
  const { measure } = await import("../../views/measure/measure.ts");
  const table: { columns: Columns; facts?: ReturnType<typeof factsOf> } = { columns: {} };
  const measures: Record<string, Columns[string]> = {};
  for (const [channel, source] of Object.entries(channels)) {
    const found = await measure(labels, source, settings);
    const { mean, min, max, ...places } = objectColumns(found, source);
    for (const [what, column] of Object.entries({ mean, min, max })) measures[`${what}_${channel}`] = column!;
    table.columns = { ...places, ...objectsInUnits(found, source, asked) };
    table.facts = factsOf(found);
  }
  return { columns: { ...table.columns, ...measures }, ...table.facts! };
}

/** A channel is measured where labels are of one image of the same size. */
export function mustBeAlike(shape: Shape, channel: string, source: StoredDataset): void {
  if (sameShape(shape, source.shape)) return;
  const text =
    `Cannot measure channel ${channel} of ${source.source}: labels have ${showShape(shape)} samples, the ` +
    `channel has ${
      showShape(source.shape)
    }; choose the channel of the labels with --channel, and no filter that ` +
    "changes the size";
  throw new TilewiseError("invalid", text, {
    option: "measure",
    expected: showShape(source.shape),
    found: showShape(shape),
  });
}

async function checkLabelled(
  { source, filtered, values: { threshold, connectivity }, settings: { context }, axes }: ReductionRequest,
  sink: AnySink<"uint32"> = () => {},
): Promise<void> {
  if (threshold === "otsu") mustHaveOneChannel(filtered, source.source, axes);
  const { planLabels } = await import("../../views/measure/label_image.ts");
  const options = defined({ connectivity: connectivity as number | undefined, axes, context });
  await planLabels("label", filtered, options, sink);
}

async function labelled(
  { filtered, values: { threshold, connectivity }, settings, axes }: ReductionInput,
  sink: AnySink<"uint32">,
): Promise<LabelsMade> {
  const [{ otsu }, { labelImage }] = await Promise.all([
    import("../../views/measure/histogram.ts"),
    import("../../views/measure/label_image.ts"),
  ]);
  const above = threshold === "otsu" ? await otsu(filtered, settings) : threshold as number | undefined;
  if (above !== undefined && Number.isNaN(above)) {
    const text = "Cannot label above Otsu's threshold: none of the samples is finite, so that there is none";
    throw new TilewiseError("invalid", text, { option: "threshold", found: "no finite samples" });
  }
  return await labelImage(filtered, {
    ...settings,
    ...defined({ threshold: above }),
    ...(connectivity === undefined ? {} : { connectivity: connectivity as number }),
    ...defined({ axes }),
    sink,
  });
}

/** Channels have thresholds of their own. `source` is the file of the user: what filters made may be a temporary one. */
function mustHaveOneChannel(filtered: ArrayFacts, source: string, asked: AxesInput | undefined): void {
  const channels = asked === undefined ? channelsOf(filtered) : undefined;
  if (channels === undefined) return;
  const text = `Cannot find one threshold for the ${channels.words} of ${source}: choose one with ` +
    "--channel, or say --axes all for one threshold and labels through all of them";
  throw new TilewiseError("invalid", text, { option: "channel", expected: 1, found: channels.count });
}

/** Labels of one image are measured in one channel. */
function mustBeOneImage(source: StoredDataset, samples: ArrayFacts, { shape }: ArrayFacts): void {
  const channels = channelsOf(samples);
  if (channels === undefined || shape.length >= samples.shape.length) return;
  const text =
    `Cannot measure the ${channels.words} of ${source.source} at once: choose one with --channel, or ` +
    "label one and measure others in the same command: label … --channel NAME --measure NAME,…";
  throw new TilewiseError("invalid", text, { option: "channel", expected: 1, found: channels.count });
}

/** The channels of an image that has several. */
function channelsOf({ shape, axes = [] }: ArrayFacts): { count: number; words: string } | undefined {
  const at = axes.findIndex(({ kind }) => kind === "channel");
  const count = shape[at] ?? 1;
  if (count === 1) return undefined;
  const { names } = axes[at]!;
  return { count, words: `${count} channels${names ? ` (${names.join(", ")})` : ""}` };
}

/** The labels of a file, or those of the filtered image, in a file. */
async function labelsOf(input: ReductionInput): Promise<StoredDataset> {
  if (input.values.labels !== undefined) return await openLabels(input);
  const path = await input.scratch("labels");
  await labelled(input, rowsFile(targetNamed("npy"), path));
  return await open(path, { ...defined({ signal: input.settings.signal }), format: "npy" }) as StoredDataset;
}

/** The labels of a file. */
async function openLabels({ values: { labels }, settings: { signal } }: ReductionRequest | ReductionInput) {
  return await open(labels as string, defined({ signal })) as StoredDataset;
}

function factsOf({ count, area }: LabelMeasures): Pick<Table, "facts" | "summary"> {
  if (count === 0) return { facts: { labels: 0 }, summary: [["labels", "0"]] };
  const sorted = area.toSorted();
  const [least, median, most] = [0, Math.floor((count - 1) / 2), count - 1].map((i) => sorted[i]!);
  return {
    facts: { labels: count, area: { least, median, most } },
    summary: [["labels", String(count)], ["area", `${least} to ${most}, median ${median}`]],
  };
}
