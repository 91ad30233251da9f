/**
 * Memory: whatever is computed, a process holds at most its budget, what it takes when idle, and a little more; or it says
 * `over-budget`.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { ANALYSES } from "../../../src/analyses/words.ts";
import { crystalFrames, SIDE, WORDS } from "../../cli/analyses/crystal.ts";
import { writeNpy } from "../../cli/harness.ts";
import { mulberry32 } from "../../kernels/call.ts";
import { type Outcome, type Part, type SoakOptions, Tally, withFolder } from "../part.ts";

const MiB = 2 ** 20;
/** What a process may hold beside its budget and what it takes when idle. */
export const MORE = 100 * MiB;
/** A command that takes longer hangs: four hours, as one with 3 GiB takes one where the machine has other work. */
const LONGEST = 4 * 3_600_000;
const PROGRAM = fromFileUrl(import.meta.resolve("./measured.ts"));

/** The part. */
export const MEMORY: Part = {
  name: "memory",
  help: "the memory of a process that computes each analysis of run, with budgets of 16, 64 and 256 MiB",
  run: everyBudget,
};

/** Every analysis with every budget; three of them with the smallest where it is to be quick. */
export async function everyBudget({ quick, seed }: SoakOptions): Promise<Outcome> {
  const tally = new Tally();
  const budgets = quick ? [16] : [16, 64, 256];
  const chosen = quick ? someOf(ANALYSES, seed) : ANALYSES;
  const figures = [["analysis", "", ...budgets.map((budget) => `${budget} MiB`)]];
  await withFolder(async (folder) => {
    await makeScan(folder, quick ? 8 : 128);
    const idle = (await measure(folder, ["--version"])).bytes;
    figures.push(["(idle)", "", ...budgets.map(() => inMiB(idle))]);
    for (const { name } of chosen) {
      const cells: string[] = [];
      for (const budget of budgets) {
        await tally.add(`${name} with ${budget} MiB`, async () => {
          const measured = await measure(folder, wordsOf(name, folder, budget));
          cells.push(measured.refused ? "over-budget" : inMiB(measured.bytes));
          return wrongIn(measured, budget * MiB + idle + MORE);
        });
      }
      figures.push([name, "", ...cells]);
    }
  });
  return { cases: tally.cases, findings: tally.findings, figures };
}

/** Three of them, in no order: another seed takes others. */
function someOf<T>(all: readonly T[], seed: number): T[] {
  const random = mulberry32(seed);
  const rest = [...all];
  return Array.from({ length: 3 }, () => rest.splice(Math.floor(random() * rest.length), 1)[0]!);
}

/** Frames of the crystal again and again, 160 to a row, and positions of a peak in each. */
async function makeScan(folder: string, rows: number): Promise<void> {
  const frames = new Uint8Array(crystalFrames().buffer);
  const row = new Uint8Array(160 * SIDE * SIDE * 2);
  for (let at = 0; at < row.length; at += frames.length) row.set(frames, at);
  await writeNpy(`${folder}/scan.npy`, "<u2", [rows, 160, SIDE, SIDE], new Uint8Array(0));
  for (let i = 0; i < rows; i++) await Deno.writeFile(`${folder}/scan.npy`, row, { append: true });
  const positions = new Float64Array(rows * 160 * 2).fill(SIDE / 2);
  await writeNpy(`${folder}/at.npy`, "<f8", [rows, 160, 1, 2], new Uint8Array(positions.buffer));
}

function wordsOf(name: string, folder: string, budget: number): string[] {
  const word = name === "integrate" ? `integrate:radius=3,positions=@${folder}/at.npy` : WORDS[name] ?? name;
  const flags = ["--memory", `${budget}MiB`, "--workers", "2", "--quiet"];
  return ["run", word, `${folder}/scan.npy`, ...flags, "-o", `${folder}/out/`];
}

/** What a process was seen to do. */
export interface Measured {
  /** The most memory that it has held. */
  readonly bytes: number;
  /** Whether it said that the budget is too small. */
  readonly refused: boolean;
  /** Its exit code. */
  readonly code: number;
  /** What it said. */
  readonly err: string;
}

/** Runs the command line in a process of its own; the words must not be those of a server. */
export async function measure(folder: string, words: readonly string[]): Promise<Measured> {
  const file = `${folder}/peak`;
  await Deno.remove(`${folder}/out`, { recursive: true }).catch(() => {});
  await Deno.remove(file).catch(() => {});
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", PROGRAM, file, ...words],
    stdout: "null",
    stderr: "piped",
    signal: AbortSignal.timeout(LONGEST),
  }).output();
  const err = new TextDecoder().decode(stderr);
  const bytes = Number(await Deno.readTextFile(file).catch(() => "NaN"));
  return { bytes, refused: /\[over-budget\]/.test(err), code, err };
}

/** What is wrong with a process that may hold so many bytes. */
export function wrongIn({ bytes, refused, code, err }: Measured, most: number): string | undefined {
  if (Number.isNaN(bytes)) return `the process has died with ${code}: ${err}`;
  if (bytes > most) return `it held ${inMiB(bytes)}, at most ${inMiB(most)} are allowed`;
  return code === 0 || refused ? undefined : `it failed: ${err}`;
}

/** As text. */
export function inMiB(bytes: number): string {
  return `${(bytes / MiB).toFixed(0)} MiB`;
}
