/**
 * Rooms whose files of tests run together, as one or two. A file of its own pays for a thread, for modules that are compiled again and
 * for code that is not yet fast, which is a fifth to a third of the time of rooms with many small files.
 *
 * Failures and reports name the files that were written. Files alone: `deno task test tests/io`.
 *
 * @module
 */

import { join, toFileUrl } from "@std/path";

/** Rooms whose files do not disturb each other, and take less time together; those of TIFF and HDF5 take more. */
export const JOINED: readonly (readonly string[])[] = [
  [
    "tests/channel_images",
    "tests/expr",
    "tests/formats/casacore",
    "tests/formats/zarr",
    "tests/masks",
    "tests/runner",
    "tests/skies",
    "tests/views/algebra",
    "tests/views/map",
  ],
  ["tests/channels/backends"],
  ["tests/channels/files"],
  [
    "tests/channels/host",
    "tests/channels/launch",
    "tests/channels/protocol",
    "tests/channels/remote",
    "tests/channels/wasi",
  ],
  ["tests/cli/analyses"],
  ["tests/cli/map"],
  ["tests/cli/outputs"],
  ["tests/cli/radio"],
  ["tests/cli/run"],
  ["tests/cli/view"],
  ["tests/cluster"],
  ["tests/codecs"],
  ["tests/dataset"],
  ["tests/documentation"],
  ["tests/formats/common", "tests/formats/memory", "tests/udf/blobfinder", "tests/views/tiles"],
  [
    "tests/formats/frms6",
    "tests/udf/testing",
    "tests/views/along",
    "tests/views/chain",
    "tests/views/measure",
    "tests/views/pairs",
    "tests/web_tiles",
  ],
  ["tests/hypercube"],
  ["tests/io"],
  ["tests/memory"],
  ["tests/observations"],
  ["tests/pictures"],
  ["tests/rime/equation"],
  ["tests/rime/image", "tests/rime/observed"],
  ["tests/rime/predict"],
  ["tests/rime/terms"],
  ["tests/sinks"],
  ["tests/space"],
  ["tests/udf/buffers"],
  ["tests/udf/builtin"],
  ["tests/udf/cluster", "tests/udf/kernel_udf", "tests/udf/channels"],
  ["tests/udf/interface"],
  ["tests/udf/plan"],
  ["tests/udf/run"],
  ["tests/views/operations"],
  ["tests/web"],
];

/** Kernels of a thread look at fences for good once one of its files asks for it. */
const FENCED = /^import ".*\/fences\/mod\.ts";$/m;

/** The files of tests below `folder` of `root`, without those of `elsewhere`: paths from `root`. */
export function testFiles(root: string, folder: string, elsewhere: readonly string[]): string[] {
  const found = [...Deno.readDirSync(join(root, folder))].map(({ name, isDirectory }) => ({
    path: `${folder}/${name}`,
    isDirectory,
  }));
  return found.filter(({ path }) => !elsewhere.includes(path)).flatMap(({ path, isDirectory }) =>
    isDirectory ? testFiles(root, path, elsewhere) : path.endsWith("_test.ts") ? [path] : []
  ).sort();
}

/** Writes into `to` what runs the files of such rooms: those with fences, and the others. The files that it runs. */
export function writeJoined(root: string, to: string, elsewhere: readonly string[]): string[] {
  return JOINED.flatMap((rooms) => {
    const files = rooms.flatMap((room) => testFiles(root, room, elsewhere)), folder = join(to, rooms[0]!);
    const groups = Object.groupBy(
      files,
      (path) => FENCED.test(Deno.readTextFileSync(join(root, path))) ? "fenced" : "plain",
    );
    Deno.mkdirSync(folder, { recursive: true });
    for (const [kind, paths] of Object.entries(groups)) {
      const imports = paths.map((path) => `import ${JSON.stringify(toFileUrl(join(root, path)).href)};\n`);
      Deno.writeTextFileSync(join(folder, `${kind}_test.ts`), imports.join(""));
    }
    return files;
  });
}
