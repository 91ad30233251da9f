/**
 * Runs works on both sides and compares: data set after data set, ours while the peer computes.
 *
 * @module
 */

import { type ErrorCode, TilewiseError } from "../../src/errors.ts";
import { createContext } from "../../src/runner/context.ts";
import { compareResults, failed, type Results, type Verdict } from "./compare.ts";
import { DIFFERENCES } from "./verdict/differences.ts";
import { type Difference, excuses } from "./verdict/excuses.ts";
import { openData, writeData } from "./data/files.ts";
import type { Answer, Peer } from "./peer.ts";
import type { Case, Params, Subject } from "./data/spec.ts";
import { correctionMaps, NO_SCAN, truthOf } from "./data/truth.ts";
import type { AnyWork, Opened } from "./work.ts";

/** How one comparison ended. */
export interface Outcome {
  /** What was compared. */
  readonly at: Case;
  /** `refused`: both sides refuse it. */
  readonly end: "equal" | "refused" | "deliberate" | "unexplained";
  /** What differs, with the rows that excuse it. */
  readonly differences: readonly { readonly text: string; readonly rows: readonly Difference[] }[];
  /** Details of the comparison. */
  readonly verdict: Verdict;
  /** Ours, or why there are none. */
  readonly ours: Answer;
  /** The peer's. */
  readonly theirs: Answer;
}

/** What is compared on one data set. */
export interface Task extends Subject {
  /** Works with their parameters. */
  readonly works: readonly (readonly [AnyWork, Params])[];
}

/** Contexts of ours: on the calling thread, and on workers. */
export class Bench implements AsyncDisposable {
  readonly #inline = createContext({ workers: 0, memory: 2 ** 28 });
  readonly #pooled = createContext({ workers: 2, memory: 2 ** 28 });

  /** Everything for comparisons with a peer; files come into `folder`. */
  constructor(private readonly peer: Peer, private readonly folder: string) {}

  /** Compares all works on one data set. */
  async *compare({ data, run, works }: Task): AsyncGenerator<Outcome> {
    const subject = { data, run };
    const folder = await Deno.makeTempDir({ dir: this.folder });
    const path = await writeData(data, folder);
    const maps = run.corrections ? correctionMaps(run.corrections, data) : {};
    const opening = this.peer.ask({ open: { data, run, folder, path, ...maps } });
    const asked = works.map(([{ word }, params]) => this.peer.ask({ word, params }));
    if (data.file.startsWith("hdf5")) await opening; // it makes the file
    const truth = truthOf(subject);
    const context = run.onWorkers ? this.#pooled : this.#inline;
    const dataset = await attempt(async () => await openData(data, path));
    for (const [i, [work, params]] of works.entries()) {
      const at = { ...subject, word: work.word, params };
      const ours = "error" in dataset ? dataset : await attempt(async () => {
        const opened = { ...subject, dataset: dataset.results, truth, context, folder };
        return await work.ours(opened, params);
      });
      const theirs = await opening.then((answer) => "error" in answer && !work.alone ? answer : asked[i]!);
      const opened = { ...subject, truth, context, folder } as Opened;
      yield await judged(work, at, opened, ours, theirs);
    }
    await Deno.remove(folder, { recursive: true });
  }

  /** Ends the workers. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inline[Symbol.asyncDispose]();
    await this.#pooled[Symbol.asyncDispose]();
  }
}

/** What ours gives, or why it gives nothing. */
type Attempt<T> = { readonly results: T } | { readonly error: string; readonly code?: ErrorCode };

/** What `make` gives, or the message of its error. */
async function attempt<T>(make: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { results: await make() };
  } catch (error) {
    if (error instanceof TilewiseError) return { error: error.message, code: error.code };
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Nothing that could differ. */
const NOTHING: Verdict = { mismatches: [], share: 0, nearest: "", numbers: 0, unbounded: 0 };

/** Compares what both gave. */
export async function judged(
  work: AnyWork,
  at: Case,
  opened: Opened,
  ours: Attempt<Results>,
  theirs: Answer,
): Promise<Outcome> {
  const verdict = await verdictOf(work, at.params, opened, ours, theirs);
  const results = {
    ...("results" in ours ? { ours: ours.results } : {}),
    ...("results" in theirs ? { theirs: theirs.results } : {}),
  };
  const differences = verdict.mismatches.map((mismatch) => ({
    text: `${mismatch.name}${mismatch.name ? " " : ""}${mismatch.text}`,
    rows: excuses({ mismatch, at, truth: work.alone ? NO_SCAN : opened.truth, ...results }, DIFFERENCES),
  }));
  const isEqual = differences.length === 0;
  const areExcused = differences.every(({ rows }) => rows.length > 0);
  const end = isEqual ? "error" in ours ? "refused" : "equal" : areExcused ? "deliberate" : "unexplained";
  return { at, end, differences, verdict, ours, theirs };
}

async function verdictOf(
  work: AnyWork,
  params: Params,
  opened: Opened,
  ours: Attempt<Results>,
  theirs: Answer,
): Promise<Verdict> {
  if ("error" in ours && "error" in theirs) return NOTHING;
  if ("error" in ours) {
    const { error, code } = ours;
    return failed({
      name: "",
      what: "refused",
      text: `we refuse: ${error}`,
      at: [],
      ...(code ? { code } : {}),
    });
  }
  if ("error" in theirs) {
    return failed({ name: "", what: "peer refused", text: `the peer refuses: ${theirs.error}`, at: [] });
  }
  const given = { opened, params, ours: ours.results, theirs: theirs.results };
  try {
    const all = { ...ours.results, ...await work.derive?.(given) };
    return compareResults(all, theirs.results, work.expect({ ...given, ours: all }));
  } catch (error) {
    return failed({ name: "", what: "not compared", text: `the comparison fails: ${error}`, at: [] });
  }
}
