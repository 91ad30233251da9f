/**
 * Packs of kernels: who calls a kernel says so in the place from which packs are loaded.
 *
 * The families that a file calls are read from its text; with those of all files that are loaded with it they are what a
 * codec, a reader, a UDF or an operation needs.
 */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { fromFileUrl, toFileUrl } from "@std/path";
import { CODEC_IDS, codecKernels } from "../../src/codecs/registry.ts";
import { FILTER_NAMES, filterKernels } from "../../src/codecs/filters/registry.ts";
import { isTilewiseError } from "../../src/errors.ts";
import { kernelsDigest } from "../../src/kernels/digest.ts";
import { ALL_KERNELS } from "../../src/kernels/kernels_digest.ts";
import { SAMPLE_TYPES } from "../../src/kernels/families/kernels_sample_types.ts";
import type { KernelFamily } from "../../src/kernels/families/families.ts";
import { CONVERSION_KERNELS, packOfKernel, packsOf } from "../../src/kernels/pack_names.ts";
import { kernelRows } from "../oracles/rows/catalogue.ts";
import type { Families } from "../../assembly/table/declaration.ts";
import { TABLE } from "../../assembly/table/table.ts";
import {
  instantiateKernels,
  kernelCode,
  loadKernels,
  type Pack,
  packBytes,
  PACKS,
} from "../../src/kernels/wasm.ts";
import { fromBase64 } from "../../src/space/bytes.ts";
import { RIME_PACKS } from "../../src/rime/geometry/packs.ts";
import { CORRECTION_KERNELS, FORM_KERNELS } from "../../src/udf/plan/packs.ts";
import { OPERATIONS } from "../../src/views/registry.ts";

const SRC = fromFileUrl(new URL("../../src/", import.meta.url));
const FAMILIES = Object.keys(SAMPLE_TYPES) as KernelFamily[];

/** The text of a file without comments. */
function code(path: string): string {
  return Deno.readTextFileSync(path).replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*/gm, "");
}

/** Files that many load, and few for the kernels that are called there. */
const SHARED =
  /(codecs\/(filters\/)?registry|codecs\/filters\/unpack|kernels\/(?!(fft|spectrum)\.ts$).*)\.ts$/;

/** The files that are loaded with `path`, without those that are shared. */
function loadedWith(path: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(path) || SHARED.test(path)) return seen;
  seen.add(path);
  for (const [, target] of code(path).matchAll(/^(?:import|export)(?! type\b)[^;]*?from\s+"(\.[^"]+)";/gm)) {
    loadedWith(fromFileUrl(new URL(target!, toFileUrl(path))), seen);
  }
  return seen;
}

/** What a text declares: lists after `kernels:` and `calls:`, and constants of families. */
const DECLARED = /(?:kernels|calls|_KERNELS[^=]*=):?\s*\[([^\]]*)\]/g;

/** The families that a file calls: as `name_u16`, as "name" where kernels are looked up, as the start of a template. */
function called(path: string): KernelFamily[] {
  const text = code(path).replaceAll(DECLARED, "");
  const looksUp = /kernels\/registry\.ts"/.test(text);
  const names = [...text.matchAll(/\b([a-z]\w*?)_(?:[uif](?:8|16|32|64))(?:be)?\b/g)].map(([, name]) =>
    name!
  );
  const quoted = looksUp ? [...text.matchAll(/"([a-z]\w*)"/g)].map(([, name]) => name!) : [];
  const starts = [...text.matchAll(/`([a-z]\w*_)\$\{/g)].map(([, start]) => start!);
  const inflates = /\b(unzlib|inflateRaw|crcOf|checksum)\b[^;]*from "\.\.?\/unpack\.ts"/.test(text);
  const found = new Set([...names, ...quoted, ...(inflates ? ["inflate"] : [])]);
  return FAMILIES.filter((family) =>
    found.has(family) || starts.some((start) => `${family}_`.startsWith(start))
  );
}

/** The packs beside `core` of what is called in `path` and the files that are loaded with it. */
function needed(path: string): Pack[] {
  return packsOf([...loadedWith(join(SRC, path))].flatMap(called)).filter((pack) => pack !== "core");
}

/** The packs beside `core` of these families. */
function packs(families: Iterable<KernelFamily>): Pack[] {
  return packsOf(families).filter((pack) => pack !== "core");
}

/** The families that the files loaded with `path` declare. */
function declared(path: string): KernelFamily[] {
  return [...loadedWith(join(SRC, path))].flatMap((file) =>
    [...code(file).matchAll(DECLARED)].flatMap(([, list]) =>
      FAMILIES.filter((family) => list!.includes(`"${family}"`))
    )
  );
}

/** The modules that a table of functions loads, by the names of the table. */
function modulesOf(table: string, folder: string): Map<string, string[]> {
  const text = code(join(SRC, table));
  const entries = text.matchAll(
    /^ {2}"?([\w-]+)"?:\s*(?:\{|async|\(\))[^]*?(?:import\("(\.[^"]+)"\)|resolve\((\w+)\))/gm,
  );
  const files = new Map<string, string[]>();
  for (const [, name, target, value] of entries) {
    const file = target ?? text.match(new RegExp(`\\b${value}\\b[^;]*from "(\\.[^"]+)"`))![1]!;
    const path = fromFileUrl(new URL(file, toFileUrl(join(SRC, folder, "x.ts")))).slice(SRC.length);
    files.set(path, [...files.get(path) ?? [], name!]);
  }
  return files;
}

