/** Rooms whose files run as one: no file is lost or run twice, and fences stay where they are asked for. */

import { assert, assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { JOINED, testFiles, writeJoined } from "./joined.ts";
import { ELSEWHERE } from "./main.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));

Deno.test("every file of a joined room is run once, with fences where it asks for them", async () => {
  const to = await Deno.makeTempDir();
  try {
    const files = writeJoined(ROOT, to, ELSEWHERE);
    const imported = JOINED.flatMap(([room]) =>
      testFiles(to, room!, []).flatMap((path) => {
        const urls = Deno.readTextFileSync(join(to, path)).matchAll(/^import "([^"]+)";$/gm);
        return [...urls].map(([, url]) => ({
          file: fromFileUrl(url!),
          fenced: path.endsWith("/fenced_test.ts"),
        }));
      })
    );
    assertEquals(imported.map(({ file }) => file).sort(), files.map((file) => join(ROOT, file)).sort());
    assertEquals(new Set(files).size, files.length, "a room is below another one");
    for (const { file, fenced } of imported) {
      assertEquals(/^import ".*fences\/mod/m.test(Deno.readTextFileSync(file)), fenced, file);
    }
    assert(imported.some(({ fenced }) => fenced) && imported.some(({ fenced }) => !fenced));
    for (const file of files) assert(!ELSEWHERE.includes(file), file);
  } finally {
    await Deno.remove(to, { recursive: true });
  }
});
