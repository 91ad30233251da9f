/**
 * What all panels of the page share: the state, the open session, and the latest answer.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Dataset } from "@tilewise/tilewise";
import type { Answer, Question, Session } from "../engine/session.ts";
import type { OtherSource } from "../state/state.ts";
import type { Store } from "../state/store.ts";

/** What listeners can wait for, and what they are given. */
interface Events {
  /** Another session is open; `undefined`: none. */
  readonly session: Session | undefined;
  /** Results have arrived, or a run began or ended. */
  readonly answer: Answer | undefined;
  /** A question has been asked; nothing of its answer is there. */
  readonly asked: Question;
  /** A file was chosen for a value: what its name means may have changed. */
  readonly picked: File;
  /** Something failed; `undefined`: the message is no longer needed. */
  readonly failure: unknown;
  /** One sentence for all, and for readers of the screen. */
  readonly notice: string;
}

type Listeners = { readonly [K in keyof Events]: Set<(value: Events[K]) => void> };

/** A panel of the page: an element that is given the workbench before it is shown. */
export interface Panel extends HTMLElement {
  /** What it works on. */
  bench: Workbench;
}

/** The main image of another source than the one that is open. */
export interface OtherImage {
  /** How the state names the source. */
  readonly of: OtherSource;
  /** Its name for people. */
  readonly name: string;
  /** Opens it. */
  open(signal: AbortSignal): Promise<Dataset>;
}

/** The state, the session, and the answer. */
export class Workbench {
  #session: Session | undefined;
  #answer: Answer | undefined;
  readonly #listeners: Listeners = {
    session: new Set(),
    answer: new Set(),
    asked: new Set(),
    picked: new Set(),
    failure: new Set(),
    notice: new Set(),
  };

  /** Tells the files that are open from others of the same names. */
  version = "";

  /** Images of other sources that can be looked at beside what is open; the page sets it. */
  others: () => Promise<readonly OtherImage[]> = () => Promise.resolve([]);

  /** A workbench without a session. */
  constructor(readonly store: Store) {}

  /** What is open. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** The latest results, maybe parts of them. */
  get answer(): Answer | undefined {
    return this.#answer;
  }

  /** Takes another session, and forgets the answer of the one before. */
  setSession(session: Session | undefined): void {
    this.#session = session;
    this.setAnswer(undefined);
    this.#tell("session", session);
  }

  /** Takes an answer. */
  setAnswer(answer: Answer | undefined): void {
    this.#answer = answer;
    this.#tell("answer", answer);
  }

  /** Says that a question has been asked. */
  asked(question: Question): void {
    this.#tell("asked", question);
  }

  /** Takes a file that values name. */
  pick(file: File): void {
    this.#session?.files.set(file.name, file);
    this.#tell("picked", file);
  }

  /** Shows what failed, with what to do about it; `undefined` takes the message away. */
  fail(error: unknown): void {
    this.#tell("failure", error);
  }

  /** Says one sentence, such as `Link copied`. */
  say(text: string): void {
    this.#tell("notice", text);
  }

  /** Calls `heard` when something happens, until the returned function is called. */
  on<K extends keyof Events>(name: K, heard: (value: Events[K]) => void): () => void {
    this.#listeners[name].add(heard);
    return () => void this.#listeners[name].delete(heard);
  }

  #tell<K extends keyof Events>(name: K, value: Events[K]): void {
    for (const heard of [...this.#listeners[name]]) heard(value);
  }
}
