/** Files of the user are kept under names that the address has: a folder by its own, of several stores the one that is chosen. */

import { assert, assertEquals } from "@std/assert";
import { droppedFiles } from "../../../src/io/picked_files.ts";
import { pathOf, withPath } from "../../../src/io/source/blob.ts";
import type { SourceChoice } from "../../../web/state/state.ts";
import { nameOf, openedName, Sources } from "../../../web/open/sources.ts";
import { dropped } from "../../formats/handles.ts";

function file(path: string): File {
  return withPath(new File(["x"], path.replace(/^.*\//, "")), path) as File;
}

const none = new Sources((url) => Promise.resolve(url));
const OPTIONS = { signal: new AbortController().signal };

Deno.test("files are called by their names, those of one folder by the innermost folder that has all of them", () => {
  const names = (...paths: string[]) => {
    const kept = none.keep(paths.map(file));
    return kept.kind === "files" ? kept.names : [];
  };
  assertEquals(names("scan.mib"), ["scan.mib"]);
  assertEquals(names("scan.hdr", "scan.mib"), ["scan.hdr", "scan.mib"]);
  assertEquals(names("day/scan.mib"), ["scan.mib"]);
  assertEquals(names("day/scan.hdr", "day/scan.mib"), ["day"]);
  assertEquals(names("day/a.zarr/.zarray", "day/a.zarr/c/0.0"), ["a.zarr"]);
  assertEquals(names("day/a.zarr/.zarray", "day/b.zarr/.zarray"), ["day"]);
  assertEquals(names("one/scan.hdr", "two/scan.mib"), ["scan.hdr", "scan.mib"]);
  assertEquals(names("a.zarr/.zgroup", "a.zarr/0/.zarray", "b.zarr/.zgroup"), ["a.zarr", "b.zarr"]);
});

/** The paths of what is opened. */
async function opened(source: SourceChoice): Promise<string[]> {
  const found = await none.find(source, OPTIONS);
  return found.kind === "input" ? [found.input].flat().map((one) => pathOf(one as File)) : [];
}

Deno.test("of several stores the chosen one is opened, with its files alone; the others can be chosen beside it", async () => {
  const files = [
    "day/a.zarr/.zarray",
    "day/a.zarr/0.0",
    "day/ab.zarr/.zarray",
    "day/b.zarr/.zarray",
    "day/b.zarr/0.0",
  ]
    .map(file);
  const folder = none.keep(files);
  const store = none.choose(folder, "day/b.zarr");
  assertEquals([nameOf(folder), nameOf(store)], ["day", "b.zarr"]);
  assertEquals(await opened(store), ["day/b.zarr/.zarray", "day/b.zarr/0.0"]);
  assertEquals(none.pathsOf(store), ["day/b.zarr", "day/a.zarr", "day/ab.zarr"]);
  assertEquals(none.besideStore(store), ["day/a.zarr", "day/ab.zarr"]);
  const other = none.choose(store, "day/a.zarr");
  assertEquals(await opened(other), ["day/a.zarr/.zarray", "day/a.zarr/0.0"]);
  assertEquals([none.has(store), none.has(other), none.besideStore(folder)], [true, true, []]);
  const again = new Sources((url) => Promise.resolve(url)); // after a reload, the whole folder is given
  const asked = again.keep(files, store);
  assertEquals([asked, again.pathsOf(asked), again.besideStore(asked)], [
    store,
    none.pathsOf(store),
    none.besideStore(store),
  ]);
  const all = await none.find(folder, OPTIONS);
  assert(all.kind === "input" && all.input === files);
});

Deno.test("of two stores with the name that is asked for none is taken: the folder is given", async () => {
  const files = ["all/day1/a.zarr/.zarray", "all/day2/a.zarr/.zarray", "all/b.zarr/.zarray"].map(file);
  const asked = (name: string) => none.keep(files, { kind: "files", names: [name] });
  assertEquals(nameOf(asked("b.zarr")), "b.zarr");
  const folder = asked("a.zarr");
  assertEquals([nameOf(folder), (await opened(folder)).length], ["all", 3]);
});

Deno.test("of stores that are given side by side the first is opened; a list beside it is not", async () => {
  const files = ["a.zarr/0/.zarray", "a.zarr/0/0.0", "sources.csv", "b.ms/table.dat", "b.ms/SUB/table.dat"]
    .map(file);
  const both = none.keep(files);
  assertEquals(both, { kind: "files", names: ["a.zarr", "sources.csv", "b.ms"] });
  assertEquals(await opened(both), ["a.zarr/0/.zarray", "a.zarr/0/0.0"]);
  assertEquals(none.besideStore(both), ["b.ms"]);
  const second = none.choose(both, "b.ms");
  assertEquals(nameOf(second), "b.ms and 2 more");
  assertEquals(await opened(second), ["b.ms/table.dat", "b.ms/SUB/table.dat"]);
  assertEquals(none.besideStore(none.keep(files.slice(0, 3))), []);
  assertEquals(await opened(none.keep([file("a.tif"), file("b.tif")])), ["a.tif", "b.tif"]);
});

Deno.test("of two dropped stores with one name the first is opened by itself, and the second can be chosen", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const stores = ["day1", "day2"].map((day) => `${folder}/${day}/a.zarr`);
    for (const [i, store] of stores.entries()) {
      await Deno.mkdir(`${store}/0`, { recursive: true });
      await Deno.writeTextFile(`${store}/.zgroup`, `${i}`);
      await Deno.writeTextFile(`${store}/0/.zarray`, `${i}`);
    }
    const both = none.keep(await droppedFiles(dropped(stores)) as File[]);
    assertEquals(both, { kind: "files", names: ["a.zarr", "(2) a.zarr"] });
    assertEquals((await opened(both)).toSorted(), ["a.zarr/.zgroup", "a.zarr/0/.zarray"]);
    assertEquals(none.besideStore(both), ["(2) a.zarr"]);
    const second = await none.find(none.choose(both, "(2) a.zarr"), OPTIONS);
    const texts = second.kind === "input" ? [second.input].flat().map((one) => (one as File).text()) : [];
    assertEquals(await Promise.all(texts), ["1", "1"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("what was opened is called by its file, or by the folder of its store", () => {
  const day = { kind: "files", names: ["day"] } as const;
  assertEquals(openedName(day, "day/scan.mib"), "scan.mib");
  assertEquals(openedName(day, "day/b.zarr/.zgroup"), "b.zarr");
  assertEquals(openedName(day, "day/b.zarr/zarr.json"), "b.zarr");
  assertEquals(openedName(day, "day/c.ome.zarr/0"), "c.ome.zarr");
  assertEquals(openedName({ kind: "files", names: ["a.hdr", "a.mib"] }, "a.mib"), "a.mib");
  assertEquals(openedName({ kind: "files", names: ["a.raw"] }, "a.raw"), "a.raw");
  assertEquals(openedName(day, undefined), "day");
  assertEquals(openedName({ kind: "url", url: "http://a.test/x/scan.h5?y" }, "anything"), "scan.h5");
});

Deno.test("files of the same names are told apart by their bytes and by when they were written", () => {
  const version = (text: string, lastModified: number) =>
    none.versionOf(none.keep([new File([text], "scan.mib", { lastModified })]));
  const first = version("x", 1);
  assertEquals(version("y", 1), first);
  assertEquals(new Set([first, version("xy", 1), version("x", 2)]).size, 3);
  assertEquals(none.versionOf({ kind: "sample", name: "crystal" }), "");
});
