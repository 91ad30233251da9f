/**
 * A model checker that runs the product's own code: threads are plain functions that use `Atomics`, and the checker goes
 * through all orders in which their steps can happen.
 *
 * A step is one operation of `Atomics` with the plain code after it. JavaScript cannot stop a function in the middle, so a
 * thread is run again from the start of its round for every step: `Atomics` is replaced by one that gives back the results of
 * the steps that the thread has made already, makes one more step, and then breaks off by an exception. The memory is put
 * into the state after each of these steps, so that plain reads find what they have found before.
 *
 * `Atomics.wait` never times out here: who relies on a timeout is stuck, and the checker says so.
 */

/** A piece of memory that belongs to the state. */
export interface Region {
  readonly words: Int32Array;
  /** Indexes of the words of interest. */
  readonly at: readonly number[];
}

/** What a thread remembers between its rounds. */
export interface Memo {
  round: number;
  readonly results: number[];
}

/** A thread. */
export interface Actor {
  readonly name: string;
  /** One round; whether another one follows. It may change the memo at its end. */
  round(memo: Memo): boolean;
  /** Whether it may end at any step. */
  readonly mortal?: boolean;
  /** Whether it begins only after another thread has ended: its name. */
  readonly after?: { readonly death?: string; readonly end?: string };
  /** Whether the run may be over while it sleeps. */
  readonly patient?: boolean;
}

/** What a scenario is. */
export interface Scenario {
  readonly actors: readonly Actor[];
  readonly regions: readonly Region[];
  /** Words that one thread uses alone: their operations are not steps of their own. */
  readonly isPrivate?: (words: Int32Array, index: number) => boolean;
  /**
   * Whether operations of a thread on the same word, one right after another, are one step, for scenarios of many threads: a
   * compare-exchange that fails is a load that came earlier. Default false.
   */
  readonly coarse?: boolean;
  /** Most threads that end. Default 1. */
  readonly deaths?: number;
  /** What is wrong with a run that is over. */
  check(end: End): string | undefined;
}

/** A run that is over. */
export interface End {
  /** The results of a thread; nothing if it has ended before its last round. */
  results(name: string): readonly number[] | undefined;
}

/** What the checker has found. */
export interface Verdict {
  readonly states: number;
  readonly ends: number;
  readonly problems: readonly { readonly text: string; readonly way: readonly string[] }[];
}

type Status = "waits" | "ready" | "asleep" | "over" | "dead";

interface Thread {
  readonly status: Status;
  readonly memo: Memo;
  /** Results of the steps of this round, and the memory after each. */
  readonly past: readonly Past[];
  /** Where it sleeps; with `woken`: where it slept. */
  readonly sleep?: { readonly words: Int32Array; readonly index: number; readonly woken: boolean };
}

/** A step of the current round. */
interface Past {
  readonly result: unknown;
  /** The memory after it. */
  readonly memory: Int32Array;
  /** What the thread has learned by it, for the key of a state. */
  readonly learned: string;
}

interface State {
  readonly memory: Int32Array;
  readonly threads: readonly Thread[];
  readonly deaths: number;
}

/** Operations whose results the product does not look at. */
const BLIND = new Set(["store", "add", "sub", "or", "notify"]);

const ATOMICS = globalThis.Atomics;

const PAUSE = new Error("the step is over");

/** Goes through all orders. */
export function explore(scenario: Scenario, most = Infinity): Verdict {
  return new Explorer(scenario, most).run();
}

class Explorer {
  readonly #colors = new Map<string, "open" | "done">();
  readonly #problems: { text: string; way: readonly string[] }[] = [];
  readonly #way: string[] = [];
  #ends = 0;

  constructor(private readonly scenario: Scenario, private readonly most: number) {}