Deno.test("what the text of a file says about kernels is found", () => {
  const path = join(SRC, "views/operations/down_sample.ts");
  assertEquals(packsOf(called(path)), ["core", "windows"]);
  assertEquals(called(join(SRC, "codecs/filters/jpeg/scan.ts")), ["jpeg_codes", "jpeg_scan", "jpeg_pass"]);
  assertEquals(declared("udf/builtin/log_sum.ts"), ["log_product", "log_product_merge"]);
});

Deno.test("codecs of frames name the kernels that they call", () => {
  const files = modulesOf("codecs/registry.ts", "codecs");
  assertEquals([...files.values()].flat().sort(), [...CODEC_IDS].sort());
  for (const [path, ids] of files) assertEquals(needed(path), packs(ids.flatMap(codecKernels)), path);
});

Deno.test("filters of chunks name the kernels that they call", () => {
  const files = modulesOf("codecs/filters/registry.ts", "codecs/filters");
  assertEquals([...files.values()].flat().sort(), [...FILTER_NAMES].sort());
  for (const [path, names] of files) {
    const all = packs(names.flatMap(filterKernels));
    for (const pack of needed(path)) assert(all.includes(pack), `${path}: ${pack}, declared ${all}`);
  }
});

Deno.test("kinds of storage name the kernels that their readers call", () => {
  for (const [path] of modulesOf("dataset/storage/reader.ts", "dataset/storage")) {
    const kind = path.replace("reader.ts", "kind.ts");
    const lists = [...code(join(SRC, kind)).matchAll(/kernels: \(\) => \[([^\]]*)\]/g)].map(([, list]) =>
      list
    );
    const own = FAMILIES.filter((family) => lists.join().includes(`"${family}"`));
    assertEquals(needed(path), packs(own), path);
  }
});

Deno.test("UDFs of Tilewise name the kernels that they call", () => {
  for (const [path, names] of modulesOf("udf/worker/builtins.ts", "udf/worker")) {
    const all = packs([...declared(path), ...FORM_KERNELS]);
    for (const pack of needed(path)) {
      assert(all.includes(pack), `${names} (${path}): ${pack}, declared ${all}`);
    }
  }
});

Deno.test("plans know the kernels that correct, and that make sparse tiles", () => {
  assertEquals(needed("udf/worker/corrector.ts"), packs([...CONVERSION_KERNELS, ...CORRECTION_KERNELS]));
  assertEquals(needed("udf/worker/sparse_forms.ts"), packs([...CONVERSION_KERNELS, ...FORM_KERNELS]));
});

Deno.test("operations over views name the kernels that they call", async () => {
  const files = modulesOf("views/registry.ts", "views");
  assertEquals([...files.values()].flat().sort(), Object.keys(OPERATIONS).sort());
  const tables: Readonly<
    Record<string, () => Promise<{ kernels: readonly KernelFamily[]; calls?: readonly KernelFamily[] }>>
  > = OPERATIONS;
  for (const [path, names] of files) {
    for (const name of names) {
      const { kernels, calls = [] } = await tables[name]!();
      const all = packs([...kernels, ...calls]);
      for (const pack of needed(path)) assert(all.includes(pack), `${name}: ${pack}, declared ${all}`);
    }
  }
});

Deno.test("the measurement equation loads all that it calls, and no other file calls what is not in core", () => {
  const known = /^(kernels|codecs|rime|udf\/(builtin|worker)|views\/(operations|regions)|dataset\/storage)\//;
  const found: string[] = [];
  const walk = (folder: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(join(SRC, folder))) {
      const path = `${folder}${name}`;
      if (isDirectory) walk(`${path}/`);
      else if (name.endsWith(".ts")) {
        const own = packs(called(join(SRC, path)));
        if (path.startsWith("rime/")) assert(own.every((pack) => RIME_PACKS.includes(pack)), path);
        else if (!known.test(path) && own.length > 0) found.push(`${path}: ${own}`);
      }
    }
  };
  walk("");
  assertEquals(found.sort(), [ // which load these packs themselves
    "cli/inputs/measured.ts: windows",
    "dataset/supplied.ts: conversions",
    "formats/common/gzip.ts: unpack",
    "udf/kernel_udf/families.ts: windows",
  ]);
});

