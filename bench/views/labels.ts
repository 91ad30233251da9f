/**
 * Labels of three textures, measurements, histogram and threshold of images of 8192 × 8192 uint16 in tiled TIFFs, beside
 * SciPy, OpenCV, dask-image, NumPy and scikit-image, all with reading. The limit is reading the file once.
 *
 * ```sh
 * deno run -A bench/views/labels.ts [--repeats N] [--side N] [--python PYTHON]
 * ```
 *
 * `--python` is an interpreter with the packages that `bench/peers/label_bench.py` names.
 *
 * @module
 */

import { type Context, createContext, type Dataset, open } from "@tilewise/tilewise";
import { copySamples } from "@tilewise/tilewise/unstable/views";
import {
  boxMean,
  convert,
  fileSink,
  histogramOf,
  labelImage,
  mapViews,
  measure as measureLabels,
  otsu,
  percentiles,
  type ViewOperations,
} from "@tilewise/tilewise/views";
import { bestLimit, limits } from "../limits.ts";
import { runAlone } from "../sections/alone.ts";
import type { Section, SectionRow } from "../sections/section.ts";
import { measure, summarize } from "../timing.ts";

/** The side of the image unless told. */
const SIDE = 8192;

/** Smoothed noise has areas of some ten samples, and of its peaks few are above a high threshold. */
const SMOOTH = [boxMean({ radius: 3 }), boxMean({ radius: 3 }), convert({ dtype: "uint16" })] as const;

/** What the images show: operations on noise, and the percentage of samples that are outside. */
const TEXTURES: Readonly<Record<string, { operation: ViewOperations<"uint16">; outside: number }>> = {
  blobs: { operation: SMOOTH, outside: 98 },
  areas: { operation: SMOOTH, outside: 50 },
  texture: { operation: convert({ dtype: "uint16" }), outside: 50 },
};

/** An image to be labelled. */
interface Image {
  readonly name: string;
  readonly path: string;
  readonly samples: Dataset;
  readonly above: number;
}

/** A line of what the peers print. */
interface PeerLine {
  readonly work: string;
  readonly peer: string;
  readonly seconds?: readonly number[];
  readonly wrong?: string | null;
  readonly note?: string;
}

async function imagesIn(folder: string, side: number, context: Context): Promise<Image[]> {
  const data = new Uint16Array(side * side);
  for (let i = 0, state = 1; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data[i] = state >>> 16;
  }
  const noise = await open({ data, shape: [side, side] });
  const images: Image[] = [];
  for (const [name, { operation, outside }] of Object.entries(TEXTURES)) {
    const path = `${folder}/${name}.tif`;
    await mapViews(noise, operation, { sink: fileSink(path, { compression: "none", tile: 256 }), context });
    const samples = await open(path);
    const [above] = percentiles(await histogramOf(samples, { context }), [outside]);
    images.push({ name, path, samples, above: Math.floor(above!) });
  }
  return images;
}

/** Keeps a list as the peers read it. */
async function keep(path: string, data: Float64Array, context: Context): Promise<void> {
  const list = await open({ data, shape: [data.length] });
  await mapViews(list, copySamples(), { sink: fileSink(path), context });
}

/** Results that the peers are compared with. */
async function keepResults(folder: string, { name, samples, above }: Image): Promise<void> {
  await using context = createContext({ memory: "1GiB" });
  await labelImage(samples, { threshold: above, sink: fileSink(`${folder}/${name}.npy`), context });
  if (name !== "blobs") return;
  const { area, mean } = await measureLabels(await open(`${folder}/${name}.npy`), samples, { context });
  const counts = new Float64Array(2 ** 16);
  const histogram = await histogramOf(samples, { context });
  counts.set(histogram.counts, histogram.edges[0]);
  const level = Float64Array.of(await otsu(samples, { context }));
  for (const [what, list] of Object.entries({ area, mean: mean!, counts, otsu: level })) {
    await keep(`${folder}/${name}.${what}.npy`, list, context);
  }
}

