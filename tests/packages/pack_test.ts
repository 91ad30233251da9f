/**
 * The package for npm: what is in it, found in its own bytes.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { dirname } from "@std/path";
import { gunzipSync } from "node:zlib";
import config from "../../deno.json" with { type: "json" };
import { declarations } from "../../assembly/pack/declarations.ts";
import { pack } from "../../assembly/pack/main.ts";
import { inside } from "../../assembly/pack/packages.ts";
import { readTarballBytes } from "../../assembly/pack/tar.ts";
import { builtPage } from "../../src/cli/view/page.ts";
import { PACKAGES } from "../../src/packages.ts";
import { withFolder } from "../cli/harness.ts";
import { encodeNpy } from "../npy_files.ts";
import { renewedPage } from "../../web/build.ts";

const types = await declarations(new URL("../../", import.meta.url)); // Deno makes them, and takes the most time
const bytes = await pack(types);
const contents = new Map(
  [...await readTarballBytes(bytes)].map(([path, content]) => [path.slice("package/".length), content]),
);
const files = new Map([...contents].map(([path, content]) => [path, new TextDecoder().decode(content)]));
const scripts = [...files].filter(([path]) => path.endsWith(".js"));
const manifest = JSON.parse(files.get("package.json")!);

/** Most files, and bytes, of the package with all that it depends on: nothing. */
const MOST = { files: 510, bytes: 5_400_000 };

Deno.test("the package is small, and brings nothing along", () => {
  const sum = [...contents.values()].reduce((bytes, { length }) => bytes + length, 0);
  assert(contents.size <= MOST.files && sum <= MOST.bytes, `${contents.size} files, ${sum} bytes`);
  assertEquals(manifest.dependencies, undefined);
});

Deno.test("every entry of deno.json is one of the package, with code and declarations", () => {
  const { "./package.json": own, ...entries } = manifest.exports;
  assertEquals([own, Object.keys(entries)], ["./package.json", Object.keys(config.exports)]);
  for (const row of Object.values<{ types: string; default: string }>(entries)) {
    assertEquals(
      Object.keys(row),
      ["types", "default"],
      "types stand first: compilers take the first row that fits",
    );
    for (const path of [row.types, row.default]) assert(files.has(path.replace("./", "")), path);
  }
  assertEquals([manifest.main, manifest.types], [entries["."].default, entries["."].types]);
});

