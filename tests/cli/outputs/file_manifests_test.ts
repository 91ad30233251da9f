/** Manifests of the verbs whose results are files: written with them, said again, and never left beside other results. */

import { cp } from "node:fs/promises";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { VERBS } from "../../../src/cli/main.ts";
import { replaceWriteCalls, writeCalls } from "../../../src/io/write/calls.ts";
import { digestOf } from "../../views/sinks/data.ts";
import { pathOf, writeObservation } from "../../observations/expected.ts";
import { share } from "../../suite/cases.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

/** A verb: its command for the result `out`, and the input that decides the result. */
interface Row {
  readonly verb: string;
  /** The words of a command, after the verb. */
  words(folder: string, out: string): string[];
  /** Names of results. */
  readonly outs: readonly string[];
  /** Makes the inputs in a folder; other samples for every `seed`. */
  inputs(folder: string, seed: number): Promise<void>;
  /** Whether it takes `--workers`. */
  readonly hasWorkers: boolean;
}

type Inputs = Row["inputs"];

/** Makes inputs once per seed, and copies them afterwards. */
function once(make: Inputs): Inputs {
  const made = new Map<number, Promise<string>>();
  Deno.test.afterAll(async () => {
    for (const folder of made.values()) await Deno.remove(await folder, { recursive: true });
  });
  const makeIn = async (seed: number) => {
    const folder = await Deno.makeTempDir({ prefix: "tilewise-" });
    await make(folder, seed);
    return folder;
  };
  return async (folder, seed) => {
    const from = made.get(seed) ?? makeIn(seed);
    made.set(seed, from);
    await cp(await from, folder, { recursive: true });
  };
}

async function writeScan(folder: string, seed: number): Promise<void> {
  const samples = Uint16Array.from({ length: 3 * 4 * 20 * 24 }, (_, i) => (7 * i * i + seed * i) % 3001);
  await writeNpy(`${folder}/scan.npy`, "<u2", [3, 4, 20, 24], new Uint8Array(samples.buffer));
  await writeNpy(`${folder}/dark.npy`, "<f4", [20, 24], new Uint8Array(4 * 20 * 24));
}

/** An observation of a sky whose points are brighter for every seed. */
const writeModel = once(async (folder, seed) => {
  await writeObservation(folder);
  await writeSky(folder, seed);
  const words = ["predict", `${folder}/sky.txt`, `${folder}/day.ms`, "-o", `${folder}/model.zarr`, "--quiet"];
  const { code, err } = await cli([...words, "--no-manifest"]);
  assertEquals(code, 0, err);
});

const ROWS: readonly Row[] = [
  {
    verb: "convert",
    words: (folder, out) => [`${folder}/scan.npy`, out],
    outs: [
      ...["a.npy", "a.raw", "a.mib", "a.tif", "a.fits", "a.hspy", "a.emd", "a.nxs"],
      ...["a.zspy", "a.zarr", "a.ome.zarr", "a.zarr.zip", "a.ome.tif"],
    ],
    inputs: writeScan,
    hasWorkers: true,
  },
  {
    verb: "convert",
    words: (folder, out) => [`${folder}/scan.npy`, out, "--roi", "0:2,1:3", "--dark", `${folder}/dark.npy`],
    outs: ["a.npy", "a.tif"],
    inputs: writeScan,
    hasWorkers: true,
  },
  {
    verb: "convert",
    words: (folder, out) => [`${folder}/scan.npy`, out, "--out-dtype", "float32"],
    outs: ["a.npy", "a.hspy", "a.zarr"],
    inputs: writeScan,
    hasWorkers: true,
  },
  {
    verb: "pick",
    words: (folder, out) => [`${folder}/scan.npy`, "-o", out, "--at", "1,2"],
    outs: ["a.npy", "a.png", "a.csv", "a.tif"],
    inputs: writeScan,
    hasWorkers: false,
  },
  {
    verb: "predict",
    words: (folder, out) => [`${folder}/sky.txt`, `${folder}/day.ms`, "-o", out],
    outs: ["a.npy", "a.ps.zarr", "a.zarr"],
    inputs: async (folder, seed) => {
      await writeObservation(folder);
      await writeSky(folder, seed);
    },
    hasWorkers: true,
  },
  {
    verb: "image",
    words: (folder, out) => [`${folder}/model.zarr`, "-o", out, "--pixels", "32"],
    outs: ["a.png", "a.fits", "a.npy"],
    inputs: writeModel,
    hasWorkers: true,
  },
  {
    verb: "image",
    words: (folder, out) => [`${folder}/model.zarr`, "-o", out, "--pixels", "24x32", "--bands", "each"],
    outs: ["a.npy"],
    inputs: writeModel,
    hasWorkers: true,
  },
];

