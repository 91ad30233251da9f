/**
 * Reads of programs and kernels beside the same reads by peers, in one run.
 *
 * ```sh
 * deno run -A bench/channels/peers.ts [--repeats N] [--part N] [--without emscripten]
 * ```
 *
 * All peers run the program `peers/reads.c`, or a kernel that does the same, and time it themselves; the sums of what they read are
 * compared. They take turns, and the fastest of the repeats counts. A peer that is not there is left out with a note. `--part 10`
 * does a tenth of the work. The first run with Emscripten takes minutes, as it compiles its libraries.
 *
 * @module
 */

import { join } from "@std/path";
import { readArguments } from "../arguments.ts";
import { align, print } from "../timing.ts";
import { emscripten, native, node, shim, wasmfs } from "./peers/others.ts";
import { type MakePeer, NUMBERS, type Peer, type Told, type Work, WORKS } from "./peers/peer.ts";
import { kernel, program } from "./peers/tilewise.ts";

const EMSCRIPTEN = [emscripten, wasmfs];

const PEERS: readonly MakePeer[] = [
  native,
  program("rpc"),
  program("direct"),
  kernel("rpc"),
  kernel("direct"),
  node,
  shim,
  ...EMSCRIPTEN,
];

const { options } = readArguments(Deno.args, ["repeats", "part", "without"]);
const repeats = Number(options.repeats ?? 3), part = Number(options.part ?? 1);
const folder = await Deno.makeTempDir();
try {
  await Deno.writeFile(join(folder, NUMBERS), numbers());
  await measure();
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function measure(): Promise<void> {
  const peers: Peer[] = [], notes: string[] = [];
  try {
    for (const make of PEERS) {
      if (options.without === "emscripten" && EMSCRIPTEN.includes(make)) continue;
      const peer = await make(folder);
      if ("skipped" in peer) notes.push(`left out: ${peer.skipped}`);
      else peers.push(peer);
    }
    await report(peers, notes);
  } finally {
    for (const peer of peers) await peer[Symbol.asyncDispose]();
  }
}

async function report(peers: readonly Peer[], notes: string[]): Promise<void> {
  const rows: string[][] = [];
  for (const work of WORKS) {
    rows.push(...await rowsOf({ ...work, count: Math.ceil(work.count / part) }, peers, notes));
  }
  print(align([["what", "by", "seconds", "µs per read", "GB/s"], ...rows]));
  for (const note of notes) print(note);
}

async function rowsOf(work: Work, peers: readonly Peer[], notes: string[]): Promise<string[][]> {
  const told = new Map<Peer, Told>();
  for (let i = 0; i < repeats; i++) {
    for (const peer of peers) {
      try {
        const next = await peer.run(work), best = told.get(peer);
        if (!best || next.seconds < best.seconds) told.set(peer, next);
      } catch (error) {
        if (i === 0) notes.push(`${work.name}, ${peer.name}: ${(error as Error).message}`);
      }
    }
  }
  const sums = new Set([...told.values()].map(({ sum }) => sum));
  if (sums.size > 1) {
    notes.push(
      `differs: ${work.name}: ${[...told].map(([{ name }, { sum }]) => `${name} ${sum}`).join(", ")}`,
    );
  }
  return [...told].map(([{ name }, { seconds }]) => [
    work.name,
    name,
    seconds.toFixed(3),
    (seconds * 1e6 / work.count).toFixed(2),
    (work.bytes * work.count / seconds / 1e9).toFixed(2),
  ]);
}

/** The numbers that `reads.c` makes: places in the file, from a simple generator. */
function numbers(): Uint8Array<ArrayBuffer> {
  const length = 2 ** 20, all = new BigUint64Array(length);
  let state = 1n;
  for (let i = 0; i < length; i++) {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    all[i] = (state >> 33n) % BigInt(length);
  }
  return new Uint8Array(all.buffer);
}
