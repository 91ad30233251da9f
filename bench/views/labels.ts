/**
 * Labels, histogram and threshold of an image of 8192 × 8192 uint16 in a file, beside SciPy, OpenCV, NumPy and
 * scikit-image, which have it in memory.
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
import {
  boxMean,
  chain,
  convert,
  histogramOf,
  labelImage,
  mapViews,
  npyFile,
  otsu,
} from "@tilewise/tilewise/views";
import { runAlone } from "../sections/alone.ts";
import type { Section, SectionRow } from "../sections/section.ts";
import { measure, summarize } from "../timing.ts";

/** The side of the image unless told. */
const SIDE = 8192;

/** What the peers print. */
type PeerResults = Readonly<
  Record<string, { readonly seconds: readonly number[]; readonly result: number }>
>;

/** Spots of a few samples: noise, smoothed. */
async function writeSpots(path: string, side: number, context: Context): Promise<void> {
  const noise = new Uint16Array(side * side);
  for (let i = 0, state = 1; i < noise.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    noise[i] = state >>> 16;
  }
  const image = await open({ data: noise, shape: [side, side] });
  const smooth = chain([boxMean({ radius: 3 }), boxMean({ radius: 3 }), convert({ dtype: "uint16" })]);
  await mapViews(image, smooth, { sink: npyFile(path), context });
}

async function oursOn(image: Dataset, above: number, workers: number, repeats: number) {
  await using context = createContext({ workers, memory: "256MiB" });
  const rows: SectionRow[] = [];
  const add = async (name: string, work: () => Promise<unknown>) => {
    const timing = await measure(work, { repeats });
    rows.push({ name, by: "tilewise", workers, bytes: image.byteLength, ...timing });
  };
  let count = 0;
  await add("label", async () => {
    count = (await labelImage(image, { threshold: above, sink: () => {}, context })).count;
  });
  await add("histogram", () => histogramOf(image, { context }));
  await add("otsu", () => otsu(image, { context }));
  return { rows, count };
}

async function peersOn(
  python: string,
  path: string,
  above: number,
  repeats: number,
): Promise<PeerResults | string> {
  const script = new URL("../peers/label_bench.py", import.meta.url).pathname;
  const args = [script, path, String(above), String(repeats)];
  try {
    const { success, stdout, stderr } = await new Deno.Command(python, { args }).output();
    const text = new TextDecoder().decode(success ? stdout : stderr);
    return success ? JSON.parse(text) : text.trim().split("\n").at(-1) ?? "it failed";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `${python} is not installed`;
    throw error;
  }
}

/** Labels, histogram and threshold; all with one thread, then with two workers. */
export const labelSection: Section = async ({ folder, repeats, python, side = SIDE }) => {
  const path = `${folder}/spots.npy`;
  await using context = createContext({ memory: "1GiB" });
  await writeSpots(path, side, context);
  const image = await open(path);
  const above = await otsu(image, { context });
  const alone = await oursOn(image, above, 0, repeats), threads = await oursOn(image, above, 2, repeats);
  const rows = [...alone.rows, ...threads.rows], skipped: string[] = [], failures: string[] = [];
  if (alone.count !== threads.count) failures.push(`label: ${alone.count} and ${threads.count} components`);
  const peers = python === undefined ? {} : await peersOn(python, path, above, repeats);
  if (typeof peers === "string") return { rows, skipped: [`labels by ${python}: ${peers}`], failures };
  for (const [name, { seconds, result }] of Object.entries(peers)) {
    const [what, by] = name.split(/, (.*)/s) as [string, string];
    const expected = { label: alone.count, otsu: above }[what] ?? result;
    if (result !== expected) failures.push(`${name} finds ${result}, not ${expected}`);
    rows.push({ name: what, by, bytes: image.byteLength, ...summarize(seconds) });
  }
  return { rows, skipped, failures };
};

if (import.meta.main) await runAlone(labelSection);
