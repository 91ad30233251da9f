/** Cubes in parts: the bits of `run`. */

import "../fences/mod.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { processExecutor } from "../../src/executor/process/executor.ts";
import { toMemory, toNpy } from "@tilewise/tilewise/hypercube";
import { run as runCube } from "../../src/run.ts";
import type { CubeProblem } from "@tilewise/tilewise/unstable/hypercube";
import { type Context, createContext } from "../../src/runner/context.ts";
import type { NDArray } from "../../src/space/ndarray.ts";
import { commitCube } from "../../src/cluster/kinds/cube.ts";
import { openCube } from "../../src/cluster/kinds/cube_opened.ts";
import { workOf } from "../../src/cluster/manifest/work.ts";
import { computeInto } from "../../src/cluster/shards/compute.ts";
import { storeConversion, storeCube } from "../../src/cluster/shards/create.ts";
import { mergeCube, mergeInto, mergeRun } from "../../src/cluster/shards/merge.ts";
import { readyRun } from "../../src/cluster/shards/ready.ts";
import { parseShard, unitsOfShard } from "../../src/cluster/shards/share.ts";
import { openStore } from "../../src/cluster/store/open.ts";
import { partName } from "../../src/cluster/store/node.ts";
import { memoryStore } from "./memory/store.ts";
import { cli, withFolder, writeNpy } from "../cli/harness.ts";
import { pathOf } from "../observations/expected.ts";
import { digestOf } from "../views/sinks/data.ts";
import { imported, rows } from "./cube_module.ts";
import { onEngine } from "./on_engine.ts";

const MODULE = import.meta.resolve("./cube_module.ts");
const TABLE = Float64Array.from({ length: 97 }, (_, i) => Math.sin(i * i) * 10 ** (i % 9));
const PARAMS = { n: 500, table: TABLE };

/** What `run` gives, as bytes by the names of outputs. */
async function solved({ cube, plan, ...problem }: CubeProblem, context: Context) {
  const names = [...cube.arrays.values()].filter(({ role }) => role === "output").map(({ name }) => name);
  const memory = toMemory(...names);
  await runCube(cube, { ...problem, sinks: [memory], plan: { ...plan, context } });
  return bytesOf(Object.fromEntries(names.map((name) => [name, memory.array(name)])));
}

function bytesOf(arrays: Readonly<Record<string, NDArray>>) {
  return Object.entries(arrays).map(([name, { data, shape, dtype }]) => {
    return [name, shape, dtype, [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)]];
  });
}

Deno.test("a cube in 1, 3 and 7 shards: the bits of run, merged outputs too; sinks get them", async () => {
  await withFolder(async (folder) => {
    await using context = createContext({ workers: 0, memory: "1MiB" });
    const expected = await solved(rows(PARAMS), context);
    for (const n of [1, 3, 7]) {
      const store = memoryStore();
      const options = { export: "rows", params: PARAMS, context };
      const { manifest } = await storeCube(store, MODULE, options);
      await storeCube(store, MODULE, options); // as all shards do
      for (let i = n; i > 0; i--) {
        await using run = await readyRun(store, { context });
        for (const unit of unitsOfShard(workOf(manifest), parseShard(`${i}/${n}`))) {
          assert(await computeInto(store, run, unit) === "new");
        }
      }
      await using run = await readyRun(store, { context });
      assertEquals(bytesOf(await mergeRun(store, run) as Record<string, NDArray>), expected, String(n));
      if (n > 1) continue;
      await mergeCube(store, run, [toNpy({ vis: `${folder}/vis.npy` })]);
      await using plain = createContext({ workers: 0, memory: "1MiB" });
      const { cube, plan, ...problem } = rows(PARAMS);
      const sinks = [toNpy({ vis: `${folder}/local.npy` })];
      await runCube(cube, { ...problem, sinks, plan: { ...plan, context: plain } });
      assertEquals(await Deno.readFile(`${folder}/vis.npy`), await Deno.readFile(`${folder}/local.npy`));
      const wrong = await assertRejects(() => mergeInto(store, run, "all.npy"), TilewiseError);
      assertMatch(wrong.message, /has the outputs rows, total, vis/);
    }
  });
});

