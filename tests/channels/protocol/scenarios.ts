/** The scenarios of `interleavings_test.ts`: who meets on the channels, and what must be true in the end. */

import {
  type Answer,
  ChannelRunner,
  closeChannels,
  look,
  sleepAfter,
} from "../../../src/channels/protocol/runner.ts";
import { Caller } from "../../../src/channels/protocol/caller.ts";
import { Channels, newGate } from "../../../src/channels/protocol/channel.ts";
import { GATE, HOST } from "../../../src/channels/protocol/gate.ts";
import { STATUS } from "../../../src/channels/protocol/status.ts";
import { canBlock } from "../../../src/channels/protocol/sleep.ts";
import { STATE, stateOf } from "../../../src/channels/protocol/layout.ts";
import type { Actor, End, Memo, Scenario } from "./machine.ts";

const FN = 64;

/** What a caller does in one round; it must end with the answer 10 · `id`, or with one of `also`. */
type Calls = (caller: Caller, id: number) => number;

const CALLS = {
  /** Calls, and waits for the answer. */
  call: (caller, id) => caller.call(0, FN, id),
  /** Any runner may answer. */
  free: (caller, id) => caller.invoke(id - 1, FN, [id], { free: true }),
  /** Submits, gets twice, releases. */
  ticket: (caller, id) => {
    const ticket = caller.submit(0, FN, [id]);
    if (ticket < 0) return ticket;
    const first = caller.get(ticket), second = caller.get(ticket);
    const released = caller.release(0);
    return Math.min(first, second, released < 0 ? released : first);
  },
  /** Claims before the call, and releases without looking at the answer. */
  held: (caller, id) => {
    const claimed = caller.acquire(0);
    if (claimed < 0) return claimed;
    const ticket = caller.submit(0, FN, [id], { acquire: false });
    const released = caller.release(0);
    return Math.min(ticket, released) < 0 ? Math.min(ticket, released) : 10 * id;
  },
  /** Claims, and keeps the channel. */
  grab: (caller, id) => caller.acquire(0) === 0 ? 10 * id : -STATUS.aborted,
} satisfies Record<string, Calls>;

/** What is on stage. */
interface Cast {
  readonly channels?: number;
  /** What each caller does, one call per entry. */
  readonly callers: readonly (readonly Calls[])[];
  readonly runners?: number;
  /** How the host ends while they call. */
  readonly ends?: "closing" | "aborting";
  /** Who may end at any step. */
  readonly mortal?: "callers" | "runner";
  readonly deaths?: number;
  readonly coarse?: boolean;
  /** Statuses that a caller may get instead of its answer. */
  readonly also?: readonly number[];
}

/** Makes a scenario. */
function stage(
  { channels: count = 1, callers, runners = 1, ends, mortal, deaths = 1, also = [], coarse = false }: Cast,
): Scenario {
  canBlock(); // before the checker replaces what it tries
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const layout = { channels: count, bufferLength: 1, elementSize: 1, runners, offset: 1024, gate: newGate() };
  const channels = new Channels(memory, layout);
  const log = new Int32Array(memory.buffer, 0, 8); // how often each caller's function has been called
  const answer: Answer = (call) => {
    log[call.arg(0)]! += 1;
    return 10 * call.arg(0);
  };
  const functions = new Map([[FN, answer]]);
  const ids = callers.map((_, i) => i + 1);
  const sides = ids.map((id) => new Caller(memory, layout, "wait", id));
  const actors: Actor[] = [
    ...callers.map((rounds, i): Actor => ({
      name: `caller ${i + 1}`,
      mortal: mortal === "callers",
      round: (memo) => {
        memo.results.push(rounds[memo.round]!(sides[i]!, i + 1));
        return ++memo.round < rounds.length;
      },
    })),
    ...ids.map((id): Actor => ({
      name: `reclaim ${id}`,
      after: { death: `caller ${id}` },
      round: () => {
        channels.reclaim(channels.gate.find(id));
        return false;
      },
    })),
  ];
  for (let index = 0; index < runners; index++) {
    actors.push(...runnerActors(channels, functions, index, mortal));
  }
  if (ends) actors.push(...closerActors(channels, ends));
  const gate = channels.layout.gate;
  /** Own places in the gate; and the state of a host that stays open. */
  const isPrivate = ({ buffer }: Int32Array, index: number) => buffer === gate && (index > 0 || !ends);
  return {
    actors,
    regions: regionsOf(channels, log, ids.length),
    deaths,
    coarse,
    isPrivate,
    check: (end) => check(end),
  };

  function check(end: End): string | undefined {
    for (const id of ids) {
      const results = end.results(`caller ${id}`);
      const wrong = results?.find((result) => result !== 10 * id && !also.includes(result));
      if (wrong !== undefined) return `caller ${id} got ${wrong}`;
      const answered = results?.filter((result) => result === 10 * id).length ?? 0;
      const calls = callers[id - 1]!.filter((one) => one !== CALLS.grab).length;
      if (calls > 0 && log[id]! < answered) return `caller ${id} got an answer that nobody has given`;
      if (log[id]! > callers[id - 1]!.length) {
        return `the function of caller ${id} was called ${log[id]} times`;
      }
      if (results && also.length === 0 && log[id] !== results.length) {
        return `a call of caller ${id} was lost`;
      }
    }
    for (let channel = 0; !ends && channel < count; channel++) {
      const state = stateOf(channels.words[channels.state(channel)]!);
      if (state !== STATE.unused) return `channel ${channel} is left in state ${state}`;
    }
    return channels.gate.callers === 0 ? undefined : "somebody is still inside";
  }
}

