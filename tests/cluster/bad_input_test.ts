/** Parts that are torn, damaged or foreign, manifests that were edited, inputs and code that are others: typed errors. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { sumFrames } from "../../src/udf/builtin/sum_frames.ts";
import { udf } from "../../src/udf/interface/udf_ref.ts";
import type { Results } from "../../src/udf/interface/buffer_types.ts";
import { openUdfs } from "../../src/cluster/kinds/udf.ts";
import { checkHere } from "../../src/cluster/manifest/check.ts";
import { readManifest } from "../../src/cluster/manifest/read.ts";
import { workOf } from "../../src/cluster/manifest/work.ts";
import { computeInto, readPart } from "../../src/cluster/shards/compute.ts";
import { mergeCube, mergeRun } from "../../src/cluster/shards/merge.ts";
import { readyRun } from "../../src/cluster/shards/ready.ts";
import { partName } from "../../src/cluster/store/node.ts";
import { memoryStore } from "./memory/store.ts";
import { decodePart, encodePart } from "../../src/cluster/store/part.ts";
import type { PartStore } from "../../src/cluster/store/store.ts";
import { digests } from "../udf/builtin/every_builtin.ts";
import { withFolder } from "../cli/harness.ts";
import { smallRun } from "./small_run.ts";

/** The store with other bytes under some names. */
function withBytes(
  store: PartStore,
  change: (name: string, bytes: Uint8Array<ArrayBuffer>) => Uint8Array,
): PartStore {
  return {
    ...store,
    async get(name) {
      const bytes = await store.get(name);
      return bytes && new Uint8Array(change(name, bytes));
    },
  };
}

async function codeOf(work: () => Promise<unknown>): Promise<string> {
  const error = await assertRejects(work, TilewiseError);
  assert(error.message.length > 40, error.message);
  return error.code;
}

Deno.test("a part that is cut anywhere, or has any bit flipped, is refused; nothing of it is merged", async () => {
  const part = {
    run: "r",
    node: { level: 1, index: 2 },
    arrays: { a: Float64Array.of(1, 2), "0/b": Uint8Array.of(3) },
    values: { pieces: [] },
  };
  const bytes = await encodePart(part);
  const expected = { file: "x", run: "r", node: part.node };
  assertEquals(await decodePart(bytes, expected), part);
  for (let length = 0; length < bytes.length; length++) {
    const code = await codeOf(() => decodePart(bytes.slice(0, length), expected));
    assertEquals(code, "truncated", `${length}`);
  }
  for (let bit = 0; bit < 8 * bytes.length; bit += 3) {
    const flipped = bytes.slice();
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    const code = await codeOf(() => decodePart(flipped, expected));
    assert(["malformed", "truncated", "unsupported"].includes(code), `${bit}: ${code}`);
  }
  assertEquals(await codeOf(() => decodePart(bytes, { ...expected, run: "s" })), "conflict");
  assertEquals(
    await codeOf(() => decodePart(bytes, { ...expected, node: { level: 1, index: 3 } })),
    "conflict",
  );
});

Deno.test("what is not a sink of a cube is refused before anything else", async () => {
  for (const sinks of [5, "out"]) {
    const error = await assertRejects(
      () => mergeCube(memoryStore(), {} as never, sinks as never),
      TilewiseError,
    );
    assertEquals([error.code, error.message.includes("sinks")], ["invalid", true], error.message);
  }
});

Deno.test("merge refuses a torn, a flipped and a foreign part by name, and succeeds when it is computed again", async () => {
  await withFolder(async (folder) => {
    await using small = await smallRun(folder);
    const { store, stored, context } = small;
    await using run = await readyRun(store, { context });
    const { units } = workOf(stored.manifest);
    for (const unit of units) await computeInto(store, run, unit);
    const [first, second] = [await partName(run.digest, units[0]!), await partName(run.digest, units[1]!)];
    const other = (await store.get(second))!;
    const bad: readonly (readonly [string, RegExp, (bytes: Uint8Array) => Uint8Array])[] = [
      ["truncated", /Part \d\.0 .* is torn/, (bytes) => bytes.slice(0, -1)],
      ["malformed", /Part \d\.0 .* is damaged/, (bytes) => bytes.with(bytes.length - 9, bytes.at(-9)! ^ 4)],
      ["conflict", /belongs to another node/, () => other],
    ];
    for (const [code, message, change] of bad) {
      const broken = withBytes(store, (name, bytes) => name === first ? change(bytes) : bytes);
      const error = await assertRejects(() => mergeRun(broken, run), TilewiseError, "delete it");
      assertEquals(error.code, code);
      assertMatch(error.message, message);
    }
    assertEquals(await digests(await mergeRun(store, run) as Results), small.expected);
  });
});