/** Everything that is measured of an image, by name. */
function worksOf(folder: string, { name, samples, above }: Image) {
  const label = `label ${name}`;
  return {
    [label]: (context: Context) => labelImage(samples, { threshold: above, sink: () => {}, context }),
    [`${label}, to memory`]: (context: Context) => labelImage(samples, { threshold: above, context }),
    [`${label}, to .npy`]: (context: Context) =>
      labelImage(samples, { threshold: above, sink: fileSink(`${folder}/ours.npy`), context }),
    ...name === "blobs"
      ? {
        [`measure ${name}`]: async (context: Context) =>
          await measureLabels(await open(`${folder}/${name}.npy`), samples, { context }),
        histogram: (context: Context) => histogramOf(samples, { context }),
        otsu: (context: Context) => otsu(samples, { context }),
      }
      : {},
  };
}

async function oursOn(folder: string, image: Image, repeats: number): Promise<SectionRow[]> {
  const rows: SectionRow[] = [];
  const bytes = image.samples.byteLength;
  for (const workers of [1, 2]) {
    for (const [name, work] of Object.entries(worksOf(folder, image))) {
      const memory = name.endsWith("to memory") ? 256 * 2 ** 20 + 2 * bytes : "256MiB";
      await using context = createContext({ workers, memory });
      const timing = await measure(() => work(context), { repeats });
      rows.push({ name, by: "tilewise", workers, bytes, ...timing });
    }
  }
  return rows;
}

async function peersOn(
  python: string,
  folder: string,
  images: readonly Image[],
  repeats: number,
): Promise<readonly PeerLine[] | string> {
  const script = new URL("../peers/label_bench.py", import.meta.url).pathname;
  const args = [script, folder, String(repeats), ...images.map(({ name, above }) => `${name}=${above}`)];
  try {
    const { success, stdout, stderr } = await new Deno.Command(python, { args }).output();
    const lines = new TextDecoder().decode(success ? stdout : stderr).trim().split("\n");
    return success ? lines.map((line): PeerLine => JSON.parse(line)) : lines.at(-1) ?? "it failed";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `${python} is not installed`;
    throw error;
  }
}

/** Reading the file once, for every work. */
async function limitsOf(rows: readonly SectionRow[], path: string, repeats: number): Promise<SectionRow[]> {
  const best = bestLimit(await limits(path, { repeats }), "page cache", 2);
  if (!best) return [];
  const scale = (await Deno.stat(path)).size / best.bytes;
  const names = new Set(rows.map(({ name }) => name));
  return [...names].map((name) => {
    const { min, p75, samples } = best;
    const timing = { min: min * scale, p75: p75 * scale, samples: samples.map((s) => s * scale) };
    return { name, by: "limit", workers: 2, bytes: rows[0]!.bytes, ...timing };
  });
}

/** Labels of all textures; of the blobs measurements, histogram and threshold. */
export const labelSection: Section = async ({ folder, repeats, python, side = SIDE }) => {
  await using context = createContext({ memory: "1GiB" });
  const images = await imagesIn(folder, side, context);
  for (const image of images) await keepResults(folder, image);
  const rows: SectionRow[] = [], skipped: string[] = [], failures: string[] = [];
  for (const image of images) rows.push(...await oursOn(folder, image, repeats));
  rows.unshift(...await limitsOf(rows, images[0]!.path, repeats));
  const peers = python === undefined ? [] : await peersOn(python, folder, images, repeats);
  if (typeof peers === "string") return { rows, skipped: [`labels by ${python}: ${peers}`], failures };
  for (const { work: name, peer: by, seconds, wrong, note } of peers) {
    if (wrong) failures.push(`${name}, ${by}: ${wrong}`);
    if (!seconds) skipped.push(`${name}, ${by}: ${note}`);
    else rows.push({ name, by, bytes: images[0]!.samples.byteLength, ...summarize(seconds) });
  }
  rows.sort((a, b) => a.name.localeCompare(b.name)); // the same works side by side
  return { rows, skipped, failures };
};

if (import.meta.main) await runAlone(labelSection);
