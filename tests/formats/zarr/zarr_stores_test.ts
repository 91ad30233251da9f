/**
 * Stores of Zarr: what is missing, what has changed, what leads out of them, and how servers are asked.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { unzipSync } from "fflate";
import { createContext, open as openFace, plan, run, sumFrames } from "../../../mod.ts";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { openAllStored as openAll, type OpenOptions, openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { cli, withFolder } from "../../cli/harness.ts";
import { rightAnswer, serve } from "../../io/range_server.ts";
import { chunksOf } from "../chunks_of.ts";
import { failure } from "../helpers.ts";
import { ALL, edited, ONE_SHARD, samplesOf, serving, smallStore } from "./stores.ts";
import { type Entries, listed, written, zipped } from "./writer.ts";

Deno.test("a missing chunk has the fill value, from a folder and from servers that say 404 or 403", async () => {
  const entries = smallStore();
  entries.delete("c/1/0");
  const expected = ALL.map((n) => n >= 16 && n < 32 && n % 8 < 4 ? 9 : n);
  await withFolder(async (folder) => {
    assertEquals(await samplesOf(await written(entries, `${folder}/a.zarr`)), expected);
  });
  for (const status of [404, 403]) {
    await using server = serving(entries, status);
    assertEquals(await samplesOf(new URL("/store.zarr/", server.url)), expected);
  }
});

/** What a page at `page` reads: its thread has no files, and an address of its own. */
async function readInPage(page: URL, sources: readonly string[]): Promise<number[]> {
  const script = `
    const { log } = console;
    delete globalThis.Deno;
    Object.defineProperty(globalThis, "process", { value: undefined });
    const { createContext, open, plan, run, sumFrames } = await import(${
    JSON.stringify(import.meta.resolve("../../../mod.ts"))
  });
    await using context = createContext({ workers: 0 });
    const sums = [];
    for (const source of ${JSON.stringify(sources)}) {
      const { it } = await run(await plan(await open(source, { navAxes: [0], sigAxes: [1] }), { it: sumFrames() }, { context }));
      sums.push(it.intensity.data.reduce((sum, value) => sum + value));
    }
    log(JSON.stringify(sums));`;
  const args = ["run", "-A", "--location", page.href, `data:text/javascript,${encodeURIComponent(script)}`];
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assertEquals(err, "");
  return JSON.parse(out!);
}

Deno.test("in a page, addresses are relative to it or to the root of its server", async () => {
  await using server = serving(smallStore());
  const total = ALL.reduce((sum, value) => sum + value);
  const sources = [
    "/store.zarr",
    "/store.zarr/",
    "../store.zarr",
    "/store.zarr/zarr.json",
    new URL("/store.zarr", server.url).href,
  ];
  const found = await readInPage(new URL("/pages/index.html", server.url), sources);
  assertEquals(found, sources.map(() => total));
});

