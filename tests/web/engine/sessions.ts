/** Scans, questions and what a plain run answers to them. */

import { createContext, type Dataset, type NDArray, open, plan, run } from "../../../mod.ts";
import { make, parseWritten, type Values } from "../../../src/analyses/mod.ts";
import { maskOf } from "../../../web/engine/region.ts";
import { openSession } from "../../../web/engine/open.ts";
import type { Opened } from "../../../web/engine/opened.ts";
import type { Answer, Question } from "../../../web/engine/session.ts";
import { congruential } from "../../udf/blobfinder/frames.ts";
import "../../fences/mod.ts";

/** Shape of the scans: 12 × 10 frames of 16 × 18 pixels. */
export const SHAPE = [12, 10, 16, 18] as const;

/** How the bytes of {@link bytes} are opened. */
export const OPTIONS = {
  format: "raw",
  dtype: "uint16",
  byteOrder: "big",
  nav: [12, 10],
  sig: [16, 18],
} as const;

/** A scan of noise with a disk whose brightness changes from frame to frame, as big-endian uint16. */
export function bytes(seed: number = 3): Uint8Array<ArrayBuffer> {
  const random = congruential(seed);
  const [rows, columns, height, width] = SHAPE;
  const view = new DataView(new ArrayBuffer(2 * rows * columns * height * width));
  for (let i = 0; i < view.byteLength / 2; i++) {
    const [frame, y, x] = [Math.floor(i / height / width), Math.floor(i / width) % height, i % width];
    const bright = Math.hypot(y - 8, x - 9) < 4 ? 300 + frame : 0;
    view.setUint16(2 * i, bright + Math.floor(40 * random.next().value!));
  }
  return new Uint8Array(view.buffer);
}

/** A session on two workers over {@link bytes}; `kept` waits until the samples are in memory. */
export async function session(kept: boolean, workers: number = 2): Promise<Opened> {
  const samples = kept ? 2 ** 26 : 0;
  const settings = { budget: { samples, runs: 2 ** 26 }, workers };
  const opened = await openSession(bytes(), OPTIONS, undefined, settings) as Opened;
  if (kept) await opened.keeping.settled;
  return opened;
}

/** The last answer to a question. */
export function answerTo(opened: Opened, question: Question): Promise<Answer> {
  return new Promise((resolve) =>
    opened.ask(question, (answer) => answer.state === "running" || resolve(answer))
  );
}

/** A question about an analysis with these values. */
export function ask(
  name: string,
  values: Readonly<Record<string, string>> = {},
  roi?: Question["roi"],
): Question {
  return { analysis: { name, values }, ...(roi ? { roi } : {}) };
}

let source: Promise<Dataset> | undefined;

/** What a plain run on the calling thread gives, over the source itself. */
export async function plainResults(
  question: Question,
  dataset?: Dataset,
): Promise<Readonly<Record<string, NDArray>>> {
  const scan = dataset ?? await (source ??= open(bytes(), OPTIONS));
  await using context = createContext({ workers: 0 });
  const { analysis, values } = parseWritten(question.analysis);
  const options = { context, ...(question.roi ? { roi: maskOf(question.roi, scan.navShape) } : {}) };
  const pass = async (ref: Parameters<typeof plan>[1][string]) =>
    (await run(await plan(scan, { it: ref }, options))).it!;
  const made = await make(analysis, values as Values, {
    dataset: scan,
    firstPass: pass as never,
    tell: () => {},
    selects: question.roi !== undefined,
  });
  const result = await pass(made.ref);
  return (made.finish ? await made.finish(result) : result) as Readonly<Record<string, NDArray>>;
}

/** Every bit of results, in a form that can be compared. */
export function bitsOf(results: Readonly<Record<string, NDArray>>): unknown {
  const sorted = Object.entries(results).sort(([a], [b]) => a < b ? -1 : 1);
  return sorted.map(([name, { data, shape, dtype, valid }]) => [
    name,
    shape,
    dtype,
    new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
    valid ?? [],
  ]);
}

/** The arrays of an answer. */
export function arraysOf({ results }: Answer): Readonly<Record<string, NDArray>> {
  return Object.fromEntries(results.map(({ name, array }) => [name, array]));
}