Deno.test("machines with more and with less memory compute the tiles of the first one", async () => {
  await using large = createContext({ workers: 0, memory: "64MiB" });
  await using small = createContext({ workers: 0, memory: "16KiB" });
  const store = memoryStore();
  const options = { export: "imported", params: { n: 3000 } };
  const { manifest, digest } = await storeCube(store, MODULE, { ...options, context: large });
  assertEquals((await storeCube(store, MODULE, { ...options, context: small })).digest, digest);
  await using run = await readyRun(store, { context: small });
  for (const unit of workOf(manifest).units) await computeInto(store, run, unit);
  const found = bytesOf(await mergeRun(store, run) as Record<string, NDArray>);
  assertEquals(found, await solved(imported({ n: 3000 }), large));
  const shared = memoryStore();
  const both = [large, small].map((context) => storeCube(shared, MODULE, { ...options, context }));
  const [first, second] = await Promise.all(both); // whoever is faster
  assertEquals(first?.digest, second?.digest);
});

Deno.test("cubes on worker processes and on an engine, whose workers say which modules they run", async () => {
  await withFolder(async (folder) => {
    await using inline = createContext({ workers: 0 });
    const expected = await solved(imported({ n: 400 }), inline);
    const store = await openStore(`dir:${folder}/store`);
    const planned = await storeCube(store, MODULE, { export: "imported", params: { n: 400 } });
    assertEquals(
      planned.manifest.modules.filter(({ url }) => url.startsWith("file:")).map(({ url }) =>
        url.replace(/.*\//, "")
      ),
      [
        "cube_module.ts",
        "module_kernels.ts",
      ],
    );
    await using executor = processExecutor({ workers: 1 });
    await using context = createContext({ executor, memory: "8MiB" });
    const wary = await assertRejects(() => onEngine(store, planned, context), TilewiseError);
    assertEquals(wary.code, "permission");
    await onEngine(store, planned, context, ["./", "../hypercube/"].map((one) => new URL(one, MODULE).href));
    await using run = await readyRun(store, { context: inline });
    assertEquals(bytesOf(await mergeRun(store, run) as Record<string, NDArray>), expected);
  });
});

Deno.test("cubes that cannot travel, or are others elsewhere, are refused by name", async () => {
  await withFolder(async (folder) => {
    await using context = createContext({ workers: 0 });
    const store = memoryStore();
    const refused = async (promise: () => Promise<unknown>, code: string, text: RegExp) => {
      const error = await assertRejects(promise, TilewiseError);
      assertEquals(error.code, code, error.message);
      assertMatch(error.message, text);
    };
    const plan = (name: string, params: Record<string, unknown> = {}) =>
      storeCube(store, MODULE, { export: name, params, context });
    await refused(() => storeCube(store, imported as never), "udf", /export the function from a module/);
    await refused(() => storeCube(store, "./cube.ts"), "udf", /import\.meta\.resolve/);
    await refused(() => plan("none"), "udf", /has no export "none"/);
    await refused(() => plan("nothing"), "udf", /must be a function that returns cube/);
    await refused(() => plan("broken"), "udf", /"broken" of .* failed: .*no such sky/);
    await refused(() => plan("empty"), "udf", /must return cube, kernel and sources; it returned undefined/);
    await refused(() => plan("imported", { n: 9, f: () => 1 }), "unsupported", /cannot travel/);
    const { manifest: { modules } } = await storeCube(memoryStore(), MODULE, { export: "job", context });
    const ofUsers = modules.filter(({ url }) => url.startsWith("file:"));
    const names = ofUsers.map(({ url }) => url.replace(/.*\//, ""));
    assertEquals(names, ["cube_module.ts", "module_kernels.ts", "scale_kernel.ts"]);
    await plan("fickle");
    await refused(() => readyRun(store, { context }), "changed", /other outputs than the manifest says/);
    await refused(() => plan("imported", { n: 9 }), "conflict", /has another run: .*what/);
    const input = `${folder}/input.raw`;
    await Deno.writeFile(input, new Uint8Array(9));
    const other = memoryStore();
    await storeCube(other, MODULE, {
      export: "imported",
      params: { n: 9 },
      inputs: [input, folder],
      context,
    });
    await using run = await readyRun(other, { context });
    const missing = await assertRejects(() => mergeRun(other, run), TilewiseError);
    assertEquals(missing.code, "not-found");
    const [unit] = workOf(run.manifest).units;
    await computeInto(other, run, unit!);
    const bytes = await other.get(await partName(run.digest, unit!));
    const torn = { ...other, get: () => Promise.resolve(bytes!.slice(0, -8)), list: other.list.bind(other) };
    await refused(() => mergeCube(torn as never, run, [toMemory("rows")]), "truncated", /./);
    await Deno.writeFile(input, new Uint8Array(10));
    await refused(() => readyRun(other, { context }), "changed", /input\.raw is not the input/);
    await writeNpy(`${folder}/a.npy`, "<u2", [40, 40], new Uint8Array(3200));
    const converted = memoryStore();
    await storeConversion(converted, `${folder}/a.npy`, "a.zarr", { context });
    await using conversion = await readyRun(converted, { context });
    await refused(() => mergeCube(converted, conversion, []), "unsupported", /is not a cube.*"convert"/);
  });
});

/** Puts a prediction into a store, as a machine with very little memory would: the others take its tiles. */
async function inSmallTiles(url: string, sky: string, observation: string): Promise<void> {
  const options = { precision: "mixed", convention: "casa" } as const;
  const spec = { from: "observation", sky, observation, open: {}, asRows: true, options } as const;
  await using context = createContext({ workers: 0 });
  await using opened = await openCube(spec, context, undefined);
  const plan = { ...opened.problem.plan, largestTile: 1 };
  const small = { ...opened, problem: { ...opened.problem, plan } };
  const { run, plan: tiles } = await commitCube(
    await openStore(url),
    { spec, opened: small },
    context,
    undefined,
  );
  assertEquals(await tiles.parts(), run.manifest.work.units.length);
}

/** Measurement Sets say when they were written. */
async function forgetDates(path: string): Promise<void> {
  if (!path.endsWith(".zarr")) return;
  for (const file of [`${path}/zarr.json`, `${path}/model_0/zarr.json`]) {
    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "then"));
  }
}

Deno.test("tilewise predict in shards, then merge: the files of one machine", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/sky.csv`, "Name,Ra,Dec,I\na,71.62,-28.65,1.5\nb,71.7,-28.6,0.5\n");
    const words = ["predict", `${folder}/sky.csv`, pathOf("small.ms"), "--workers", "0", "--quiet"];
    const cases: readonly (readonly [name: string, flags: readonly string[], shards: number])[] = [
      ["model.npy", ["--precision", "mixed"], 3],
      ["model.ps.zarr", ["--field", "target", "--data-description", "1"], 7],
    ];
    for (const [name, flags, n] of cases) {
      const all = [...words, ...flags];
      const store = `dir:${folder}/store-${name}`;
      if (name.endsWith(".npy")) await inSmallTiles(store, `${folder}/sky.csv`, words[2]!);
      const local = await cli([...all, "-o", `${folder}/${name}`]);
      assertEquals(local.code, 0, local.err);
      for (let i = n; i > 0; i--) {
        const words = ["-o", name, "--store", store, "--shard", `${i}/${n}`];
        const { code, err } = await cli([...all, ...words]);
        assertEquals(code, 0, err);
      }
      const parts = [...Deno.readDirSync(`${folder}/store-${name}/parts`)].length;
      assertEquals(parts, name.endsWith(".npy") ? 12 : 1);
      const merged = await cli(["merge", store, "-o", `${folder}/merged/${name}`]);
      assertEquals(merged.code, 0, merged.err);
      for (const place of [folder, `${folder}/merged`]) await forgetDates(`${place}/${name}`);
      assertEquals(await digestOf(`${folder}/merged/${name}`), await digestOf(`${folder}/${name}`));
    }
  });
});
