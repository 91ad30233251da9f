/** Scripts that are put together do what they did apart, and have each module once. */

import { assert, assertEquals } from "@std/assert";
import { join, toFileUrl } from "@std/path";
import { build, stop } from "esbuild";
import { mergeScripts } from "../../../web/build/merge.ts";

/** `shared` and `deep` are in chunks of their own: several entries import them. */
const SOURCES = {
  "main.ts": `import { count } from "./shared.ts";
    export const first = count();
    export const library = () => import("./library.ts");
    export const apart = () => import("./apart.ts");
    export const member = () => import("./member.ts");`,
  "library.ts": `import { count } from "./shared.ts";
    import { deep } from "./deep.ts";
    import { member } from "./member.ts";
    export const second = count();
    export { deep, member };`,
  "apart.ts": `import { count } from "./shared.ts";
    import { deep } from "./deep.ts";
    import { member } from "./member.ts";
    export const third = [count(), deep(), member];`,
  "member.ts": `import { deep } from "./deep.ts";
    export const member = deep() + 1;
    export default "the member";`,
  "shared.ts": `let n = 0; export const count = () => ++n;`,
  "deep.ts": `import { count } from "./shared.ts"; let m = 10 * count(); export const deep = () => m++;`,
};

Deno.test("roots have what they import at once, and each module is there once", async () => {
  const folder = await Deno.makeTempDir({ prefix: "tilewise-merge-" });
  try {
    for (const [name, text] of Object.entries(SOURCES)) await Deno.writeTextFile(join(folder, name), text);
    const { outputFiles, metafile } = await build({
      absWorkingDir: folder,
      entryPoints: ["main.ts"],
      outdir: "out",
      bundle: true,
      splitting: true,
      minify: true,
      format: "esm",
      write: false,
      metafile: true,
    });
    const files = outputFiles.map(({ path, text }) => ({
      path: path.slice(join(folder, "out/").length),
      text,
    }));
    const merged = await mergeScripts(files, metafile, ["main.ts", "library.ts"], true);
    const chunks = merged.filter(({ path }) => path.startsWith("chunk"));
    assert(files.length > merged.length);
    assertEquals(chunks, [], "all of what is shared is in a root");
    for (const { path, text } of merged) await Deno.writeTextFile(join(folder, path), text);
    const main = await import(toFileUrl(join(folder, "main.js")).href);
    const library = await main.library();
    assertEquals([main.first, library.second, library.member], [1, 3, 21]);
    assertEquals((await main.apart()).third, [4, 21, 21]);
    assertEquals({ ...await main.member() }, { default: "the member", member: 21 });
  } finally {
    await stop();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a root that nothing imports is named", async () => {
  const error = await mergeScripts([], { inputs: {}, outputs: {} }, ["web/gone.ts"], false).catch((
    { message },
  ) => message);
  assertEquals(error, "web/gone.ts is not an entry of the page, and nothing imports it when it is needed");
});