const PACK_OF = Object.fromEntries(
  Object.values(TABLE).flatMap((families: Families) =>
    Object.entries(families).map(([name, { pack }]) => [name, pack])
  ),
);

Deno.test("every kernel is in the pack of its family", () => {
  for (const { name, family } of kernelRows()) {
    assertEquals(packOfKernel(name), PACK_OF[family]);
  }
  assertEquals(
    ["then", "sum_frames", "_u8", "toString_u8", "constructor_u8"].map(packOfKernel),
    Array(5).fill(undefined),
  );
});

Deno.test("kernels of a pack that is not there are refused by name, and others are not", async () => {
  await loadKernels();
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = instantiateKernels(memory, kernelCode(memory, false, ["core", "zstd"]));
  assertEquals(typeof exports.sum_frames_u16, "function");
  assertEquals(typeof exports.zstd_u8, "function");
  const error = assertThrows(
    () => exports.fft2_f64,
    Error,
    'Cannot call the kernel fft2_f64: its pack "fft"',
  );
  assert(isTilewiseError(error, "corrupt"));
  assertEquals(Object.keys(exports).includes("lzf_u8"), false);
  instantiateKernels(memory, kernelCode(memory, false, ["fft"])); // a later run on the same memory
  assertEquals(typeof exports.fft2_f64, "function");
});

Deno.test("code travels as modules or as bytes, pack by pack", async () => {
  await loadKernels(["core", "regions"]);
  for (const shared of [true, false]) {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared });
    const modules = kernelCode(memory, false, ["regions", "core"]);
    assertEquals(Object.keys(modules), ["core", "regions"]);
    const bytes = kernelCode(memory, true, ["core"]);
    assertEquals(bytes, { core: packBytes("core", shared) });
    const { exports } = instantiateKernels(memory, structuredClone(bytes));
    new Uint8Array(memory.buffer, 64, 3).set([1, 2, 250]);
    exports.sum_frames_u8(1024, 64, 1, 3, 3);
    assertEquals([...new Float64Array(memory.buffer, 1024, 3)], [1, 2, 250]);
  }
});

Deno.test("packs are small, and core is the smallest that sums", async () => {
  const sizes = new Map<Pack, number>();
  for (const pack of PACKS) {
    const { PACK } = await import(`../../src/kernels/packs/${pack}.ts`);
    sizes.set(pack, fromBase64(PACK.packed).length);
  }
  assert(sizes.get("core")! + sizes.get("masks")! < 12_000, [...sizes].join());
  assert([...sizes.values()].reduce((sum, bytes) => sum + bytes) < 125_000, [...sizes].join());
});

Deno.test("a pack that cannot be fetched is an error of input, and can be asked for again", async () => {
  const program = `
    import { loadPacks, storePacks, packBytes } from ${
    JSON.stringify(toFileUrl(join(SRC, "kernels/code.ts")).href)
  };
    let calls = 0;
    storePacks(async (pack) => {
      if (++calls === 1) throw new TypeError("no network");
      return (await import(${
    JSON.stringify(toFileUrl(join(SRC, "kernels/packs/")).href)
  } + pack + ".ts")).PACK;
    });
    const failed = await Promise.allSettled([loadPacks(["core"]), loadPacks(["core"])]);
    const said = failed.map(({ reason }) => reason?.code + ": " + reason?.message);
    await loadPacks(["core"]);
    postMessage([said, calls, packBytes("core", false).length > 1000]);
  `;
  const worker = new Worker(`data:text/javascript,${encodeURIComponent(program)}`, { type: "module" });
  const message = await new Promise<unknown>((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = reject;
  });
  worker.terminate();
  const text = 'io: Cannot load the kernels of the pack "core": no network';
  assertEquals(message, [[text, text], 2, true]);
});

Deno.test("names of packs are checked", async () => {
  await assertRejects(
    () => loadKernels(["cores" as Pack]),
    Error,
    'there is no pack of kernels "cores"; there are core',
  );
});

Deno.test("the digest of all packs, which manifests have, is that of the packs", async () => {
  assertEquals(ALL_KERNELS, await kernelsDigest(PACKS));
});
