/** Nothing in `src/` needs a newer language than Node 20 and browsers of 2023 have; what they lack is in `portable.ts`. */

import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { arrayFromAsync, groupBy, parseUrl, processors, withResolvers } from "../src/portable.ts";

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
