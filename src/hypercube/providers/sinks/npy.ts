/**
 * A sink that writes outputs to `.npy` files.
 *
 * @module
 */

import { npyHeader } from "../../../codecs/npy_header.ts";
import { GatheredWrites } from "../../../io/write/gathered.ts";
import { PartFile, type WriteAt, writerAt } from "../../../io/write/part_file.ts";
import { finishTogether } from "../../../io/write/together.ts";
import { each, text } from "../../../options/rules.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../../space/shape.ts";
import { globalShape } from "../arrays.ts";
import type { SinkContext } from "../context.ts";
import type { Provider } from "../provider.ts";
import { writing } from "./under_way.ts";

/** A file that is being written. */
interface OpenFile {
  readonly part: PartFile;
  readonly shape: Shape;
  readonly head: number;
  readonly write: WriteAt;
  readonly gathered: GatheredWrites;
}

/**
 * A provider whose sinks write outputs to NumPy files, in the shape of the whole problem: an object of paths by the names of
 * outputs. The files appear together when the run is complete, and replace older files; if it fails, older files are not
 * changed. Tiles are written as they come; what no tile has given is zero.
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
export function toNpy(paths: Readonly<Record<string, string>>): Provider {
  each("an object of paths by the names of outputs", text)("toNpy()", "paths", paths);
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
function writeTile({ shape: whole, head, write, gathered }: OpenFile, { data, extents }: SinkContext): void {
  const { shape, dtype } = data;
  const { itemSize } = dtypeInfo(dtype);
  let depth = shape.length;
  while (depth > 0 && (depth === shape.length || shape[depth] === whole[depth])) depth--;
  const outer = shape.slice(0, depth);
  const row = sizeOf([...shape.slice(depth), itemSize]);
  const { buffer, byteOffset } = data.data;
  for (let n = 0, rows = sizeOf(outer); n < rows && row > 0; n++) {
    const at = unravel(n, outer);
    const first = extents.map(([lower], d) => lower + (d < depth ? at[d]! : 0));
    gathered.add(
      write,
      new Uint8Array(buffer, byteOffset + n * row, row),
      head + ravel(first, whole) * itemSize,
    );
  }
}
