/**
 * Computes the answer to one question, part by part.
 *
 * @module
 */

import {
  type Context,
  type Dataset,
  isTilewiseError,
  type NDArray,
  type PartialResults,
  type Plan,
  plan,
  run,
  sumFrames,
} from "@tilewise/tilewise";
import {
  type AnalysisContext,
  isFile,
  type Made,
  make,
  parseWritten,
  readValues,
  resultKinds,
} from "../../src/analyses/mod.ts";
import { readNamed } from "./files.ts";
import type { FirstPasses } from "./first_passes.ts";
import { maskOf } from "./region.ts";
import { namedResults } from "./results.ts";
import type { AnswerProgress, MadeQuestion, NamedResult, Question } from "./session.ts";

/** What answers need beside the question. */
export interface Desk {
  /** What is computed on now. */
  readonly dataset: Dataset;
  /** Where. */
  readonly context: Context;
  /** Partitions of runs; absent: by the size of the data. Bits do not depend on it. */
  readonly partitions?: number;
  /** Files of the user. */
  readonly files: ReadonlyMap<string, Blob>;
  /** Results of first passes. */
  readonly passes: FirstPasses;
  /** Takes the sum of all frames, if it is wanted: a run over all of them brings it along. */
  readonly summed?: (sum: NDArray) => void;
}

/** A state of an answer. */
export interface Step {
  /** How far it is. */
  readonly progress: AnswerProgress;
  /** The results so far, made when this is called; the last ones before the next step. */
  results(): readonly NamedResult[];
}

/** Of a number that the page has asked for, not the user: fewer are no harm. */
const OF_PAGE = /^\d+ partitions were asked for/;

/** The keys of the analysis in plans, and of the sum of all frames. */
const KEY = "answer", SUM = "sum";

/** The states of the answer to `question`; the last one is the whole answer. */
export async function* answer(
  question: Question,
  desk: Desk,
  signal: AbortSignal,
  note: AnalysisContext["tell"],
): AsyncGenerator<Step, void> {
  const { dataset } = desk;
  const roi = question.roi ? maskOf(question.roi, dataset.navShape) : undefined;
  const made = await madeFor(question, desk, signal, note);
  const planned: Plan = await planFor({ [KEY]: made.ref }, desk, signal, roi);
  for (const warning of planned.warnings) if (!OF_PAGE.test(warning)) note(`warning: ${warning}`, {});
  const facts = { dataset, analysis: nameOf(question), kinds: resultKinds(planned, KEY) };
  const shown = (arrays: Arrays) => namedResults(arrays, facts);
  const running = run(planned, { signal });
  let last: PartialResults | undefined;
  for await (const part of running) {
    last = part;
    yield { progress: progressOf(part), results: () => made.finish ? [] : shown(arraysOf(part)) };
  }
  for (const warning of running.warnings) note(`warning: ${warning}`, {});
  if (SUM in last!.results) desk.summed?.(last!.results[SUM]!["intensity"] as NDArray);
  made.judge?.(arraysOf(last!));
  if (!made.finish) return;
  const finished = await made.finish(arraysOf(last!));
  yield { progress: progressOf(last!), results: () => shown(finished) };
}

/** The plan of a run, with the sum of all frames in it, if that is wanted and there is memory for both. */
async function planFor(
  udfs: Parameters<typeof plan>[1],
  { dataset, context, partitions, summed }: Desk,
  signal: AbortSignal,
  roi: Uint8Array | undefined,
): Promise<Plan> {
  const options = {
    context,
    signal,
    ...(roi ? { roi } : {}),
    ...(partitions === undefined ? {} : { partitions }),
  };
  try {
    if (summed && !roi) return await plan(dataset, { ...udfs, [SUM]: sumFrames() }, options);
  } catch (error) {
    if (!isTilewiseError(error, "over-budget")) throw error;
  }
  return await plan(dataset, udfs, options);
}

/** Throws what is wrong with the analysis of `question`, as far as it can be found before anything is read. */
export async function checkQuestion(question: Question, desk: Desk): Promise<void> {
  const { analysis, values } = parseWritten(question.analysis);
  const read = await readValues(values, (name) => readNamed(desk.files, name));
  const facts = factsOf(desk, () => {}, question.roi !== undefined);
  const { ref } = await make(analysis, read, facts);
  await plan(desk.dataset, { [KEY]: ref }, { context: desk.context });
}

/** The UDF of the question; first passes happen here. */
async function madeFor(
  question: Question,
  desk: Desk,
  signal: AbortSignal,
  note: AnalysisContext["tell"],
): Promise<Made> {
  const { analysis, values } = parseWritten(question.analysis);
  const read = await readValues(values, (name) => readNamed(desk.files, name));
  return await make(analysis, read, runFacts(question, desk, signal, note));
}

/** Facts with which first passes can be made. */
function runFacts(
  { roi: region }: Question,
  desk: Desk,
  signal: AbortSignal,
  note: AnalysisContext["tell"],
): AnalysisContext {
  const roi = region && maskOf(region, desk.dataset.navShape);
  return {
    ...factsOf(desk, note, region !== undefined),
    firstPass: (ref) => desk.passes.result(ref, desk, region, roi, signal),
  };
}

/** The UDF of `question`, and the files that its values were read from. */
export async function questionMade(
  question: Question,
  desk: Desk,
  signal: AbortSignal,
): Promise<MadeQuestion> {
  const { analysis, values: typed } = parseWritten(question.analysis);
  const values = await readValues(typed, (name) => readNamed(desk.files, name));
  const files = new Map<object, string>();
  for (const [key, value] of Object.entries(typed)) {
    if (isFile(value) && !value.points) files.set(values[key] as object, value.file);
  }
  const readMasks = async (name: string) => {
    const masks = await readNamed(desk.files, name);
    files.set(masks, name);
    return masks;
  };
  const { ref } = await make(analysis, values, { ...runFacts(question, desk, signal, () => {}), readMasks });
  return { ref, values, files };
}

function factsOf({ dataset, files }: Desk, tell: AnalysisContext["tell"], selects: boolean): AnalysisContext {
  return {
    dataset,
    selects,
    tell,
    firstPass: () => Promise.resolve(undefined),
    readMasks: (name) => readNamed(files, name),
  };
}

function nameOf({ analysis }: Question): string {
  return parseWritten(analysis).analysis.name;
}

type Arrays = Readonly<Record<string, NDArray>>;

function arraysOf({ results }: PartialResults): Arrays {
  return results[KEY] as Arrays;
}

function progressOf({ progress }: PartialResults): AnswerProgress {
  const { frames: done, framesTotal: frames, seconds, bytesPerSecond, etaSeconds } = progress;
  return { done, frames, seconds, bytesPerSecond, etaSeconds };
}
