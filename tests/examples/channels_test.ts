/**
 * The examples of channels run with small sizes. Each compares what its kernel has done with a plain computation and throws where
 * they differ; here it must also say so.
 */

import "../fences/mod.ts";
import { assertMatch, assertRejects } from "@std/assert";
import { TilewiseError } from "@tilewise/tilewise/run";
import { main as append } from "../../examples/channels/append.ts";
import { main as files } from "../../examples/channels/files.ts";
import { main as image } from "../../examples/channels/image.ts";
import { main as pictures } from "../../examples/channels/pictures.ts";
import { main as sleepingCalls } from "../../examples/channels/sleeping_calls.ts";
import { main as sort } from "../../examples/channels/sort.ts";
import { main as tree } from "../../examples/channels/tree.ts";
import { main as walk } from "../../examples/channels/walk.ts";

/** An example with its arguments, and what it must say. */
type Row = readonly [
  name: string,
  run: (args: readonly string[]) => Promise<string>,
  args: string,
  says: RegExp,
];

const ROWS: readonly Row[] = [
  [
    "files",
    files,
    "--files 7 --numbers 1000 --groups 3",
    /^7 files of 8000 bytes, 3 groups.* all as they must be\n/,
  ],
  ["append", append, "--text déjà", /^déjàSuccess$/],
  ["walk on the calling thread", walk, "--positions 100 --walkers 3 --steps 5 --workers 0", /^rpc: 15 reads/],
  [
    "walk",
    walk,
    "--positions 1000 --walkers 5 --steps 20",
    /^rpc: 100 reads .*\ndirect: 100 reads .* all walkers right/,
  ],
  ["sort, runs and two passes", sort, "--keys 5000 --hold 100", /^5000 keys sorted/],
  ["sort, one key more than a run", sort, "--keys 101 --hold 100 --members 1", /^101 keys sorted/],
  ["sort, no key", sort, "--keys 0 --hold 100", /^0 keys sorted/],
  [
    "tree",
    tree,
    "--keys 3000 --asked 600",
    /^3000 keys in 13 pages and 2 levels; 600 keys looked up, all right/,
  ],
  ["tree, direct", tree, "--keys 1 --asked 3 --route direct", /^1 keys in 1 pages and 1 levels/],
  [
    "pictures, one member",
    pictures,
    "--pictures 3 --width 21 --height 10 --io one",
    /^invert: 3 pictures .* all right/,
  ],
  [
    "pictures, all members",
    pictures,
    "--pictures 3 --width 22 --height 7 --do blur",
    /^blur: 3 pictures .* all right/,
  ],
  [
    "sleeping calls",
    sleepingCalls,
    "--items 3 --seconds 0.05",
    /^submitted, promises on 1 runner: 3 calls of 0.05 s, all right, .*\nsubmitted, blocking on 3 .*\none by one: 3 .*all right/,
  ],
  ["image", image, "--width 33 --height 20", /^33 × 20 pixels, 2640 bytes, all right$/],
];

for (const [name, run, args, says] of ROWS) {
  Deno.test(`examples/channels: ${name}`, async () => assertMatch(await run(args.split(" ")), says));
}

Deno.test("examples/channels: an image that is none ends the launch with its reason", async () => {
  const name = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(name, "no image");
    const error = await assertRejects(() => image(["--image", name]), TilewiseError);
    assertMatch(error.message, /^Cannot load .*: /);
  } finally {
    await Deno.remove(name);
  }
});

Deno.test("examples/channels: a sort says when it has too little memory", async () => {
  await assertRejects(() => sort(["--keys", "1000", "--hold", "10"]), Error, "--hold is too small");
});
