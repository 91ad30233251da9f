/** Tables that show rows of others, where these have moved, shrunk, or are themselves. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { cp } from "node:fs/promises";
import { open } from "../../../src/formats/open.ts";
import { failure } from "../helpers.ts";
import { pathOf } from "./tables.ts";

/** Calls `body` with a folder that has copies of some tables. */
async function withCopies(tables: readonly string[], body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const table of tables) await cp(pathOf(table), `${folder}/${table}`, { recursive: true });
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Replaces the first occurrence of a text by one of the same length. */
async function replaceIn(path: string, from: string, to: string): Promise<void> {
  const text = new TextDecoder("latin1").decode(await Deno.readFile(path));
  const changed = text.replace(from, to);
  assert(changed !== text && from.length === to.length);
  await Deno.writeFile(path, Uint8Array.from(changed, (letter) => letter.charCodeAt(0)));
}

Deno.test("a table whose rows are shown and that is missing is told by its name", async () => {
  await withCopies(["view_rows", "view_both", "view_day"], async (folder) => {
    const both = await failure(open(`${folder}/view_both`), "not-found");
    assert(
      /view_both: it shows rows of the table .*view_night \(written as/.test(both.message),
      both.message,
    );
    await Deno.remove(`${folder}/view_day`, { recursive: true });
    const rows = await failure(open(`${folder}/view_rows`), "not-found");
    assert(/view_rows: it shows rows of the table .*view_day \(written as .\/view_day\)/.test(rows.message));
  });
});

Deno.test("a table that shows itself is refused", async () => {
  await withCopies(["view_rows"], async (folder) => {
    await Deno.rename(`${folder}/view_rows`, `${folder}/view_day`);
    const error = await failure(open(`${folder}/view_day`), "malformed");
    assert(/show rows of each other/.test(error.message), error.message);
  });
});

Deno.test("a table with fewer rows than there were is refused with both numbers", async () => {
  await withCopies(["view_rows", "family"], async (folder) => {
    await Deno.rename(`${folder}/family`, `${folder}/view_day`);
    const error = await failure(open(`${folder}/view_rows`), "malformed");
    assertEquals([error.details.expected, error.details.found], [21, 3]);
  });
});

Deno.test("tables one after another must have the same columns", async () => {
  await withCopies(["view_both", "view_day", "family"], async (folder) => {
    await Deno.rename(`${folder}/family`, `${folder}/view_night`);
    const error = await failure(open(`${folder}/view_both`), "malformed");
    assert(/of .*view_night is not as in .*view_day/.test(error.message), error.message);
  });
});

Deno.test("a table that names another one elsewhere needs the option root", async () => {
  await withCopies(["view_rows", "view_day"], async (folder) => {
    await Deno.mkdir(`${folder}/inner`);
    await Deno.rename(`${folder}/view_rows`, `${folder}/inner/view_rows`);
    await replaceIn(`${folder}/inner/view_rows/table.dat`, "./view_day", "./../other");
    await Deno.rename(`${folder}/view_day`, `${folder}/other`);
    const error = await failure(open(`${folder}/inner/view_rows`), "invalid");
    assertEquals(error.details.option, "root");
    assertEquals((await open(`${folder}/inner/view_rows`, { root: folder, array: "n" })).shape, [14]);
  });
});
