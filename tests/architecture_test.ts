/** Imports point downwards: which room of the house may know which. */

import { assertEquals } from "@std/assert";
import { fromFileUrl, join, relative, toFileUrl } from "@std/path";

/** The floors, from the ground up; rooms on one floor do not know each other. */
const FLOORS: readonly (readonly string[])[] = [
  ["reason"],
  ["errors", "std", "version"],
  ["options", "packages", "activity", "turns"],
  ["space"],
  ["memory", "io", "masks"],
  ["kernels", "channels", "executor"],
  ["codecs", "expr"],
  ["dataset"],
  ["formats", "views", "pictures"],
  ["udf", "hypercube"],
  ["rime", "notebook", "offline"],
  ["cli", "web"],
];

/** The only files that talk to the runtime; everything else runs in a browser. */
const RUNTIME = [
  /^io\/(cache|file|folder|hash|write|part_files|same_file|unpack|zlib)(_error|_calls)?\.ts$/,
  /^channels\/(host|files)\.ts$/,
  /^executor\//,
  /^cli\//,
  /^notebook\//,
  /^std\//,
];

const SRC = fromFileUrl(new URL("../src/", import.meta.url));

function* sources(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) yield* sources(path);
    else if (path.endsWith(".ts")) yield path;
  }
}

function room(path: string): string {
  return relative(SRC, path).split("/")[0]!.replace(/\.ts$/, "");
}

function floor(name: string): number {
  return FLOORS.findIndex((rooms) => rooms.includes(name));
}

/** Code without comments and without the text of documentation. */
function code(path: string): string {
  return Deno.readTextFileSync(path).replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

function importsOf(path: string): string[] {
  const found = code(path).matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g);
  return [...found].map(([, target]) => fromFileUrl(new URL(target!, toFileUrl(path))));
}

Deno.test("every room stands on a floor", () => {
  const rooms = [...Deno.readDirSync(SRC)].map(({ name }) => name.replace(/\.ts$/, ""));
  assertEquals(rooms.filter((name) => floor(name) < 0), []);
});

Deno.test("imports point downwards", () => {
  const uphill: string[] = [];
  for (const path of sources(SRC)) {
    for (const target of importsOf(path)) {
      const [from, to] = [room(path), room(target)];
      if (from !== to && floor(to) >= floor(from)) {
        uphill.push(`${relative(SRC, path)} → ${relative(SRC, target)}`);
      }
    }
  }
  assertEquals(uphill, []);
});

Deno.test("only a few files need more than a browser", () => {
  const needy: string[] = [];
  for (const path of sources(SRC)) {
    const name = relative(SRC, path);
    if (RUNTIME.some((allowed) => allowed.test(name))) continue;
    if (/(?<!")\bDeno\.|["']node:/.test(code(path))) needy.push(name); // a quoted name is a symbol
  }
  assertEquals(needy, []);
});

Deno.test("only the registries of formats and of writers name them", () => {
  const formats = /from "\.\/(raw|npy|mib|ripple|hdf5|blo|dm|empad|mrc|seq|ser|tvips|frms6|k2is)\.ts"/;
  const naming = [...sources(join(SRC, "formats"))]
    .filter((path) =>
      !/^(raw|npy|mib|ripple|registry|writers\/registry)/.test(relative(join(SRC, "formats"), path))
    )
    .filter((path) => formats.test(code(path)));
  assertEquals(naming.map((path) => relative(SRC, path)), []);
});

/** The files that are loaded with `path`, as far as code asks for them at once: not types, not `await import`. */
function loadedWith(path: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const found = code(path).matchAll(/^(?:import|export)(?! type\b)[^;]*?from\s+"(\.[^"]+)";/gm);
  for (const [, target] of found) loadedWith(fromFileUrl(new URL(target!, toFileUrl(path))), seen);
  return seen;
}

Deno.test("workers load neither the bytes of the kernels, nor their twins, nor UDFs of other runs", () => {
  const builtin = join(SRC, "udf/builtin");
  const heavy = /^kernels\/(kernels_bytes|wasm|catalogue|rows\/)/;
  const entries = ["executor/worker.ts", "udf/worker/job.ts", "views/filter_job.ts"];
  const loaded = entries.flatMap((name) => [...loadedWith(join(SRC, name))]);
  assertEquals(
    loaded.map((path) => relative(builtin, path)).filter((path) => !/^\.\.|^index/.test(path)),
    [],
  );
  const all = new Set(loaded);
  for (const path of sources(builtin)) for (const one of loadedWith(path)) all.add(one);
  assertEquals([...all].map((path) => relative(SRC, path)).filter((path) => heavy.test(path)), []);
});