  run(): Verdict {
    const memory = save(this.scenario.regions);
    try {
      const threads = this.scenario.actors.map(({ after }): Thread => ({
        status: after ? "waits" : "ready",
        memo: { round: 0, results: [] },
        past: [],
      }));
      this.#visit({ memory, threads, deaths: 0 });
    } finally {
      restore(this.scenario.regions, memory);
    }
    return { states: this.#colors.size, ends: this.#ends, problems: this.#problems };
  }

  #visit(state: State): void {
    const key = this.#keyOf(state);
    const color = this.#colors.get(key);
    if (color === "open") this.#problem("threads go round in circles");
    if (color !== undefined || this.#problems.length >= 3 || this.#colors.size >= this.most) return;
    this.#colors.set(key, "open");
    let moves = 0;
    for (const [index, thread] of state.threads.entries()) {
      if (thread.status === "ready") moves++;
      if (thread.status === "ready") this.#go(index, "", () => this.#step(state, index));
      if (this.#mayDie(state, index)) this.#go(index, " ends", () => this.#die(state, index));
    }
    if (moves === 0) this.#over(state);
    this.#colors.set(key, "done");
  }

  #go(index: number, what: string, next: () => State): void {
    this.#way.push(`${this.scenario.actors[index]!.name}${what}`);
    const state = next();
    this.#visit(state);
    this.#way.pop();
  }

  #mayDie({ threads, deaths }: State, index: number): boolean {
    const { status } = threads[index]!;
    const alive = status === "ready" || status === "asleep";
    return alive && this.scenario.actors[index]!.mortal === true && deaths < (this.scenario.deaths ?? 1);
  }

  #die(state: State, index: number): State {
    const threads = state.threads.with(index, { ...state.threads[index]!, status: "dead" });
    return this.#begin({ ...state, threads, deaths: state.deaths + 1 });
  }

  /** Starts the threads whose time has come. */
  #begin(state: State): State {
    const { actors } = this.scenario;
    const statusOf = (name: string) =>
      state.threads[actors.findIndex((actor) => actor.name === name)]!.status;
    const threads = state.threads.map((thread, index) => {
      const { death, end } = actors[index]!.after ?? {};
      const begins = death !== undefined && statusOf(death) === "dead" ||
        end !== undefined && statusOf(end) === "over";
      return thread.status === "waits" && begins ? { ...thread, status: "ready" as const } : thread;
    });
    return { ...state, threads };
  }

  #over(state: State): void {
    const { actors, check } = this.scenario;
    this.#ends++;
    for (const [index, { status }] of state.threads.entries()) {
      if (status === "asleep" && !actors[index]!.patient) {
        return this.#problem(`${actors[index]!.name} sleeps for ever`);
      }
    }
    restore(this.scenario.regions, state.memory);
    const results = (name: string) => {
      const { status, memo } = state.threads[actors.findIndex((actor) => actor.name === name)]!;
      return status === "over" ? memo.results : undefined;
    };
    const text = check({ results });
    if (text !== undefined) this.#problem(text);
  }

  #problem(text: string): void {
    this.#problems.push({ text, way: [...this.#way] });
  }

  /** Makes one step of a thread. */
  #step(state: State, index: number): State {
    const { regions, actors, coarse = false, isPrivate = () => false } = this.scenario;
    const thread = state.threads[index]!;
    /** Who may end does so between a change and its sign, too. */
    const breaks = (operation: string) => operation === "notify" && actors[index]!.mortal === true;
    const past = [...thread.past];
    const memo: Memo = { round: thread.memo.round, results: [...thread.memo.results] };
    const woken: number[] = [];
    let at = 0, live = false, before = -1;
    let memory: Int32Array | undefined, sleep: Thread["sleep"];
    const pause = (): never => {
      memory ??= save(regions);
      throw PAUSE;
    };
    globalThis.Atomics = mock((operation, words, cell, act) => {
      if (memory) throw PAUSE; // code after the end of the step, such as `finally`
      if (at < thread.past.length) {
        const { result, memory } = past[at++]!;
        restore(regions, memory);
        return result;
      }
      const goesOn = isPrivate(words, cell) ||
        coarse && before === addressOf(words, cell) && !breaks(operation);
      if (live && !goesOn) return pause();
      if (!isPrivate(words, cell)) before = addressOf(words, cell);
      if (!live) restore(regions, state.memory);
      live = true;
      let result: unknown;
      if (operation === "wait") {
        const isWoken = at === thread.past.length && thread.sleep?.woken;
        result = isWoken ? "ok" : act();
        if (result === "asleep") {
          sleep = { words, index: cell, woken: false };
          return pause();
        }
      } else if (operation === "notify") result = this.#notify(state, words, cell, woken);
      else result = act();
      at++;
      past.push({ result, memory: save(regions), learned: BLIND.has(operation) ? "" : `${result}` });
      return result;
    });
    let goesOn = true, roundOver = false;
    try {
      if (thread.past.length === 0) restore(regions, state.memory);
      goesOn = actors[index]!.round(memo);
      roundOver = true;
      memory = save(regions);
    } catch (error) {
      if (error !== PAUSE) throw error;
    } finally {
      globalThis.Atomics = ATOMICS;
    }
    const next: Thread = roundOver
      ? { status: goesOn ? "ready" : "over", memo, past: [] }
      : { status: sleep ? "asleep" : "ready", memo: thread.memo, past, ...(sleep ? { sleep } : {}) };
    const threads = state.threads.map((other, i) => {
      if (i === index) return next;
      if (!woken.includes(i)) return other;
      return { ...other, status: "ready" as const, sleep: { ...other.sleep!, woken: true } };
    });
    return this.#begin({ ...state, memory: memory!, threads });
  }

  #notify({ threads }: State, words: Int32Array, cell: number, woken: number[]): number {
    for (const [i, { status, sleep }] of threads.entries()) {
      if (status === "asleep" && addressOf(sleep!.words, sleep!.index) === addressOf(words, cell)) {
        woken.push(i);
      }
    }
    return woken.length;
  }

  #keyOf({ memory, threads, deaths }: State): string {
    const own = threads.map(({ status, memo, past, sleep }) =>
      `${status}${memo.round}:${memo.results}:${past.length}:${
        past.map(({ learned }) => learned)
      }:${sleep?.woken}`
    );
    return `${memory}|${own.join("|")}|${deaths}`;
  }
}