Deno.test("403 for a chunk is an error where the server says 404 for what is missing", async () => {
  const entries = smallStore();
  await using server = serve((question) => {
    const key = question.path.replace(/^\/store\.zarr\//, "");
    if (key === "c/1/0") return { status: 403, body: new Uint8Array() };
    const bytes = entries.get(key);
    return bytes ? rightAnswer(bytes, question) : { status: 404, body: new Uint8Array() };
  });
  const error = await failure(samplesOf(new URL("/store.zarr", server.url)), "permission");
  assertStringIncludes(error.message, "c/1/0");
});

Deno.test("a server is asked once for the document and once for each chunk, several at a time", async () => {
  await using server = serving(smallStore());
  assertEquals(await samplesOf(new URL("/store.zarr/", server.url)), ALL);
  const paths = server.questions.map(({ path }) => path.replace("/store.zarr/", ""));
  assertEquals(paths.filter((path) => path.startsWith("c/")).toSorted(), [
    "c/0/0",
    "c/0/1",
    "c/1/0",
    "c/1/1",
    "c/2/0",
    "c/2/1",
  ]);
});

Deno.test("the index of a shard is read once, and its chunks with few requests", async () => {
  await using server = serving(smallStore(ONE_SHARD));
  assertEquals(await samplesOf(new URL("/store.zarr/", server.url)), ALL);
  const ranges = server.questions.filter(({ path }) => path.endsWith("/c/0/0")).map(({ range }) => range);
  assertEquals(ranges, [{ start: 0, stop: 2 }, { start: 48, stop: 144 }, { start: 0, stop: 48 }]);
});

Deno.test("a query of a URL is sent with every request, and is not shown", async () => {
  const entries = smallStore();
  await using server = serve((question) => {
    const [path, query] = question.path.split("?");
    const bytes = query === "key=secret" ? entries.get(path!.replace(/^\/store\.zarr\//, "")) : undefined;
    return bytes ? rightAnswer(bytes, question) : { status: 404, body: new Uint8Array() };
  });
  const url = new URL("/store.zarr/?key=secret", server.url);
  assertEquals(await samplesOf(url), ALL);
  entries.set("c/0/1", new Uint8Array(9000));
  const error = await failure(samplesOf(url), "malformed");
  assert(!error.message.includes("secret"), error.message);
});

Deno.test("a store over HTTP is opened by its URL, its URL with a slash, and that of its document", async () => {
  await using server = serving(smallStore());
  for (const path of ["/store.zarr", "/store.zarr/", "/store.zarr/zarr.json"]) {
    assertEquals(await samplesOf(new URL(path, server.url)), ALL);
  }
});

Deno.test("a million chunks cost nothing when a store is opened", async () => {
  await withFolder(async (folder) => {
    const entries = edited(smallStore(), "zarr.json", (json) => {
      json["shape"] = [2_000_000, 8];
    });
    const dataset = await open(await written(entries, `${folder}/a.zarr`));
    const { addresses, sizes, keyed } = chunksOf(dataset);
    assertEquals([dataset.shape, addresses.length, sizes.length, keyed?.prefix], [
      [2_000_000, 8],
      0,
      0,
      "c/",
    ]);
    const { data } = await readBox(dataset, { origin: [4, 0], shape: [4, 8] });
    assertEquals(Array.from(data as Uint8Array), [...ALL.slice(32), ...new Array<number>(16).fill(9)]);
  });
});

Deno.test("a chunk that was changed, removed or added after the opening is an error, on workers too", async () => {
  await using workers = createContext({ workers: 1 });
  for (const change of ["write", "remove", "add"] as const) {
    for (const shards of [{}, ONE_SHARD]) {
      await withFolder(async (folder) => {
        const entries = smallStore({ ...shards, missing: ([a]) => change === "add" && a === 4 });
        const path = await written(entries, `${folder}/a.zarr`);
        const key = "shards" in shards ? "c/0/0" : change === "add" ? "c/2/0" : "c/1/0";
        if ("shards" in shards && change === "add") return;
        const scan = await openFace(path, { sigDims: 1 });
        const planned = await plan(scan, { sum: sumFrames() }, { context: workers });
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (change === "remove") await Deno.remove(`${path}/${key}`);
        else {
          await Deno.mkdir(`${path}/${key}`.replace(/\/[^/]*$/, ""), { recursive: true });
          await Deno.writeFile(`${path}/${key}`, entries.get(key) ?? new Uint8Array(8));
        }
        await failure((async () => await run(planned))(), "changed");
        const again = await open(path, { sigDims: 1 });
        await readBox(again, wholeBox(again.shape));
      });
    }
  }
});

Deno.test("a chunk that a server has changed after the opening is an error", async () => {
  const entries = smallStore();
  let modified = Date.now() - 10_000;
  await using server = serve((question) => {
    const bytes = entries.get(question.path.replace(/^\/store\.zarr\//, ""));
    if (!bytes) return { status: 404, body: new Uint8Array() };
    const answer = rightAnswer(bytes, question);
    const [date, time] = [Date.now(), modified].map((at) => new Date(at).toUTCString());
    const headers = { ...answer.headers, date: date!, "last-modified": time! };
    return { ...answer, headers };
  });
  const dataset = await open(new URL("/store.zarr/", server.url));
  modified = Date.now() + 60_000;
  await failure(readBox(dataset, wholeBox(dataset.shape)), "changed");
});

Deno.test("links and names that lead out of a store are refused; those inside of it are followed", async () => {
  await withFolder(async (folder) => {
    const path = await written(smallStore(), `${folder}/a.zarr`);
    await Deno.writeFile(`${folder}/secret`, new Uint8Array(8).fill(200));
    await Deno.remove(`${path}/c/0/0`);
    await Deno.symlink(`${folder}/secret`, `${path}/c/0/0`);
    const error = await failure(samplesOf(path), "invalid");
    assertEquals(error.details.option, "root");
    assertEquals((await samplesOf(path, { root: folder })).slice(0, 4), [200, 200, 200, 200]);
    await Deno.rename(`${path}/c/1/0`, `${path}/other`);
    await Deno.symlink("../../other", `${path}/c/1/0`);
    await Deno.remove(`${path}/c/0/0`);
    assertEquals((await samplesOf(path)).slice(16, 20), ALL.slice(16, 20));
    await Deno.rename(`${path}/c`, `${folder}/chunks`);
    await Deno.symlink(`${folder}/chunks`, `${path}/c`);
    await failure(samplesOf(path), "invalid");
  });
});

Deno.test("consolidated metadata cannot name what is outside of the store", async () => {
  const group = { zarr_format: 2 };
  const array = JSON.parse(new TextDecoder().decode(smallStore({ version: 2 }).get(".zarray")!));
  for (const name of ["../a", "/etc", "a/../../b", "a//b", "a\\b"]) {
    const metadata = { ".zgroup": group, [`${name}/.zarray`]: array };
    const entries = new Map([[".zmetadata", { metadata, zarr_consolidated_format: 1 }], [".zgroup", group]]
      .map(([key, value]) => [key as string, new TextEncoder().encode(JSON.stringify(value))]));
    const error = await failure(openAll(listed(entries)), "malformed");
    assertStringIncludes(error.message, "leads out of the store");
  }
});

Deno.test("a list of files needs relative names with the document among them", async () => {
  const entries = smallStore();
  assertEquals(await samplesOf(listed(entries, "picked/a.zarr")), ALL);
  assertEquals(await samplesOf(listed(entries).reverse()), ALL);
  const [chunk] = listed(entries);
  const alone = await failure(samplesOf([chunk!]), "malformed");
  assertStringIncludes(alone.message, "has none of the files zarr.json");
  const document = listed(entries).find(({ name }) => name.endsWith("zarr.json"))!;
  const error = await failure(samplesOf(new File([document], "zarr.json")), "invalid");
  assertStringIncludes(error.message, "a list of all its files");
});

Deno.test("an archive of a folder is opened as the folder in it", async () => {
  const entries = new Map([...smallStore()].map(([key, bytes]) => [`a.zarr/${key}`, bytes]));
  assertEquals(await samplesOf(zipped(entries, 0)), ALL);
});

Deno.test("arrays have names with or without a slash, and an unknown one is refused with those that there are", async () => {
  const entries = smallStore({ path: "b/image" }, smallStore({ path: "a" }));
  entries.set("zarr.json", new TextEncoder().encode('{"zarr_format":3,"node_type":"group"}'));
  await withFolder(async (folder) => {
    const path = await written(entries, `${folder}/a.zarr`);
    assertEquals((await openAll(path)).map(({ array }) => array), ["a", "b/image"]);
    for (const array of ["b/image", "/b/image"]) assertEquals(await samplesOf(path, { array }), ALL);
    const error = await failure(open(path, { array: "c" }), "not-found");
    assertStringIncludes(error.message, 'it has "a", "b/image"');
  });
});

Deno.test("the command line reads folders and archives: info, stats, pick", async () => {
  await withFolder(async (folder) => {
    const path = await written(smallStore(), `${folder}/a.zarr`);
    await Deno.writeFile(`${folder}/a.zip`, zipped(smallStore(), 6));
    for (const source of [path, `${folder}/a.zip`, `${path}/`, `${path}/zarr.json`]) {
      const [line] = (await cli(["stats", "--json", source])).json();
      assertEquals([line!.array, line!.shape, line!.sum, line!.sigShape], ["/", [6, 8], 1128, [6, 8]]);
      const [box] = (await cli(["pick", "--json", "--box", "2:3,3:5", source])).json();
      assertEquals(box!.values, [[19, 20]]);
      assertEquals((await cli(["info", "--json", source])).json()[0]!.format, "zarr");
    }
  });
});

/** What a server is asked for when a sample store is opened. */
async function asked(store: string, options: OpenOptions): Promise<[string[], StoredDataset]> {
  const folder = new URL("../../data/zarr/", import.meta.url);
  const entries = Object.entries(unzipSync(Deno.readFileSync(new URL(store, folder))));
  await using server = serving(new Map(entries) as Entries);
  const dataset = await open(new URL("/store.zarr/", server.url), options);
  const paths = server.questions.slice(1).map(({ path }) => path.replace("/store.zarr/", ""));
  return [paths.toSorted(), dataset]; // without the question whether there is a store
}

Deno.test("an array that is named is opened with its levels, and nothing else is asked for", async () => {
  for (const [store, version] of [["ome05.zip", 3], ["ome04.zip", 2]] as const) {
    const [paths, one] = await asked(store, { array: "s1" });
    const documents = version === 3 ? ["zarr.json"] : [".zarray", ".zattrs"];
    const levels = ["s0", "s1", "s2"].flatMap((name) => documents.map((document) => `${name}/${document}`));
    assertEquals(
      paths.filter((path) => /^s\d/.test(path)),
      [...levels, ...version === 2 ? ["s1/zarr.json"] : []].toSorted(),
    );
    assertEquals(paths.filter((path) => /label|axis/.test(path)), []);
    assertEquals([one.array, one.level, one.levels.map(({ shape }) => shape)], ["s1", 1, [
      [2, 32, 48],
      [2, 16, 24],
      [2, 8, 12],
    ]]);
    const [all] = await asked(store, {});
    const below = all.filter((path) => path.includes("/"));
    assertEquals(below.length, new Set(below).size); // each once
    assertEquals(below.filter((path) => path.endsWith("/zarr.json") !== (version === 3)), []);
  }
});

Deno.test("an array that is named is read though the document of another level is damaged", async () => {
  const folder = new URL("../../data/zarr/", import.meta.url);
  const entries: Entries = new Map(
    Object.entries(unzipSync(Deno.readFileSync(new URL("ome05.zip", folder)))) as [
      string,
      Uint8Array<ArrayBuffer>,
    ][],
  );
  entries.set("s0/zarr.json", new TextEncoder().encode("{"));
  const dataset = await open(listed(entries), { array: "s1" });
  const left = [{ array: "s1", shape: [2, 16, 24], scale: [1, 1, 1] }, {
    array: "s2",
    shape: [2, 8, 12],
    scale: [1, 2, 2],
  }];
  assertEquals([dataset.shape, dataset.level, dataset.levels], [[2, 16, 24], 0, left]);
  const whole = await open(listed(entries)); // of those that are left, with what is wrong
  assertEquals([whole.array, whole.levels], ["s1", left]);
  assertStringIncludes(whole.warnings.join(), "s0/zarr.json: it is not JSON");
});

Deno.test("a level that is not there is named, and the others are those of the image", async () => {
  const folder = new URL("../../data/zarr/", import.meta.url);
  for (const store of ["ome05.zip", "ome04.zip"]) {
    const all = Object.entries(unzipSync(Deno.readFileSync(new URL(store, folder))));
    for (
      const [missing, names] of [["s0", ["s1", "s2"]], ["s1", ["s0", "s2"]], ["s2", ["s0", "s1"]]] as const
    ) {
      const entries = new Map(all.filter(([key]) => !key.startsWith(`${missing}/`))) as Entries;
      await using server = serving(entries);
      for (const input of [listed(entries), new URL("/store.zarr/", server.url)]) {
        for (const options of [{}, { array: names[1] }, { level: 1 }] as OpenOptions[]) {
          const dataset = await open(input, options);
          const { array, level, levels, warnings } = dataset;
          const isSecond = options.array !== undefined || options.level !== undefined;
          assertEquals([array, level], [names[Number(isSecond)], Number(isSecond)]);
          assertEquals(levels.map((one) => one.array), [...names]);
          assertStringIncludes(warnings.join(), `names, "${missing}" is not there or cannot be read`);
        }
      }
    }
  }
});

Deno.test("a level that cannot be read is left out as one that is not there, also where another one is named", async () => {
  const url = new URL("../../data/zarr/ome05.zip", import.meta.url);
  const entries: Entries = new Map(Object.entries(unzipSync(Deno.readFileSync(url))));
  const document = JSON.parse(new TextDecoder().decode(entries.get("s1/zarr.json")));
  entries.set(
    "s1/zarr.json",
    new TextEncoder().encode(JSON.stringify({ ...document, codecs: [{ name: "x" }] })),
  );
  for (const options of [{}, { array: "s2" }]) {
    const { levels, warnings } = await open(listed(entries), options);
    assertEquals(levels.map(({ array }) => array), ["s0", "s2"]);
    assertStringIncludes(warnings.join(), `names, "s1" is not there or cannot be read`);
  }
});
