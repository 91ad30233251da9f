/**
 * A sink that writes outputs to `.npy` files.
 *
 * @module
 */

import { npyHeader } from "../../../sinks/npy/npy_header.ts";
import { GatheredWrites } from "../../../io/write/gathered.ts";
import { PartFile, type WriteAt, writerAt } from "../../../io/write/part_file.ts";
import { finishTogether } from "../../../io/write/together.ts";
import { checkOptionNames, type OptionNames } from "../../../options.ts";
import { each, text } from "../../../options/rules.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { globalShape } from "../arrays.ts";
import type { SinkContext } from "../context.ts";
import type { Provider } from "../provider.ts";
import type { ResumeOptions } from "./resume.ts";
import { ResumedNpy } from "./resumed_npy.ts";
import { rowsOf } from "./rows.ts";
import { writing } from "./under_way.ts";

/** A file that is being written. */
interface OpenFile {
  readonly part: PartFile;
  readonly shape: Shape;
  readonly head: number;
  readonly write: WriteAt;
  readonly gathered: GatheredWrites;
}

const OPTIONS: OptionNames<ResumeOptions> = { resume: text };

/**
 * A provider whose sinks write outputs to NumPy files, in the shape of the whole problem: an object of paths by the names of
 * outputs. The files appear together when the run is complete, and replace older files; if it fails, older files are not
 * changed. Tiles are written as they come; what no tile has given is zero. With `resume` each file appears by itself, and a
 * run that is stopped can go on.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { cubeExpression, hypercube, planTiles, solve, toNpy } from "@tilewise/tilewise/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: { y: 4, z: 6 },
 *   arrays: [{ name: "table", shape: ["y", "z"], dtype: "float64", role: "output" }],
 * });
 * const folder = await Deno.makeTempDir();
 * await using context = createContext({ workers: 0 });
 * const sinks = [toNpy({ table: `${folder}/table.npy` })];
 * await solve(planTiles(cube, { context, tile: ["y"] }), { kernel: cubeExpression({ table: "y * z" }), sources: {}, sinks });
 * const { shape, dtype } = await open(`${folder}/table.npy`);
 * assertEquals([shape, dtype], [[4, 6], "float64"]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Hypercubes
 */
export function toNpy(paths: Readonly<Record<string, string>>, options: ResumeOptions = {}): Provider {
  each("an object of paths by the names of outputs", text)("toNpy()", "paths", paths);
  checkOptionNames("toNpy()", options, OPTIONS);
  if (options.resume !== undefined) return resumed(paths, options.resume);
  const files = new Map<string, OpenFile>();
  const names = Object.keys(paths);
  return writing({
    name: "npy files",
    outputs: names,
    put: (context) => writeTile(files.get(context.name)!, context),
    async start({ cube }) {
      for (const name of names) {
        const shape = globalShape(cube, name);
        const { dtype } = cube.array(name);
        const part = await PartFile.at(paths[name]!);
        const head = npyHeader(dtype, shape);
        await part.create(head, head.length + sizeOf([...shape, dtypeInfo(dtype).itemSize]));
        const write = await writerAt(part.part, paths[name]!);
        files.set(name, { part, shape, head: head.length, write, gathered: new GatheredWrites() });
      }
    },
    async stop({ error }) {
      const all = [...files.values()];
      files.clear();
      try {
        if (error !== undefined) return;
        for (const { gathered } of all) gathered.flush();
        await finishTogether(all.map(({ part }) => part));
      } finally {
        for (const { part } of all) await part[Symbol.asyncDispose]();
      }
    },
  });
}

/** Writes the rows of a tile, each as long as its samples follow each other in the file. */
function writeTile({ shape, head, write, gathered }: OpenFile, { data, extents }: SinkContext): void {
  const { buffer, byteOffset } = data.data;
  for (const { from, to, bytes } of rowsOf(shape, data.dtype, extents)) {
    gathered.add(write, new Uint8Array(buffer, byteOffset + from, bytes), head + to);
  }
}

/** The same for files that a later run can go on with. */
function resumed(paths: Readonly<Record<string, string>>, resume: string): Provider {
  const names = Object.keys(paths);
  const files = new Map<string, ResumedNpy>();
  return writing({
    name: "npy files",
    outputs: names,
    put: (context) => files.get(context.name)!.put(context),
    async start(context) {
      for (const name of names) {
        files.set(name, await ResumedNpy.open(context, name, paths[name]!, resume));
      }
    },
    completed: () => Math.min(...[...files.values()].map(({ completed }) => completed)),
    async stop({ error }) {
      const all = [...files.values()];
      files.clear();
      try {
        for (const file of all) file.flush();
        if (error === undefined) { for (const file of all) await file.finish(); }
      } finally {
        for (const file of all) await file[Symbol.asyncDispose]();
      }
    },
  });
}
