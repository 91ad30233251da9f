/**
 * The package for npm: what is in it, found in its own bytes.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { declarations } from "../../assembly/pack/declarations.ts";
import { pack } from "../../assembly/pack/main.ts";
import { browserOf, LESS_IN_BROWSERS, scriptOf } from "../../assembly/pack/manifest.ts";
import { readTarball, readTarballBytes } from "../../assembly/pack/tar.ts";
import { renewedPage } from "../../web/build.ts";
import { loadKernels, packBytes, PACKS } from "../../src/kernels/wasm.ts";

const types = await declarations(new URL("../../", import.meta.url)); // Deno makes them, and takes the most time
const bytes = await pack({ types, page: await renewedPage() });
const files = new Map(
  [...await readTarball(bytes)].map(([path, text]) => [path.slice("package/".length), text]),
);
const scripts = [...files].filter(([path]) => path.endsWith(".js"));
const manifest = JSON.parse(files.get("package.json")!);

Deno.test("every entry of deno.json is one of the package, with code and declarations", () => {
  const { "./wasm/*.wasm": modules, ...entries } = manifest.exports;
  assertEquals([modules, Object.keys(entries)], ["./wasm/*.wasm", Object.keys(config.exports)]);
  for (const row of Object.values<{ types: string; default: string }>(entries)) {
    for (const path of [row.types, row.default]) assert(files.has(path.replace("./", "")), path);
  }
});

Deno.test("every module that a module names is in the package", () => {
  const names = /(?:from |import |import\(|new URL\(|import\.meta\.resolve\()"(\.[^"$]*\.[a-z]+)"/g;
  const missing = [...files].flatMap(([path, text]) =>
    [...(/\.(js|d\.ts)$/.test(path) ? text.replace(/^ \*.*$/gm, "") : "").matchAll(names)]
      .map(([, name]) => new URL(name!, `file:///${path}`).pathname.slice(1))
      .filter((named) => !files.has(named) && !files.has(named.replace(/\.js$/, ".d.ts")))
      .map((named) => `${path} names ${named}`)
  ).filter((row) => !row.endsWith("/module.ts")); // examples in errors
  assertEquals(missing, []);
  assert(scripts.length > 300);
});

Deno.test("the package depends on the versions of deno.json, and on nothing of developers", () => {
  const { dependencies, peerDependencies, peerDependenciesMeta } = manifest;
  assertEquals(Object.keys(dependencies), [
    "aws4fetch",
    "fflate",
    "h5wasm",
    "lerc",
    "numcodecs",
    "smol-toml",
  ]);
  const added = ["assemblyscript", "bullmq", "ioredis", "pg"];
  assertEquals(peerDependenciesMeta, Object.fromEntries(added.map((name) => [name, { optional: true }])));
  const targets = Object.values(config.imports).map((target) => target.split("/")[0]);
  for (const [name, version] of Object.entries({ ...dependencies, ...peerDependencies })) {
    assert(targets.includes(`npm:${name}@${version}`), `${name}@${version}`);
  }
});

Deno.test("every pack of kernels is a WebAssembly file, for private and for shared memory", async () => {
  const contents = await readTarballBytes(bytes);
  await loadKernels();
  for (const pack of PACKS) {
    assertEquals(contents.get(`package/wasm/${pack}.wasm`), packBytes(pack, false));
    assertEquals(contents.get(`package/wasm/${pack}.shared.wasm`), packBytes(pack, true));
  }
});

Deno.test("what a module does when it is loaded is kept where only names are used that it hands on", () => {
  const does = scripts.filter(([, text]) => /^[\w$.]+\(/m.test(text) && handsOn(text)).map(([path]) => path);
  assert(does.includes("src/kernels/wasm.js"), does.join());
  assertEquals(does.filter((path) => !manifest.sideEffects.includes(`./${path}`)), []);
});

/** Whether a script exports a name that it imports. */
function handsOn(script: string): boolean {
  const imports = script.matchAll(/^import \{([^}]*)\} from/gm);
  const imported = [...imports].flatMap(([, names]) =>
    names!.split(",").map((name) => name.trim().split(" ").at(-1))
  );
  const exports = /^export \{([^}]*)\};/m.exec(script)?.[1]?.split(",") ?? [];
  return exports.some((name) => imported.includes(name.trim().split(" ")[0]!));
}

Deno.test("what stands for a module in browsers has its names", async () => {
  for (const path of LESS_IN_BROWSERS) {
    const [usual, inPages] = await Promise.all(
      [path, browserOf(path)].map((one) => import(new URL(`../../${one}`, import.meta.url).href)),
    );
    assertEquals(Object.keys(inPages), Object.keys(usual), path);
    assert(files.has(manifest.browser[`./${scriptOf(path)}`].replace("./", "")), path);
  }
});

Deno.test("the command of the package is a file that runs by itself", () => {
  const command = files.get(manifest.bin.tilewise)!;
  assert(command.startsWith("#!/usr/bin/env node\n"));
});