/** Names of modules in scripts and declarations, also those that are started or loaded on demand. */
const NAMES = /(?:\bfrom ?|\bimport ?|\bimport\(|\brequire\(|new URL\()"(\.{0,2}[\w@/:][\w@/:.-]*)"/g;

/** Text without comments. */
function codeOf(text: string): string {
  return text.replace(/^\s*\*.*$|\/\*\*.*?\*\//gm, "");
}

Deno.test("every module that a module names is in the package", () => {
  const missing = [...files].flatMap(([path, text]) =>
    [...(/\.(js|d\.ts)$/.test(path) ? codeOf(text) : "").matchAll(NAMES)]
      .filter(([, name]) => /^\..*\.[jt]s$/.test(name!))
      .map(([, name]) => new URL(name!, `file:///${path}`).pathname.slice(1))
      .filter((named) => !files.has(named) && !files.has(named.replace(/\.js$/, ".d.ts")))
      .map((named) => `${path} names ${named}`)
  ).filter((row) => !/\/(module|own_kernel\.as|\$\{name\}.*)\.ts$/.test(row)); // examples in errors
  assertEquals(missing, []);
  assert(scripts.length > 50);
});

Deno.test("no script names a module of Node or of a package, and none is found by its own address but the worker", () => {
  const code = scripts.filter(([path]) => path.startsWith("dist/"));
  const named = code.flatMap(([path, text]) =>
    [...text.matchAll(NAMES)].map(([, name]) => `${path}: ${name}`)
  )
    .filter((row) => !row.includes(": ."));
  const texts = ["dist/room-expr.js: tilewise"]; // what kernels of users import
  assertEquals(named.filter((row) => !/^dist\/(room-cli|command)/.test(row) && !texts.includes(row)), []);
  const addresses = code.flatMap(([path, text]) =>
    [...text.matchAll(/new URL\(("[^"]*"|`[^`]*`), ?import\.meta\.url\)/g)].map(([, name]) =>
      `${path}: ${name}`
    )
  ).filter((row) => !/room-cli|command/.test(row));
  assertEquals(addresses.length, 1, addresses.join());
  assert(addresses[0]!.endsWith('"./worker.js"'), addresses[0]);
});

Deno.test("packages are inside with the versions of deno.json, and their licences; others are added by who needs them", () => {
  const { peerDependencies, peerDependenciesMeta } = manifest;
  const added = ["assemblyscript", "bullmq", "h5wasm", "ioredis", "pg"];
  assertEquals(peerDependenciesMeta, Object.fromEntries(added.map((name) => [name, { optional: true }])));
  const targets = Object.values(config.imports).map((target) => target.split("/")[0]);
  for (const [name, version] of Object.entries(peerDependencies)) {
    assert(targets.includes(`npm:${name}@${version}`), `${name}@${version}`);
  }
  const names = Object.keys(PACKAGES).filter((name) => !added.includes(name.split("/")[0]!));
  assertEquals(inside().map(({ name }) => name), names);
  for (const { file, specifier } of inside()) {
    assert(files.has(`dist/${file}.js`), file);
    const [, name, version] = /^npm:([^@]+)@([^/]+)/.exec(specifier)!;
    assert(files.get("LICENCES.txt")!.includes(`${name} ${version} (dist/${file}.js): `), specifier);
  }
});

Deno.test("the page of the package is the built one, without what users install themselves", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeFile(`${folder}/page.json.br`, contents.get("web/dist/page.json.br")!);
    const page = await builtPage(new URL(`file://${folder}/page.json`));
    const built: Readonly<Record<string, string>> = JSON.parse(await renewedPage());
    const paths = Object.keys(built).filter((path) => !path.endsWith("/package-h5wasm.js"));
    assertEquals([...page.keys()].sort(), paths.map((path) => path === "index.html" ? "" : path).sort());
    for (const path of paths.filter((path) => path !== "index.html")) {
      const { bytes, encoding } = page.get(path)!.encoded("gzip");
      assertEquals(encoding, "gzip");
      assertEquals(
        new Uint8Array(gunzipSync(bytes)),
        new Uint8Array(gunzipSync(Uint8Array.fromBase64(built[path]!))),
      );
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the command of the package is a file that runs by itself", () => {
  const command = files.get(manifest.bin.tilewise)!;
  assert(command.startsWith("#!/usr/bin/env node\n"));
});

Deno.test("a version of Node or Bun that cannot read the package is told so, in words that it can read", () => {
  const code = files.get("bin/tilewise.js")!.replace(/^#!.*/, "");
  const versions = [[{ node: "14.21.3" }, "Node 14.21.3"], [
    { node: "22.6.0", bun: "1.1.30" },
    "Bun 1.1.30",
  ]] as const;
  for (const [own, name] of versions) {
    const said: string[] = [], old = { versions: own, exitCode: 0 };
    new Function("process", "console", code)(old, { error: (line: string) => said.push(line) });
    assertEquals(said, [`tilewise: ${name} is too old: install Node 20.16, 22.3, Bun 1.4 or later`]);
    assertEquals(old.exitCode, 1);
  }
});

Deno.test("what pages may load imports nothing of the command: bundlers would follow the threads that it starts", () => {
  const OWN = /^dist\/(command|cli|room-cli|watchdog)/;
  const found = scripts.filter(([path]) => path.startsWith("dist/") && !OWN.test(path)).flatMap((
    [path, text],
  ) =>
    [...text.matchAll(NAMES)].map(([, name]) => `dist/${name!.replace("./", "")}`)
      .filter((name) => OWN.test(name) && !/watchdog/.test(name)).map((name) => `${path} imports ${name}`)
  );
  assertEquals(found, []);
});

/** Commands, and the most bytes of scripts that they may load: each kilobyte is read and compiled at every start. */
const LOADED: readonly (readonly [command: string, kilobytes: number])[] = [
  ["--version", 105],
  ["info scan.npy", 415],
  ["run sum scan.npy --workers 0 -o sum.npy", 530],
  ["map gaussian:sigma=2 scan.npy --workers 0 -o blurred.ome.zarr", 800],
  ["convert scan.npy scan.ome.zarr --workers 0", 765],
];

/** The scripts of the package that a command loads, with their bytes. */
async function loadedBy(command: string, folder: string): Promise<[path: string, bytes: number][]> {
  const seen = await Deno.makeTempDir({ dir: folder });
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-config", `${folder}/${manifest.bin.tilewise}`, ...command.split(" ")],
    cwd: folder,
    env: { DENO_COVERAGE_DIR: seen },
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  const texts = Array.from(Deno.readDirSync(seen), ({ name }) => Deno.readTextFileSync(`${seen}/${name}`));
  const urls = texts.map((text) => JSON.parse(text).url as string);
  const paths = urls.map((url) => url.replace(/^.*\/(?=(dist|bin)\/)/, ""));
  return paths.map((path) => [path, contents.get(path)!.length]);
}

Deno.test("a command loads what it needs, and no code of other commands", async () => {
  await withFolder(async (folder) => {
    for (const path of ["package.json", ...scripts.map(([path]) => path)]) {
      await Deno.mkdir(dirname(`${folder}/${path}`), { recursive: true });
      await Deno.writeFile(`${folder}/${path}`, contents.get(path)!);
    }
    const samples = Uint16Array.from({ length: 4 * 4 * 8 * 8 }, (_, i) => i);
    await Deno.writeFile(`${folder}/scan.npy`, encodeNpy(samples, [4, 4, 8, 8], "uint16"));
    for (const [command, kilobytes] of LOADED) {
      const loaded = await loadedBy(command, folder);
      const bytes = loaded.reduce((sum, [, bytes]) => sum + bytes, 0);
      const said = `${command} loads ${bytes} bytes: ${loaded.join(" ")}`;
      assert(bytes <= 1000 * kilobytes && loaded.length > 3, said);
    }
  });
});
