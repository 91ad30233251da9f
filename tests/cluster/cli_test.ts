/** `tilewise run … --store … --shard` and `tilewise merge`: the files of a run on one machine. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { cli, withFolder, writeNpy } from "../cli/harness.ts";
import { congruential } from "../udf/blobfinder/frames.ts";

/** A scan of 20 × 24 frames of 12 × 10 pixels with noise. */
async function scanIn(folder: string): Promise<string> {
  const chance = congruential(3);
  const samples = Uint16Array.from(
    { length: 20 * 24 * 120 },
    (_, i) =>
      Math.floor(100 * (chance.next().value ?? 0)) + (i % 120 === 50 ? 700 : 0) +
      Math.floor(i / 28800) * (i % 7),
  );
  const path = `${folder}/scan.npy`;
  await writeNpy(path, "<u2", [20, 24, 12, 10], new Uint8Array(samples.buffer));
  return path;
}

const files = (folder: string) =>
  [...Deno.readDirSync(folder)].filter(({ name }) => name.endsWith(".npy")).map(({ name }) => name).sort();

async function sameFiles(a: string, b: string): Promise<void> {
  assertEquals(files(a), files(b));
  assert(files(a).length > 0);
  for (const name of files(a)) {
    assertEquals(await Deno.readFile(`${a}/${name}`), await Deno.readFile(`${b}/${name}`), name);
  }
}

const RUNS: Readonly<Record<string, readonly string[]>> = {
  "sums, masks and deviations": ["com", "stddev", "sum", "annular:ri=1,ro=4"],
  "a first pass before, a last step behind": ["cluster:n=3,features=6"],
  "a region of interest": ["sumsig", "sum", "--roi", "3:11,2:23"],
};

for (const [name, words] of Object.entries(RUNS)) {
  Deno.test(`run in shards, then merge: ${name}`, async () => {
    await withFolder(async (folder) => {
      const scan = await scanIn(folder);
      const verb = ["run", ...words.filter((word) => !word.startsWith("--") && !/^\d/.test(word)), scan];
      const flags = words.includes("--roi") ? words.slice(words.indexOf("--roi")) : [];
      const all = [...verb, ...flags, "--partitions", "15", "--workers", "0", "--quiet"];
      const local = await cli([...all, "-o", `${folder}/local/`]);
      assertEquals(local.code, 0, local.err);
      for (const n of [1, 3, 7]) {
        const store = `dir:${folder}/store${n}`;
        const shards = Array.from({ length: n }, (_, i) => (i * 2) % n + 1); // not in order
        for (const i of [...shards, 1]) {
          const { code, err } = await cli([...all, "--store", store, "--shard", `${i}/${n}`]);
          assertEquals(code, 0, err);
        }
        const merged = await cli(["merge", store, "-o", `${folder}/merged${n}/`, "--quiet"]);
        assertEquals(merged.code, 0, merged.err);
        await sameFiles(`${folder}/local`, `${folder}/merged${n}`);
      }
    });
  });
}

Deno.test("merge names what is missing, keeps what it could merge, and goes on when it comes", async () => {
  await withFolder(async (folder) => {
    const scan = await scanIn(folder);
    const all = ["run", "sum", "stddev", scan, "--partitions", "15", "--workers", "0", "--quiet"];
    const store = `dir:${folder}/store`;
    assertEquals((await cli([...all, "--store", store, "--shard", "2/3"])).code, 0);
    const early = await cli(["merge", store, "-o", `${folder}/out/`, "--quiet", "--json"]);
    assertEquals(early.code, 1);
    const [{ missing }] = early.json() as [{ missing: string[] }];
    assertEquals(missing, ["0.0", "0.1", "0.2", "0.3", "0.4", "0.10", "0.11", "0.12", "0.13", "1.7"]);
    for (const shard of ["1/3", "3/3"]) {
      assertEquals((await cli([...all, "--store", store, "--shard", shard])).code, 0);
    }
    assertEquals((await cli(["merge", store, "-o", `${folder}/out/`, "--quiet"])).code, 0);
    assertEquals((await cli([...all, "-o", `${folder}/local/`])).code, 0);
    await sameFiles(`${folder}/local`, `${folder}/out`);
  });
});

Deno.test("what cannot be right is refused, with exit codes as of all commands", async () => {
  await withFolder(async (folder) => {
    const scan = await scanIn(folder);
    const run = (...more: string[]) => cli(["run", "sum", scan, "--workers", "0", "--quiet", ...more]);
    const store = `dir:${folder}/store`;
    for (
      const [words, code, message] of [
        [["--shard", "1/3"], 2, /--shard needs a store/],
        [["--store", store, "--shard", "4/3"], 2, /no shard 4 of 3/],
        [["--store", store, "--shard", "0/3"], 2, /no shard 0 of 3/],
        [["--store", store, "--shard", "x"], 2, /is not a shard/],
        [["--store", store, "--shard", "auto"], 2, /no scheduler has set an index/],
        [["--store", store, "--shard", "1/3", "-o", "x.npy"], 2, /no results of its own/],
        [["--store", "ftp://x"], 1, /is not a store/],
      ] as const
    ) {
      const { code: found, err } = await run(...words);
      assertEquals(found, code, err);
      assertMatch(err, message);
    }
    assertEquals((await run("--store", store, "--shard", "1/1")).code, 0);
    const other = await cli(["run", "stddev", scan, "--workers", "0", "--store", store, "--quiet"]);
    assertEquals(other.code, 1);
    assertMatch(other.err, /\[conflict\] dir:\S+ has another run: (kernels, )?what, results differ/);
    const none = await cli(["merge", `dir:${folder}/none`, "-o", `${folder}/out/`]);
    assertEquals(none.code, 1);
    assertMatch(none.err, /\[not-found\] There is no run in dir:/);
  });
});

Deno.test("merge imports modules that are allowed, with what they import, and no others", async () => {
  await withFolder(async (folder) => {
    const scan = await scanIn(folder);
    const udf = 'export default { name: "mine", buffers: { t: { kind: "nav", dtype: "float64" } }, ' +
      "processFrame({ data }, { t }) { t[0] = factor * data[0]; } };\n";
    await Deno.writeTextFile(`${folder}/mine.js`, `import { factor } from "./factor.js";\n${udf}`);
    await Deno.writeTextFile(`${folder}/factor.js`, "export const factor = 3;\n");
    const store = `dir:${folder}/store`;
    const words = ["run", `${folder}/mine.js`, scan, "--workers", "0", "--quiet"];
    const shard = await cli([...words, "--store", store, "--shard", "1/1"]);
    assertEquals(shard.code, 0, shard.err);
    const merge = (...flags: string[]) =>
      cli(["merge", store, "-o", `${folder}/merged/`, "--workers", "0", "--quiet", ...flags]);
    for (const flags of [[], [`--allow-modules=${folder}/factor.js`]]) {
      const { code, err } = await merge(...flags);
      assertEquals(code, 1);
      assertMatch(err, /\[permission\] Cannot use dir:\S+: it names the module \S+(mine|factor)\.js, /);
    }
    const { code, err } = await merge(`--allow-modules=${folder}/mine.js`);
    assertEquals(code, 0, err);
    assertEquals((await cli([...words, "-o", `${folder}/local/`])).code, 0);
    await sameFiles(`${folder}/local`, `${folder}/merged`);
  });
});
