/** Stable names are few, are not unstable as well, and lead to no unstable ones where people must write them. */

import { assert, assertEquals } from "@std/assert";
import { entryDocs, entryModules, namesOf, promiseOf, type Symbol } from "./entries.ts";
import { handedTypes, signatureTypes } from "./walk.ts";

/** Most stable names, values and types: `docs/decisions/0126-stable-and-unstable.md`. */
const MOST_STABLE = 300;

const [stable, unstable] = await Promise.all([namesOf("stable"), namesOf("unstable")]);

/** Whether a name stands for members, as an alias of a type does not. */
function hasMembers(symbol: Symbol | undefined): boolean {
  return symbol?.declarations.some(({ kind }) => kind === "interface" || kind === "class") ?? false;
}

Deno.test("every public name is either stable or unstable", () => {
  assertEquals([...stable.keys()].filter((name) => unstable.has(name)), []);
});

Deno.test("the stable names are few enough to be kept", () => {
  assert(
    stable.size <= MOST_STABLE,
    `${stable.size} stable names: make some of them unstable, or one superfluous`,
  );
});

Deno.test("what stable functions take and give has stable names", () => {
  const found = [...stable.values()].flatMap((symbol) =>
    signatureTypes(symbol).filter((type) => hasMembers(unstable.get(type))).map((type) =>
      `${symbol.name}: ${type}`
    )
  );
  assertEquals(found, []);
});

Deno.test("what functions of users get from stable ones has stable names", async () => {
  const modules = [...await entryModules()].filter(([entry]) => promiseOf(entry) === "stable");
  const handed = modules.flatMap(([, module]) => [...handedTypes(module)]);
  const found = handed.filter(({ type }) => hasMembers(unstable.get(type)));
  assertEquals([...new Set(found.map(({ path, type }) => `${path}: ${type}`))], []);
});

Deno.test("one name is one thing in all entries", async () => {
  const files = new Map<string, Set<string>>();
  for (const { name, declarations } of [...await entryDocs()].flatMap(([, symbols]) => symbols)) {
    const known = files.get(name) ?? new Set();
    files.set(name, known);
    for (const { location } of declarations) known.add(location.filename);
  }
  const several = [...files].filter(([, places]) => places.size > 1);
  assertEquals(several.map(([name, places]) => `${name}: ${[...places].join(", ")}`), []);
});