Deno.test("an edited or missing manifest, a missing array, another version: refused before anything is computed", async () => {
  await withFolder(async (folder) => {
    await using small = await smallRun(folder);
    const { store, stored: { manifest }, context } = small;
    const edit = (from: string, to: string) =>
      withBytes(store, (_, bytes) => {
        const text = new TextDecoder().decode(bytes);
        assert(text.includes(from));
        return new TextEncoder().encode(text.replace(from, to));
      });
    assertEquals(await codeOf(() => readManifest(edit('"leaf":32', '"leaf":16'))), "malformed");
    assertEquals(await codeOf(() => readManifest(edit("{", "["))), "malformed");
    assertEquals(
      await codeOf(() => readManifest(edit("tilewise-cluster-1", "tilewise-cluster-2"))),
      "unsupported",
    );
    assertEquals(await codeOf(() => readManifest(memoryStore())), "not-found");
    assertEquals(await codeOf(() => checkHere({ ...manifest, tilewise: "9.9.9" })), "unsupported");
    assertEquals(await codeOf(() => checkHere({ ...manifest, runtime: "deno 1.0.0" })), "unsupported");
    const kernels = { ...manifest.kernels, sha256: "0" };
    assertEquals(await codeOf(() => checkHere({ ...manifest, kernels })), "unsupported");
    await using run = await readyRun(store, { context });
    assertEquals(await codeOf(() => readPart(store, run.digest, { level: 9, index: 0 })), "not-found");
  });
});

Deno.test("an input that was written again, also with the same size and ends, is refused by name", async () => {
  await withFolder(async (folder) => {
    await using small = await smallRun(folder);
    const { store, context, source } = small;
    const bytes = await Deno.readFile(source);
    await Deno.writeFile(source, bytes.with(bytes.length >> 1, 1));
    const error = await assertRejects(() => readyRun(store, { context }), TilewiseError, source);
    assertEquals(error.code, "changed");
    assertMatch(error.message, /Nothing was computed/);
  });
});

Deno.test("a module, or one that it imports, that has changed is refused by name", async () => {
  await withFolder(async (folder) => {
    const write = (name: string, text: string) => Deno.writeTextFile(`${folder}/${name}`, text);
    await write("scale.ts", "export const scale = 2;\n");
    await write(
      "mine.ts",
      `import { scale } from "./scale.ts";
export default { name: "mine", buffers: { most: { kind: "nav", dtype: "float32" } },
  processFrame({ data }, { most }) { most[0] = scale * Math.max(...data); } };\n`,
    );
    const mine = udf(new URL(`file://${folder}/mine.ts`));
    await using small = await smallRun(folder, memoryStore(), { mine });
    const { store, stored: { manifest }, context } = small;
    assertEquals(manifest.modules.map(({ url }) => url.replace(/.*\//, "")), ["mine.ts", "scale.ts"]);
    await using run = await readyRun(store, { context });
    for (const unit of workOf(manifest).units) await computeInto(store, run, unit);
    assertEquals(await digests(await mergeRun(store, run) as Results), small.expected);
    const unlisted = { manifest: { ...manifest, modules: [] }, digest: run.digest };
    assertEquals(await codeOf(() => openUdfs({ store, manifest: unlisted.manifest, context })), "malformed");
    await write("scale.ts", "export const scale = 3;\n");
    const error = await assertRejects(() => checkHere(manifest), TilewiseError, "scale.ts");
    assertEquals(error.code, "changed");
  });
});

Deno.test("a closure is refused when the run is planned", async () => {
  await withFolder(async (folder) => {
    const closure = { ...(await import("../udf/own_udf.ts")).deep, name: "closure" };
    const error = await assertRejects(
      () => smallRun(folder, memoryStore(), { sum: sumFrames(), closure }),
      TilewiseError,
      "cannot travel to other machines",
    );
    assertEquals(error.code, "udf");
  });
});

Deno.test("two machines that compute different bytes for one part: the second is told, nothing is replaced", async () => {
  await withFolder(async (folder) => {
    await using small = await smallRun(folder);
    const { store, stored, context } = small;
    await using run = await readyRun(store, { context });
    const [unit] = workOf(stored.manifest).units;
    const late: PartStore = { ...store, has: () => Promise.resolve(false) }; // both look before either commits
    assertEquals(await computeInto(late, run, unit!), "new");
    assertEquals(await computeInto(late, run, unit!), "same");
    const odd = {
      ...run,
      digest: run.digest,
      compute: async () => {
        const part = await run.compute(unit!);
        return { ...part, values: { ...part.values as object, odd: 1 } };
      },
    };
    const error = await assertRejects(() => computeInto(late, odd as never, unit!), TilewiseError);
    assertEquals(error.code, "conflict");
    assertMatch(error.message, /not deterministic/);
  });
});
