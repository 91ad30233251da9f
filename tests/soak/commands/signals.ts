/**
 * Signals at random moments while commands write: every file is the old one or the complete new one, partial results say
 * so, nothing is left, and the exit code says what happened.
 *
 * @module
 */

import { STALE_AFTER } from "../../../src/io/write/part_files.ts";
import { cli } from "../../cli/harness.ts";
import { Random } from "../../compare/data/random.ts";
import { inParallel, type Outcome, type Part, type SoakOptions, Tally, withFolder, within } from "../part.ts";
import {
  type Command,
  COMMANDS,
  endsOf,
  isUnderWay,
  makeScan,
  runsIn,
  start,
  UDF_NAME,
} from "./signal_commands.ts";

/** No command takes longer, with a signal or without. */
const LONGEST = 120_000;

/** What is sent. */
const SENT = [
  { name: "SIGINT", signals: ["SIGINT"], code: 130 },
  { name: "SIGTERM", signals: ["SIGTERM"], code: 143 },
  { name: "SIGHUP", signals: ["SIGHUP"], code: 129 },
  { name: "SIGKILL", signals: ["SIGKILL"], code: 137 },
  { name: "SIGINT twice", signals: ["SIGINT", "SIGINT"], code: 130 },
] as const;
type Sent = typeof SENT[number];

/** The part. */
export const SIGNALS: Part = {
  name: "signals",
  help: "300 signals at random moments while run, convert and pick write",
  run: randomSignals,
};

/** 300 signals, 3 where it is to be quick. */
export async function randomSignals({ quick, seed }: SoakOptions): Promise<Outcome> {
  const tally = new Tally();
  const ends = new Map<string, number>();
  const undisturbed = await Promise.all(
    Object.entries(COMMANDS).map(([name, command]) => endOf(name, command)),
  );
  await inParallel(2, Array.from({ length: quick ? 3 : 300 }, (_, n) => n), async (n) => {
    const random = new Random(seed, "signals", n);
    const whole = undisturbed[n % undisturbed.length]!;
    const sent = SENT[n % SENT.length]!;
    const moment = random.chance(0.5)
      ? { part: true, wait: random.real(0, 60) }
      : { part: false, wait: random.real(0, whole.milliseconds) };
    await tally.add(
      `${n}, ${whole.name}, ${sent.name}, ${JSON.stringify(moment)}`,
      () =>
        withFolder(async (folder) => {
          const one = new Disturbed(folder, whole, sent);
          const wrong = await one.run(moment);
          ends.set(one.end, (ends.get(one.end) ?? 0) + 1);
          return wrong;
        }),
    );
  });
  const figures = [["the command", "", "times"], ...[...ends].map(([end, n]) => [end, "", String(n)])];
  return { cases: tally.cases, findings: tally.findings, figures };
}

/** What a command does when nobody disturbs it. */
interface Whole {
  readonly name: string;
  readonly command: Command;
  /** How long it takes. */
  readonly milliseconds: number;
  /** The files that it leaves, as text that is the same each time. */
  readonly files: ReadonlyMap<string, string>;
}

async function endOf(name: string, command: Command): Promise<Whole> {
  return await withFolder(async (folder) => {
    await makeScan(folder);
    const started = performance.now();
    const { code, err } = await start(folder, command.words(".")).ended;
    if (code !== 0) throw new Error(`${name} fails by itself: ${err}`);
    return { name, command, milliseconds: performance.now() - started, files: endsOf(folder) };
  });
}

/** When a signal is sent: so many milliseconds after the start, or after the first part file. */
interface Moment {
  readonly part: boolean;
  readonly wait: number;
}

/** One command that gets a signal. */
class Disturbed {
  /** How it ended, in words. */
  end = "was late";

  constructor(private readonly folder: string, private readonly whole: Whole, private readonly sent: Sent) {}

  /** What is wrong, if anything. */
  async run(moment: Moment): Promise<string | undefined> {
    await makeScan(this.folder);
    for (const name of this.whole.files.keys()) await Deno.writeTextFile(`${this.folder}/${name}`, "old");
    const child = start(this.folder, this.whole.command.words("."));
    await this.#wait(moment, child);
    for (const [i, signal] of this.sent.signals.entries()) {
      if (i > 0) await sleep(250); // two that come together count as one
      child.send(signal);
    }
    const ended = await within(LONGEST, child.ended);
    if (ended === "late") {
      child.send("SIGKILL");
      return `it has not ended after ${LONGEST / 1000} s`;
    }
    return this.#wrongEnd(ended) ?? this.#wrongFiles(ended.code) ?? await this.#wrongLater();
  }

  async #wait({ part, wait }: Moment, { done }: { done(): boolean }): Promise<void> {
    while (part && !done() && partsIn(this.folder).length === 0) await sleep(1);
    await sleep(wait);
  }

  #wrongEnd({ code, err }: { code: number; err: string }): string | undefined {
    this.end = code === 0 ? "was done before" : `ended with ${code}`;
    if (runsIn(this.folder).length > 0) return `processes are left: ${runsIn(this.folder).join(", ")}`;
    if (code !== 0 && code !== this.sent.code) {
      return `the exit code is ${code}, not ${this.sent.code}: ${err}`;
    }
    return /Uncaught|\n\s+at |corrupt/.test(err) ? `it says ${err}` : undefined;
  }

  #wrongFiles(code: number): string | undefined {
    const now = endsOf(this.folder);
    const olds: string[] = [];
    for (const [name, whole] of this.whole.files) {
      const found = now.get(name);
      if (found === "old") olds.push(name);
      else if (found !== whole) {
        return `${name} is neither the old file nor the new one: ${found?.slice(0, 300)}`;
      }
    }
    if (code === 0 && olds.length > 0) return `the exit code is 0, and ${olds.join(", ")} is old`;
    if (code !== 137 && partsIn(this.folder).length > 0) return `${partsIn(this.folder)} is left`;
    const others = [...now.keys()].filter((name) => !this.whole.files.has(name));
    if (others.length > 0) this.end = "kept a partial result";
    return this.#wrongPartial(others, now);
  }

  /** Files that were neither there nor asked for: only partial results, which say so. */
  #wrongPartial(others: readonly string[], now: ReadonlyMap<string, string>): string | undefined {
    if (others.length === 0) return undefined;
    const foreign = others.filter((name) => !/\.partial\.(np[yz]|png|(npz\.)?run\.json)$/.test(name));
    if (foreign.length > 0) return `there is ${foreign.join(", ")}`;
    if (this.sent.code === 137) return undefined; // between the files of one result
    const manifest = now.get(`${UDF_NAME}.partial.npz.run.json`);
    return manifest && JSON.parse(manifest).partial?.frames >= 0
      ? undefined
      : `the partial result has no mark: ${others.join(", ")}`;
  }

  /** What lies there after the next write, when what was left is old; a folder of a result goes when that is written again. */
  async #wrongLater(): Promise<string | undefined> {
    const then = new Date(Date.now() - STALE_AFTER - 60_000);
    for (const name of partsIn(this.folder)) await Deno.utime(`${this.folder}/${name}`, then, then);
    const hasFolder = partsIn(this.folder).some((name) => name.endsWith(".partial"));
    const next = hasFolder ? this.whole.command : COMMANDS.pick!;
    const { code, err } = await cli(next.words(this.folder));
    if (code !== 0) return `the next command fails: ${err}`;
    return partsIn(this.folder).length > 0
      ? `${partsIn(this.folder)} is left after the next write`
      : undefined;
  }
}

function partsIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).filter(isUnderWay);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
