/**
 * The packages of others as judges: a Python that opens what was written.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { type AxisFacts, factsOf } from "../../../src/space/axes.ts";
import type { Subject, Written } from "./cells.ts";
import { differences, type Told } from "./told.ts";

/** What the judge says. */
type Verdict = { readonly error: string } | {
  readonly shape: number[];
  readonly dtype: string;
  readonly sha256: string;
  /** Absent: the package has no word for axes. */
  readonly axes: AxisFacts[] | null;
  readonly nav?: number;
  readonly unit?: string;
  readonly missing?: number;
};

/** What it says of a source. */
export type SourceVerdict = { readonly error: string } | {
  readonly is_same: boolean;
  /** Arrays that are there instead. */
  readonly seen?: readonly string[];
};

/** A Python with the packages. */
export class Judge implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: AsyncIterator<string>;

  /** Starts it. */
  constructor(python: string) {
    const args = [fromFileUrl(new URL("judge.py", import.meta.url))];
    this.#child = new Deno.Command(python, { args, stdin: "piped", stdout: "piped", stderr: "null" }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#lines = linesOf(this.#child.stdout);
  }

  /** What a package says of the samples of a source, as our reader has them. */
  async ofSource({ source, told }: Subject): Promise<SourceVerdict> {
    const { path, format, options } = source, { dtype, shape, nav, sha256 } = told;
    return await this.#told({ path, format, array: options.array ?? "", options, dtype, shape, nav, sha256 });
  }

  /** What is wrong with a file as its package sees it. */
  async problems({ path, lost, asked }: Written, ending: string): Promise<string[]> {
    const { shape, dtype } = asked;
    const verdict = await this.#told<Verdict>({ path, ending, shape, dtype });
    if ("error" in verdict) return [verdict.error];
    const { axes, unit, missing, ...facts } = verdict;
    const isSqueezed = asked.shape.filter((n) => n > 1).join() === facts.shape.filter((n) => n > 1).join();
    const kind = asked.values?.kind ?? "amount"; // no package has a word for it
    const values = {
      kind,
      ...(unit === undefined ? {} : { unit }),
      ...(missing === undefined ? {} : { missing }),
    };
    const found: Told = { ...facts, axes: axes ?? [], values };
    return isSqueezed ? differencesOf(wide(asked), wide(found), lost) : differencesOf(asked, found, lost);
  }

  async #told<T>(asked: object): Promise<T> {
    await this.#writer.write(new TextEncoder().encode(JSON.stringify(asked) + "\n"));
    const { value, done } = await this.#lines.next();
    if (done) throw new Error("the Python with the packages ended");
    return JSON.parse(value);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close();
    await this.#child.status;
  }
}

/** The same for a package: none has words for kinds of axes. */
function differencesOf(asked: Told, found: Told, lost: string): string[] {
  const axes = asked.axes.map(({ kind }, d) => factsOf({ ...found.axes[d], kind }));
  return differences(asked, { ...found, axes }, lost);
}

/** An array without its dimensions of one sample: packages leave out some of them, or add some. */
function wide(told: Told): Told {
  const { shape, axes, nav } = told, dims = [...shape.keys()].filter((d) => shape[d]! > 1);
  return {
    ...told,
    shape: dims.map((d) => shape[d]!),
    axes: dims.map((d) => axes[d] ?? {}),
    ...(nav === undefined ? {} : { nav: dims.filter((d) => d < nav).length }),
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string, void> {
  let text = "";
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    text += part;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
  }
}