async function writeSky(folder: string, seed: number): Promise<void> {
  const sky = await Deno.readTextFile(`${folder}/sky.txt`);
  await Deno.writeTextFile(`${folder}/sky.txt`, sky.replace(/\d(?=\D*$)/, String(seed)));
}

const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

async function done(...words: string[]): Promise<Record<string, unknown>> {
  const { code, err, json } = await cli([...words, "--quiet", "--json"]);
  assertEquals(code, 0, `${words.join(" ")}: ${err}${JSON.stringify(json())}`);
  return json()[0]!;
}

/**
 * Calls `body` with each row, each name of a result (or the last, which is written in another way than the first; in the gate the
 * rows take turns), and a folder with the inputs and an empty one for results.
 */
async function forEachResult(
  body: (row: Row, folder: string, out: string) => Promise<void>,
  { hasAll = false } = {},
): Promise<void> {
  for (const [n, row] of ROWS.entries()) {
    const ends = [...new Set([row.outs.at(-1)!, row.outs[0]!])];
    for (const name of hasAll ? row.outs : share(ends, ends.length, n)) {
      await withFolder(async (folder) => {
        await row.inputs(folder, 3);
        await Deno.mkdir(`${folder}/to`);
        await body(row, folder, `${folder}/to/${name}`);
      });
    }
  }
}

const manifestOf = (out: string) => `${out.replace(/\.npy$/, "")}.run.json`;

Deno.test("a result has a manifest with its digest, and said again it has the same bits and leaves nothing", async () => {
  await forEachResult(async ({ verb, words, hasWorkers, outs }, folder, out) => {
    const manifest = manifestOf(out);
    assertEquals((await done(verb, ...words(folder, out))).manifest, manifest);
    const recorded = JSON.parse(await Deno.readTextFile(manifest));
    assertEquals([recorded.manifest, recorded.results.length], [`tilewise-${verb}-1`, 1]);
    assert(recorded.inputs.length > 0, out);
    const { files } = recorded.results[0];
    assertEquals(files.map((file: string) => Deno.statSync(file).size > 0).includes(false), false);
    const before = await digestOf(`${folder}/to`);
    const isLast = hasWorkers && out.endsWith(`/${outs.at(-1)}`);
    for (const more of [[], ...isLast ? [["--workers", "2", "--memory", "64MiB"]] : []]) {
      const { code, out: told, err } = await cli(["replay", manifest, ...more, "--quiet"]);
      assertEquals([code, err], [0, ""], `${out}: ${told}`);
      assertMatch(told, /same bits/);
    }
    assertEquals(await digestOf(`${folder}/to`), before, out);
  }, { hasAll: true });
});

Deno.test("a Zarr store is one input, however many files it has, and a change of any of them is told", async () => {
  await withFolder(async (folder) => {
    const day = `${folder}/day.zarr`, out = `${folder}/a.npy`;
    await cp(pathOf("small.ps.zarr"), day, { recursive: true });
    await done("image", day, "-o", out, "--pixels", "32");
    const { inputs } = JSON.parse(await Deno.readTextFile(manifestOf(out)));
    assertEquals(inputs.map(({ name }: { name: string }) => name), [day]);
    const chunk = `${day}/small_1/VISIBILITY/c/0/0/0/0`, bytes = await Deno.readFile(chunk);
    bytes[bytes.length >> 1]! ^= 1;
    await Deno.writeFile(chunk, bytes);
    const { err } = await cli(["replay", manifestOf(out), "--quiet"]);
    assertStringIncludes(err, "day.zarr is not the file that the run read");
  });
});

Deno.test("one set of samples has one digest, whatever file it is converted to", async () => {
  await withFolder(async (folder) => {
    const [{ words, outs }] = ROWS as [Row];
    await writeScan(folder, 5);
    const [{ sha256 }] = (await cli(["stats", `${folder}/scan.npy`, "--sha256", "--json"])).json() as [
      Record<string, unknown>,
    ];
    for (const name of outs) {
      const out = `${folder}/${name}`;
      await done("convert", ...words(folder, out));
      const { results } = JSON.parse(await Deno.readTextFile(manifestOf(out)));
      assertEquals(results[0].sha256, sha256, name);
    }
  });
});

