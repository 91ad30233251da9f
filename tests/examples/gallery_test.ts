/** The gallery: every example is short, imports what users can import, runs, and makes a picture of its own. */

import { assert, assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { aboutOf, galleryExamples, runGallery } from "../../site/gallery/examples.ts";
import { withFolder } from "../cli/harness.ts";

/** Most lines of an example, and bytes of its picture. */
const [LINES, BYTES] = [40, 60_000];

Deno.test("examples of the gallery are many and short, say what they do, and use entries of the package alone", () => {
  const examples = galleryExamples();
  assert(examples.length >= 30);
  const entries = Object.keys(config.exports).map((entry) => config.name + entry.slice(1));
  for (const example of examples) {
    const { path, code } = example;
    assert(code.split("\n").length <= LINES, path);
    assert(aboutOf(example).endsWith("."), path);
    const imported = [...code.matchAll(/^import [^;]* from "([^"]*)"/gm)].map(([, name]) => name!);
    assertEquals(imported.filter((name) => !entries.includes(name)), [], path);
  }
});

Deno.test("every example of the gallery runs, and makes a picture that no other makes", async () => {
  await withFolder(async (folder) => {
    const times = await runGallery(folder);
    const pictures = new Set<string>();
    for (const { path, name } of galleryExamples()) {
      assert(times.has(path), path);
      const bytes = await Deno.readFile(`${folder}/${name}.png`);
      assert(bytes.length > 100 && bytes.length < BYTES, `${name}.png has ${bytes.length} bytes`);
      pictures.add(bytes.join());
    }
    assertEquals(pictures.size, times.size);
  });
});
