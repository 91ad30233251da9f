/** Masks from files, sparse ones as Python's libraries write them (`data/make_masks.py`). */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { readMasks } from "../../../src/cli/inputs/mask_files.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { SYSTEM_CALLS } from "../../../src/io/file/facts.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

const FILE = (name: string) => decodeURIComponent(new URL(`../data/${name}`, import.meta.url).pathname);

/** Frame n is 12 n, 12 n + 1, …; pixels counted row by row. */
async function withScan(body: (file: string, folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/scan.npy`, "|u1", [3, 3, 4], Uint8Array.from({ length: 36 }, (_, i) => i));
    await body(`${folder}/scan.npy`, folder);
  });
}

async function products(words: readonly string[], scan: string, folder: string): Promise<unknown> {
  const flags = ["--sig", "3x4", "--quiet", "--workers", "0"];
  const { code, err } = await cli(["run", ...words, scan, ...flags, "-o", `${folder}/out.csv`]);
  assertEquals([code, err], [0, ""]);
  const text = await Deno.readTextFile(`${folder}/out.csv`);
  return text.trim().split("\n").map((line) => line.split(",").map(Number));
}

const first = (n: number) => 1.5 * (12 * n + 6) - (12 * n + 11);
const second = (n: number) => 2 * 12 * n + 4 * (12 * n + 9);

Deno.test("sparse masks of SciPy and sparse give the products of their weights", async () => {
  await withScan(async (scan, folder) => {
    for (const name of ["csr", "csc", "coo", "stack"]) {
      const found = await products([`mask:file=${FILE(`masks-${name}.npz`)}`], scan, folder);
      assertEquals(found, [0, 1, 2].map((n) => [first(n), second(n)]), name);
    }
    const forced = [`mask:file=@${FILE("masks-csr.npz")},useSparse=true,dtype=float32`];
    assertEquals(await products(forced, scan, folder), [0, 1, 2].map((n) => [first(n), second(n)]));
    const moved = [`mask:file=${FILE("masks-one.npz")},shifts=-1:-1`];
    assertEquals(
      await products(moved, scan, folder),
      [0, 1, 2].map((n) => [1.5 * (12 * n + 1) - (12 * n + 6)]),
    );
  });
});

Deno.test("masks that change while they are read are not used, sparse or dense", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/dense.npy`, "|u1", [3, 4], new Uint8Array(12));
    await Deno.copyFile(FILE("masks-csr.npz"), `${folder}/sparse.npz`);
    for (const path of [`${folder}/dense.npy`, `${folder}/sparse.npz`]) {
      using _ = touchedWhenRead(path);
      const error = await assertRejects(() => readMasks(path, [3, 4]), TilewiseError);
      assertEquals([error.code, error.details.file], ["changed", path]);
    }
  });
});

/** Somebody touches the file at `path` when it is read. */
function touchedWhenRead(path: string): Disposable {
  const { read } = SYSTEM_CALLS;
  SYSTEM_CALLS.read = (...where) => {
    const got = read(...where);
    Deno.utimeSync(path, 1, 1);
    return got;
  };
  return { [Symbol.dispose]: () => void (SYSTEM_CALLS.read = read) };
}

Deno.test("recipes of generators, and disks stamped at points", async () => {
  await withScan(async (scan, folder) => {
    const stamped = await products(["mask:make=stampDisks,r=0.5,at=1:2;0:0"], scan, folder);
    assertEquals(stamped, [0, 1, 2].map((n) => [12 * n + 6, 12 * n]));
    const ring = await products(["masks:make=circular,cy=1,cx=2,r=0"], scan, folder);
    assertEquals(ring, [0, 1, 2].map((n) => [12 * n + 6]));
    const bins = await products(["masks:make=radialBins,bins=2,ro=9,cy=1,cx=1"], scan, folder);
    const sums = (bins as number[][]).map(([a, b]) => a! + b!);
    assertEquals(sums, [0, 1, 2].map((n) => 12 * (12 * n) + 66));
  });
});

Deno.test("files that hold no masks for these frames are refused in one line", async () => {
  await withScan(async (scan, folder) => {
    await Deno.writeTextFile(`${folder}/no.npz`, "no");
    const cases: [string, RegExp][] = [
      [`${folder}/none.npz`, /\[not-found\].*there is no such file/],
      [`${folder}/no.npz`, /\[malformed\].*not a zip archive/],
      [FILE("masks-dia.npz"), /\[unsupported\].*its format is "dia"; known are csr, csc and coo/],
    ];
    for (const [file, words] of cases) {
      const { code, err } = await cli(["run", `mask:file=${file}`, scan, "--sig", "3x4"]);
      assertEquals(code, 1, err);
      assertMatch(err, words);
    }
    const wrong = await cli([
      "run",
      `mask:file=${FILE("masks-csr.npz")}`,
      scan,
      "--sig",
      "4x3",
      "--nav",
      "3",
    ]);
    assertEquals(wrong.code, 0, "as many pixels, in another shape: a matrix does not tell");
    const stack = await cli([
      "run",
      `mask:file=${FILE("masks-stack.npz")}`,
      scan,
      "--sig",
      "4x3",
      "--nav",
      "3",
    ]);
    assert(stack.code === 1 && stack.err.includes("frames are 4 × 3"), stack.err);
  });
});