Deno.test("replay tells other samples of the source, and that the result differs", async () => {
  await forEachResult(async ({ verb, words, inputs }, folder, out) => {
    await done(verb, ...words(folder, out));
    await inputs(folder, 4);
    const { code, out: told, err } = await cli(["replay", manifestOf(out), "--quiet"]);
    assertEquals(code, 1, err);
    assertMatch(err, /is not the file that the run read/);
    assertMatch(told, /differs/);
  });
});

Deno.test("a result is replaced with its manifest, and loses it where none is asked for", async () => {
  await forEachResult(async ({ verb, words, inputs }, folder, out) => {
    await done(verb, ...words(folder, out));
    const all = names(`${folder}/to`), before = await Deno.readTextFile(manifestOf(out));
    await inputs(folder, 4);
    await done(verb, ...words(folder, out));
    assertEquals(names(`${folder}/to`), all);
    assert(await Deno.readTextFile(manifestOf(out)) !== before);
    const { manifest } = await done(verb, ...words(folder, out), "--no-manifest");
    assertEquals(manifest, undefined);
    assertEquals(names(`${folder}/to`), all.filter((name) => !name.endsWith(".run.json")));
  });
});

/** While it is not disposed of, `late` is called before the part file of a manifest is made, when results are complete. */
async function beforeManifests(late: () => void): Promise<Disposable> {
  const system = await writeCalls();
  return replaceWriteCalls({
    ...system,
    create: (path, mode) => {
      if (path.includes("run.json")) late();
      return system.create(path, mode);
    },
  });
}

Deno.test("a manifest that cannot be written leaves neither itself nor its result, and an older set as it was", async () => {
  await forEachResult(async ({ verb, words, inputs }, folder, out) => {
    const full = () => {
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    };
    for (const isThere of [false, true]) {
      if (isThere) await done(verb, ...words(folder, out));
      const before = await digestOf(`${folder}/to`);
      await inputs(folder, 5);
      using _ = await beforeManifests(full);
      const { code, err } = await cli([verb, ...words(folder, out), "--quiet"]);
      assert(code === 1 && /\[\S+\] /.test(err), `${out}: ${err}`);
      assertEquals(await digestOf(`${folder}/to`), before, out);
    }
  });
});

Deno.test("a command that is stopped leaves neither a result nor a manifest", async () => {
  await forEachResult(async ({ verb, words }, folder, out) => {
    const stop = new AbortController();
    stop.abort();
    const { code } = await cli([verb, ...words(folder, out), "--quiet"], { signal: stop.signal });
    assertEquals([code, names(`${folder}/to`)], [130, []], out);
    const late = new AbortController();
    using _ = await beforeManifests(() => late.abort());
    const { code: second } = await cli([verb, ...words(folder, out), "--quiet"], { signal: late.signal });
    assertEquals([second, names(`${folder}/to`)], [130, []], out);
  });
});

Deno.test("any field of such a manifest that is wrong is named", async () => {
  await withFolder(async (folder) => {
    await writeScan(folder, 3);
    await done("convert", `${folder}/scan.npy`, `${folder}/a.npy`);
    const manifest = JSON.parse(await Deno.readTextFile(`${folder}/a.run.json`));
    for (const key of Object.keys(manifest)) {
      for (const value of [7, null, undefined, "x", [1]]) {
        await Deno.writeTextFile(`${folder}/b.run.json`, JSON.stringify({ ...manifest, [key]: value }));
        const { code, err } = await cli(["replay", `${folder}/b.run.json`, "--quiet"]);
        const isText = value === "x" && key === "version";
        const isFault = code === 1 && /\[malformed\] Cannot replay \S+b\.run\.json/.test(err);
        assert(isText ? code === 0 : isFault, `${key}: ${JSON.stringify(value)}: ${err}`);
      }
    }
    await Deno.writeTextFile(
      `${folder}/b.run.json`,
      JSON.stringify({ ...manifest, command: { ...manifest.command, arguments: ["--nav"] } }),
    );
    assertStringIncludes((await cli(["replay", `${folder}/b.run.json`])).err, "its command is none");
  });
});

Deno.test("every verb that may leave a manifest has a row here; those of map and run are tested with them", async () => {
  const verbs = await Promise.all(VERBS.map((entry) => entry.load()));
  const leaving = verbs.filter(({ flags }) => flags.some(({ name }) => name === "no-manifest"));
  const expected = leaving.map(({ name }) => name).filter((name) => !["map", "run"].includes(name));
  assertEquals([...new Set(ROWS.map(({ verb }) => verb))].toSorted(), expected.toSorted());
});
