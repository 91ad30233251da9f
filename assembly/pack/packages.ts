/**
 * The packages that the package for npm has inside, each as one file that is loaded when it is needed: who installs Tilewise
 * installs nothing else, and bundlers find nothing in them that belongs to Node.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { build, type Plugin } from "esbuild";
import { deflateRawSync } from "node:zlib";
import { PACKAGES } from "../../src/packages.ts";
import { linkPackages } from "../../web/build/node_modules.ts";
import { ADDED_WHEN_NEEDED } from "./manifest.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));

/** A package inside. */
interface Inside {
  /** The name by which code asks for it. */
  readonly name: string;
  /** Its file, without the ending. */
  readonly file: string;
  /** As Deno finds it. */
  readonly specifier: string;
}

/** All of them; with `large`, as well those that the package for npm leaves to its users. */
export function inside(large = false): Inside[] {
  return Object.entries(PACKAGES).filter(([name]) =>
    large || !ADDED_WHEN_NEEDED.includes(name.split("/")[0]!)
  )
    .map(([name, specifier]) => ({ name, specifier, file: `package-${name.replace("/", "-")}` }));
}

/** The form of all files of the package. */
export const SMALL = {
  outdir: "/",
  write: false,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
} as const;

/** Their files by name. */
export async function packageFiles(packages: readonly Inside[]): Promise<Map<string, string>> {
  return await withPackages(packages, async (modules) => {
    const { outputFiles } = await build({
      absWorkingDir: ROOT,
      entryPoints: Object.fromEntries(packages.map(({ name, file }) => [file, name])),
      ...SMALL,
      legalComments: "inline",
      nodePaths: [modules],
      preserveSymlinks: true,
      plugins: [NODE, SMALLER],
      logLevel: "silent",
    });
    return new Map(outputFiles.map(({ path, text }) => [path.slice(1), text]));
  });
}

/** Modules of Node are asked for where there are any, and are not imported, which bundlers for pages would follow. */
export const NODE: Plugin = {
  name: "node",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:.*|module|fs|path|url|crypto|worker_threads)$/ }, ({ path }) => ({
      path: path.replace(/^(node:)?/, "node:"),
      namespace: "node",
    }));
    onLoad({ filter: /.*/, namespace: "node" }, ({ path }) => ({
      contents: `module.exports = globalThis.process?.getBuiltinModule?.("${path}") ?? {};`,
    }));
  },
};

/** The module in the compressor of Zstandard, as base64: packed it is a third, and bundlers do not warn about its size. */
const SMALLER: Plugin = {
  name: "smaller",
  setup({ onLoad }) {
    onLoad({ filter: /numcodecs.*[\\/]zstd\.js$/ }, async ({ path }) => {
      const text = await Deno.readTextFile(path);
      const packed = text.replace(
        /= __toBinary\("([^"]+)"\);/,
        (_, bytes) => `= "${deflateRawSync(Uint8Array.fromBase64(bytes), { level: 9 }).toString("base64")}";`,
      );
      const contents = packed.replace(
        /var init = \(\) => (\w+)\((\{[^}]*wasmBinary: )(\w+) \}\);/,
        "var init = async () => $1($2await unpacked($3) });",
      );
      if (packed === text || contents === packed) throw new Error(`${path} has its module elsewhere now`);
      return { contents: contents + UNPACKED };
    });
  },
};

const UNPACKED = `
async function unpacked(text) {
  const bytes = __toBinary(text);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
`;

/** What the licences of these packages say. */
export async function licences(): Promise<string> {
  const texts = await withPackages(
    inside(),
    (modules) => Promise.all(inside().map((one) => licence(one, modules))),
  );
  return `Tilewise has the licence MIT, in the file LICENSE. These packages are inside of it:\n\n${
    texts.join("\n")
  }`;
}

async function licence({ specifier, file }: Inside, modules: string): Promise<string> {
  const [, name, version] = /^npm:([^@]+)@([^/]+)/.exec(specifier)!;
  const folder = join(modules, name!);
  const { license, author, repository } = JSON.parse(await Deno.readTextFile(join(folder, "package.json")));
  const names = Array.from(Deno.readDirSync(folder), ({ name }) => name);
  const text = names.find((one) => /^licen[cs]e/i.test(one));
  const from = typeof repository === "string" ? repository : repository?.url;
  const by = typeof author === "string" ? author : author?.name;
  const head = `${name} ${version} (dist/${file}.js): ${license}, by ${by ?? name}, ${
    from ?? `npm:${name}`
  }\n`;
  return text === undefined ? head : `${head}\n${await Deno.readTextFile(join(folder, text))}\n`;
}

async function withPackages<T>(
  packages: readonly Inside[],
  work: (modules: string) => Promise<T>,
): Promise<T> {
  const place = await Deno.makeTempDir({ prefix: "tilewise-packages-" });
  try {
    return await work(await linkPackages(place, packages.map(({ specifier }) => specifier)));
  } finally {
    await Deno.remove(place, { recursive: true });
  }
}
