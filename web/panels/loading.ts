/**
 * Opens what the state names: finds the source, opens a session, and ends the one before. The latest wins.
 *
 * @module
 */

/// <reference lib="dom" />

import type { OpenInput, OpenOptions } from "@tilewise/tilewise/formats";
import type { Session } from "../engine/session.ts";
import { isCancelled } from "../open/failures.ts";
import { readOptions } from "../open/options.ts";
import { type Found, nameOf, type Sources } from "../open/sources.ts";
import { Newest } from "../state/newest.ts";
import type { OpenChoices, SourceChoice } from "../state/state.ts";
import type { Workbench } from "./workbench.ts";

/** What is told while something is opened. */
export interface LoadingEvents {
  /** It begins. */
  begun(name: string): void;
  /** How far it is. */
  progress(text: string, share?: number): void;
  /** Only the user can go on. */
  missing(found: Exclude<Found, { readonly kind: "input" }>): void;
  /** It is open. */
  opened(session: Session): void;
  /** It failed. */
  failed(error: unknown, name: string): void;
}

/** Opens sources, one at a time. */
export class Loading {
  readonly #newest = new Newest();
  #input: OpenInput | undefined;

  /** Tells `events`. */
  constructor(readonly bench: Workbench, readonly sources: Sources, readonly events: LoadingEvents) {}

  /** Stops what is being opened. */
  stop(): void {
    this.#newest.stop();
  }

  /** Closes what is open. */
  close(): void {
    this.stop();
    this.#input = undefined;
    const { session } = this.bench;
    this.bench.setSession(undefined);
    session?.close().catch(() => {}); // nobody waits for it
  }

  /** Opens a source. */
  async open(source: SourceChoice, choices: OpenChoices): Promise<void> {
    this.close();
    const name = nameOf(source);
    this.events.begun(name);
    await this.#newest.begin(
      (signal) => this.#session(source, choices, signal),
      (session) => session && this.events.opened(session),
      (error) => {
        if (!isCancelled(error)) this.events.failed(error, name);
      },
    );
  }

  async #session(
    source: SourceChoice,
    choices: OpenChoices,
    signal: AbortSignal,
  ): Promise<Session | undefined> {
    const isSample = source.kind === "sample";
    const progress = (share: number) => this.events.progress("Drawing the sample", share);
    this.events.progress(isSample ? "Drawing the sample" : "Reading its first bytes");
    const library = import("./library.ts"); // while the source is found
    library.catch(() => {});
    const found = await this.sources.find(source, { signal, progress });
    if (signal.aborted) return undefined;
    if (found.kind !== "input") return void this.events.missing(found);
    this.#input = found.input;
    const session = await (await library).openSession(found.input, optionsOf(choices), signal);
    if (signal.aborted) void session.close();
    return session;
  }

  /** One number per image of the source, in the order of the file: the sum of its samples. */
  async perImage(
    { nav: _n, syncOffset: _s, ...choices }: OpenChoices,
    signal: AbortSignal,
  ): Promise<ArrayLike<number>> {
    const input = this.#input; // another one may be open later
    if (input === undefined) throw new DOMException("Nothing is open", "AbortError");
    const { imagesIn, openSession } = await import("./library.ts");
    const images = await imagesIn(input, optionsOf(choices), signal);
    const options = { ...optionsOf(choices), nav: [images], syncOffset: 0 };
    const session = await openSession(input, options, signal);
    signal.addEventListener("abort", () => void session.close());
    try {
      return await sums(session);
    } finally {
      await session.close();
    }
  }
}

/** The sum of every frame of a session. */
function sums(session: Session): Promise<ArrayLike<number>> {
  return new Promise((resolve, reject) =>
    session.ask({ analysis: { name: "sum_pixels", values: {} } }, ({ state, results, error }) => {
      if (state === "done") resolve((results[0]?.array.data ?? []) as ArrayLike<number>);
      else if (state !== "running") reject(error ?? new DOMException("Cancelled", "AbortError"));
    })
  );
}

/** The options of `open`; texts that cannot be right are errors of the form. */
function optionsOf(choices: OpenChoices): OpenOptions {
  const { options, wrong } = readOptions(choices);
  const [first] = Object.entries(wrong);
  if (first) {
    const [option, text] = first;
    throw Object.assign(new Error(`The value "${choices[option]}" of ${option} cannot be right. ${text}`), {
      code: "invalid",
      details: { option },
    });
  }
  return options;
}
