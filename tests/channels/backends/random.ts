/** Random calls of a back end, compared with files that are lists of numbers. */

import type { BackEnd, OpenFlags } from "../../../src/channels/backends/back_end.ts";
import { equal, errnoOf, type Subject } from "./subject.ts";

const NAMES = ["a", "b", "sub/c", "sub/d"];
const FLAGS: readonly OpenFlags[] = ["r", "w", "a", "r+", "w+", "a+"];

/** Whole numbers below `below`, the same ones for the same seed (mulberry32). */
export function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = state + 0x6d2b79f5 | 0;
    let t = Math.imul(state ^ state >>> 15, 1 | state);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) % below;
  };
}

interface Open {
  readonly file: number;
  readonly name: string;
  readonly flags: OpenFlags;
}

/** Makes `steps` random calls; every answer must be that of the model. */
export async function pipeline({ files, get }: Subject, seed: number, steps: number): Promise<void> {
  const random = numbers(seed);
  const folder = `random ${seed}`;
  await files.mkdir(folder);
  await files.mkdir(`${folder}/sub`);
  const model = new Map<string, number[]>();
  const opened: Open[] = [];
  for (let step = 0; step < steps; step++) {
    const what = `seed ${seed}, step ${step}`;
    const own = opened[random(Math.max(1, opened.length))];
    const name = NAMES[random(NAMES.length)]!;
    const choice = random(12);
    if (choice < 2 || !own) await open(files, folder, name, FLAGS[random(6)]!, model, opened, what);
    else if (choice < 3) await close(files, own, opened, what);
    else if (choice < 4) await list(files, folder, name, model, opened, what);
    else await transfer(files, own, model.get(own.name)!, random, step, what);
  }
  for (const { file } of opened) await files.close(file);
  for (const [name, bytes] of model) {
    equal([...await get(`${folder}/${name}`)], bytes, `seed ${seed}: ${name}`);
  }
}

async function open(
  files: BackEnd,
  folder: string,
  name: string,
  flags: OpenFlags,
  model: Map<string, number[]>,
  opened: Open[],
  what: string,
): Promise<void> {
  if (flags.startsWith("r") && !model.has(name)) {
    equal(await errnoOf(() => files.open(`${folder}/${name}`, flags)), "ENOENT", what);
    return;
  }
  const file = await files.open(`${folder}/${name}`, flags);
  const known = model.get(name) ?? [];
  if (flags.startsWith("w")) known.length = 0;
  model.set(name, known);
  opened.push({ file, name, flags });
}

async function close(files: BackEnd, own: Open, opened: Open[], what: string): Promise<void> {
  await files.close(own.file);
  opened.splice(opened.indexOf(own), 1);
  equal(await errnoOf(() => files.size(own.file)) !== "" || opened.length > 0, true, what);
}

async function list(
  files: BackEnd,
  folder: string,
  name: string,
  model: Map<string, number[]>,
  opened: readonly Open[],
  what: string,
): Promise<void> {
  const inside = [...model.keys()].filter((own) => own.startsWith("sub/")).map((own) => own.slice(4)).sort();
  equal(await files.list(`${folder}/sub`), inside, `${what}: list`);
  if (!model.has(name)) {
    equal(await errnoOf(() => files.stat(`${folder}/${name}`)), "ENOENT", what);
  } else if (!opened.some((own) => own.name === name)) {
    equal((await files.stat(`${folder}/${name}`)).bytes, model.get(name)!.length, `${what}: stat`);
    await files.remove(`${folder}/${name}`);
    model.delete(name);
  }
}

async function transfer(
  files: BackEnd,
  { file, flags }: Open,
  known: number[],
  random: (below: number) => number,
  step: number,
  what: string,
): Promise<void> {
  const length = random(3) === 0 ? random(9000) : random(40);
  const position = random(3) === 0 ? random(12_000) : random(50);
  const canRead = flags === "r" || flags.endsWith("+");
  const choice = random(8);
  if (choice === 0) equal(await files.size(file), known.length, `${what}: size`);
  else if (choice === 1 && flags !== "r") {
    await files.truncate(file, position);
    known.length = Math.min(known.length, position);
    while (known.length < position) known.push(0);
  } else if (choice < 5 && flags !== "r") {
    const bytes = Uint8Array.from({ length: length + 3 }, (_, i) => step * 7 + i);
    const at = flags.startsWith("a") ? null : position;
    equal(await files.write(file, bytes, 2, length, at), length, `${what}: write`);
    if (length > 0) put(known, bytes.subarray(2, length + 2), at ?? known.length);
  } else if (canRead) {
    const bytes = new Uint8Array(length + 3).fill(9);
    const expected = known.slice(position, position + length);
    equal(await files.read(file, bytes, 1, length, position), expected.length, `${what}: read`);
    equal([...bytes.subarray(1, expected.length + 1)], expected, `${what}: bytes`);
    equal(bytes[expected.length + 1], 9, `${what}: behind them`);
  }
}

function put(known: number[], bytes: Uint8Array, at: number): void {
  while (known.length < at) known.push(0);
  bytes.forEach((byte, i) => known[at + i] = byte);
}
