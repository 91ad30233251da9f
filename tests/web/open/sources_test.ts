/** Files of the user are kept under names that the address has: a folder by its own, of several stores the one that is chosen. */

import { assert, assertEquals } from "@std/assert";
import { withPath } from "../../../src/io/source/blob.ts";
import { nameOf, openedName, Sources } from "../../../web/open/sources.ts";

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
});

Deno.test("one of several stores is a source of its own, with its files alone", async () => {
  const files = [
    "day/a.zarr/.zarray",
    "day/a.zarr/0.0",
    "day/ab.zarr/.zarray",
    "day/b.zarr/.zarray",
    "day/b.zarr/0.0",
  ]
    .map(file);
  const folder = none.keep(files);
  const store = none.keepBelow(folder, "day/b.zarr");
  assertEquals([nameOf(folder), nameOf(store)], ["day", "b.zarr"]);
  const found = await none.find(store, OPTIONS);
  assertEquals(found.kind === "input" && found.input, files.slice(3));
  assertEquals(none.has(none.keepBelow(folder, "day/a.zarr")), true);
  const all = await none.find(folder, OPTIONS);
  assert(all.kind === "input" && all.input === files);
});

Deno.test("what was opened is called by its file, or by the folder of its store", () => {
  const day = { kind: "files", names: ["day"] } as const;
  assertEquals(openedName(day, "day/scan.mib"), "scan.mib");
  assertEquals(openedName(day, "day/b.zarr/.zgroup"), "b.zarr");
  assertEquals(openedName(day, "day/b.zarr/zarr.json"), "b.zarr");
  assertEquals(openedName({ kind: "files", names: ["a.hdr", "a.mib"] }, "a.mib"), "a.mib");
  assertEquals(openedName({ kind: "files", names: ["a.raw"] }, "a.raw"), "a.raw");
  assertEquals(openedName(day, undefined), "day");
  assertEquals(openedName({ kind: "url", url: "http://a.test/x/scan.h5?y" }, "anything"), "scan.h5");
});