/** A runner, and the one that replaces it. */
function runnerActors(
  channels: Channels,
  functions: ReadonlyMap<number, Answer>,
  index: number,
  mortal: Cast["mortal"],
): Actor[] {
  const serving = (first: ChannelRunner | undefined) => {
    let runner = first;
    return (memo: Memo) => {
      if (memo.round === 0 && first === undefined) {
        runner = new ChannelRunner(channels, functions, index); // a round of its own: it fails what is left
        memo.round = 1;
        return true;
      }
      const found = look(runner!);
      sleepAfter(found, runner!);
      return found !== "over";
    };
  };
  const name = `runner ${index}`;
  const first: Actor = {
    name,
    mortal: mortal === "runner",
    patient: true,
    round: serving(new ChannelRunner(channels, functions, index)),
  };
  if (mortal !== "runner") return [first];
  return [first, { name: `next ${name}`, after: { death: name }, patient: true, round: serving(undefined) }];
}

/** The thread that ends a host: it tells the runner, and fails what is left when the runner has stopped. */
function closerActors(channels: Channels, how: "closing" | "aborting"): Actor[] {
  return [
    {
      name: "closer",
      round: () => {
        channels.gate.host = HOST[how];
        channels.wakeAll();
        return false;
      },
    },
    {
      name: "last closer",
      after: { end: "runner 0" },
      round: () => {
        closeChannels(channels);
        return false;
      },
    },
  ];
}

/** The words that decide what threads do: bells, the words of channels with function, status, answer and argument, the gate. */
function regionsOf(channels: Channels, log: Int32Array, callers: number): Scenario["regions"] {
  const bells = Array.from({ length: channels.runners }, (_, runner) => channels.bell(runner));
  const blocks = Array.from({ length: channels.layout.channels }, (_, channel) => channels.state(channel));
  const headers = blocks.flatMap((at) => [0, 1, 2, 4, 5, 6, 7].map((word) => at + word));
  const places = Array.from({ length: 2 * callers }, (_, i) => GATE.places + 2 + i);
  return [
    { words: channels.words, at: [...bells, ...headers] },
    { words: channels.gate.cells, at: [0, ...places] },
    { words: log, at: [1, 2, 3] },
  ];
}

const { call, free, ticket, held, grab } = CALLS;
const { closed, aborted, lost } = STATUS;

/** A scenario, and how many states it has at least: a checker that looks at nothing is found out. */
interface Row {
  readonly name: string;
  readonly cast: Cast;
  readonly least: number;
}

const coarse = true, callers = "callers", runner = "runner";

const ROWS: readonly Row[] = [
  { name: "one caller with two calls", cast: { callers: [[call, call]] }, least: 2000 },
  { name: "one caller whose thread ends", cast: { callers: [[call]], mortal: callers }, least: 10_000 },
  { name: "two callers of one channel", cast: { callers: [[call], [call]], coarse }, least: 1000 },
  {
    name: "a caller with tickets, and another one",
    cast: { callers: [[ticket], [held]], coarse },
    least: 1000,
  },
  {
    name: "tickets whose thread ends",
    cast: { callers: [[ticket, held]], mortal: callers, coarse },
    least: 1000,
  },
  {
    name: "two callers, one of whom ends",
    cast: { callers: [[call], [call]], mortal: callers, coarse },
    least: 10_000,
  },
  {
    name: "a runner that ends",
    cast: { callers: [[call, call]], mortal: runner, also: [-lost], coarse },
    least: 500,
  },
  {
    name: "a host that closes",
    cast: { callers: [[call]], ends: "closing", also: [-closed], coarse },
    least: 500,
  },
  {
    name: "a host that is aborted while one waits for another",
    cast: { callers: [[call], [grab]], ends: "aborting", also: [-aborted], coarse },
    least: 1000,
  },
  {
    name: "a host that closes while a thread ends",
    cast: { callers: [[call]], ends: "closing", also: [-closed], mortal: callers, coarse },
    least: 1000,
  },
  {
    name: "a call that two runners may answer",
    cast: { channels: 1, callers: [[free]], runners: 2, coarse },
    least: 500,
  },
];

/** The scenarios of the tests of every change. */
export const SCENARIOS = ROWS.map(({ name, cast, least }) => ({ name, least, make: () => stage(cast) }));

/** Those of the soak test: every operation is a step, and more threads meet. */
export const LONG_SCENARIOS = [
  ...ROWS.map(({ name, cast }) => ({ name, make: () => stage({ ...cast, coarse: false }) })),
  {
    name: "two calls that two runners may answer",
    make: () => stage({ channels: 2, callers: [[free], [free]], runners: 2, coarse }),
  },
  {
    name: "two callers whose runner ends",
    make: () => stage({ callers: [[call], [call]], mortal: runner, also: [-lost], coarse }),
  },
  {
    name: "a host that closes while two call",
    make: () => stage({ callers: [[call], [call]], ends: "closing", also: [-closed], coarse }),
  },
  {
    name: "a host that is aborted while two call",
    make: () => stage({ callers: [[call], [ticket]], ends: "aborting", also: [-aborted], coarse }),
  },
  {
    name: "three callers",
    make: () => stage({ callers: [[call], [call], [call]], coarse }),
  },
];
