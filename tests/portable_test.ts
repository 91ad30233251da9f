/** Nothing in `src/` needs a newer language than Node 20 and browsers of 2023 have; what they lack is in `portable.ts`. */

import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { stop, transform } from "esbuild";
import { arrayFromAsync, groupBy, parseUrl, processors, withResolvers } from "../src/portable.ts";
import node20 from "./runtimes/node20_names.json" with { type: "json" };

Deno.test.afterAll(() => stop());

const SRC = fromFileUrl(new URL("../src/", import.meta.url));

/** Built-in functions that are newer, or classes that have no stand-in. */
const NEWER = new RegExp(
  [
    "\\bPromise\\.(withResolvers|try)\\b",
    "\\bPromiseWithResolvers\\b",
    "\\bArray\\.fromAsync\\b",
    "\\b(Map|Object)\\.groupBy\\b",
    "\\bURL\\.parse\\b",
    "\\b(Async)?DisposableStack\\b",
    "\\bSuppressedError\\b",
    "\\bError\\.isError\\b",
    "\\bRegExp\\.escape\\b",
    "\\bIterator\\.from\\b",
    "\\.(union|intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\\(new Set",
    "\\.(values|keys|entries)\\(\\)\\s*\\.(map|filter|some|every|find|take|drop|reduce|flatMap|forEach|toArray)\\(",
    "\\.(toBase64|toHex|setFromBase64|setFromHex)\\(",
    "\\b(extends|new|instanceof) Float16Array\\b",
    "crypto\\.randomUUID",
  ].join("|"),
);

function* sources(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* sources(`${folder}${name}/`);
    else if (name.endsWith(".ts")) yield folder + name;
  }
}

Deno.test("no code needs what older runtimes lack", () => {
  const found: string[] = [];
  for (const path of sources(SRC)) {
    const name = path.slice(SRC.length);
    if (name === "portable.ts" || name.startsWith("kernels/kernels_") || name.startsWith("io/file/")) {
      continue;
    }
    Deno.readTextFileSync(path).split("\n").forEach((line, i) => {
      if (NEWER.test(line) && !/^\s*\*/.test(line)) found.push(`${name}:${i + 1}: ${line.trim()}`);
    });
  }
  assertEquals(found, []);
});

/** Names that Node 20 does not have, and the files that use them: there they are asked for first, or nobody else loads the file. */
const GUARDED: Readonly<Record<string, RegExp>> = {
  Deno:
    /^(io\/write\/calls|io\/file\/(facts|locks)|io\/map\/\w+|executor\/process\/\w+|cli\/shell\/(system|permissions|watchdog_thread)|cli\/doctor\/\w+)\.ts$/,
  Worker: /^(threads|executor\/threads|cli\/shell\/host)\.ts$/,
  navigator: /^executor\/locks\.ts$/,
  self: /^(executor\/worker|cli\/shell\/watchdog_thread)\.ts$/,
};

/** What is global in Deno or in pages, and not in Node 20. */
function namesOfOthers(): string[] {
  const inPages = ["window", "document", "requestAnimationFrame", "indexedDB", "showOpenFilePicker"];
  const names = [...Object.getOwnPropertyNames(globalThis), ...inPages];
  return names.filter((name) => /^[\w$]+$/.test(name) && !node20.names.includes(name));
}

Deno.test("names of runtimes stand only where they are guarded", async () => {
  const define = Object.fromEntries(namesOfOthers().map((name) => [name, `BARE_${name}`])); // where they are not names of our own
  const found: string[] = [];
  for (const path of sources(SRC)) {
    const text = await Deno.readTextFile(path), name = path.slice(SRC.length);
    if (name.startsWith("kernels/") && !text.includes("function ")) continue; // tables and bytes
    const { code } = await transform(text, { loader: "ts", define });
    for (const [, bare] of code.matchAll(/(?<!typeof )BARE_(\w+)/g)) {
      if (!GUARDED[bare!]?.test(name)) found.push(`${name}: ${bare}`);
    }
  }
  assertEquals([...new Set(found)], []);
});

Deno.test("own functions do what the newer ones do", async () => {
  const all = [1, 2, 3, 4, 5];
  assertEquals(groupBy(all, (n) => n % 2), Map.groupBy(all, (n) => n % 2));
  async function* later() {
    for (const n of all) yield await Promise.resolve(n);
  }
  const square = (n: number) => Promise.resolve(n * n);
  assertEquals(await arrayFromAsync(later(), square), await Array.fromAsync(later(), square));
  assertEquals(await arrayFromAsync(all), await Array.fromAsync(all));
  for (const [url, base] of [["a?b", "https://x.org/y/"], ["https://x.org"], ["not one"], ["//"]] as const) {
    assertEquals(parseUrl(url, base)?.href, URL.parse(url, base)?.href);
  }
  const { promise, resolve } = withResolvers<number>();
  resolve(7);
  assertEquals(await promise, 7);
  const refused = withResolvers<number>();
  refused.reject(new Error("no"));
  assertEquals(await refused.promise.catch((error) => error.message), "no");
  assertEquals(processors(), navigator.hardwareConcurrency);
});