/** All words that threads sleep on lie in one memory. */
function addressOf(words: Int32Array, index: number): number {
  return words.byteOffset + 4 * index;
}

type Operation = (operation: string, words: Int32Array, index: number, act: () => unknown) => unknown;

/** An `Atomics` whose operations go through `operate`. */
function mock(operate: Operation): typeof Atomics {
  const plain =
    (name: string, change: (old: number, ...values: number[]) => number) =>
    (words: Int32Array, index: number, ...values: number[]) =>
      operate(name, words, index, () => {
        const old = words[index]!;
        words[index] = change(old, ...values);
        return name === "store" ? values[0] : old;
      });
  const operations = {
    load: plain("load", (old) => old),
    store: plain("store", (_, value) => value!),
    exchange: plain("exchange", (_, value) => value!),
    add: plain("add", (old, value) => old + value!),
    sub: plain("sub", (old, value) => old - value!),
    or: plain("or", (old, value) => old | value!),
    and: plain("and", (old, value) => old & value!),
    compareExchange: plain("compareExchange", (old, expected, value) => old === expected ? value! : old),
    wait: (words: Int32Array, index: number, value: number) =>
      operate("wait", words, index, () => words[index] === value ? "asleep" : "not-equal"),
    notify: (words: Int32Array, index: number) => operate("notify", words, index, () => 0),
  };
  return operations as unknown as typeof Atomics;
}

function save(regions: readonly Region[]): Int32Array {
  const memory = new Int32Array(regions.reduce((sum, { at }) => sum + at.length, 0));
  let next = 0;
  for (const { words, at } of regions) for (const index of at) memory[next++] = words[index]!;
  return memory;
}

function restore(regions: readonly Region[], memory: Int32Array): void {
  let next = 0;
  for (const { words, at } of regions) for (const index of at) words[index] = memory[next++]!;
}
