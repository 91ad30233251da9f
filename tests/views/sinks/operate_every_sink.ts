/** Every operation into every sink, compared with its result in memory. */

import { assertEquals } from "@std/assert";
import { type Context, createContext } from "../../../src/runner/context.ts";
import type { DType, TypedArray } from "../../../src/space/dtype.ts";
import { type Shape, sizeOf } from "../../../src/space/shape.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { chunkedArray, memoryArray } from "../data.ts";
import { OPERATION_ROWS } from "../operations/table.ts";
import { withFolder } from "./data.ts";
import { type Draw, drawing, everySink } from "./every_sink.ts";

/** Images and volumes of several tiles and chunks. */
const SHAPES: readonly Shape[] = [[70, 91], [48, 48], [20, 150], [3, 33, 40], [2, 2, 18, 34]];
const BORDERS = ["edge", "reflect", "symmetric", "wrap", "constant"] as const;

/** Samples that fit every type but bool. */
function samplesOf(dtype: DType, seed: number): (flat: number) => number {
  const hashed = (flat: number) => Math.imul(flat + seed, 0x9e3779b1) >>> 12;
  if (dtype === "bool") return (flat) => hashed(flat) % 3 === 0 ? 1 : 0;
  if (dtype.startsWith("float")) return (flat) => Math.fround((hashed(flat) % 251 - 100) / 7);
  return (flat) => hashed(flat) % 127 - (dtype.startsWith("int") ? 60 : 0);
}

function arrayFor(shape: Shape, dtype: DType, draw: Draw) {
  const samples = samplesOf(dtype, draw(1000));
  if (draw(2) === 0) return memoryArray(shape, dtype, samples, draw(2) === 0 ? "little" : "big");
  return chunkedArray(shape, dtype, shape.map((n) => Math.min(n, 5 + draw(20))), samples).array;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: TypedArray) =>
  new Uint8Array(buffer, byteOffset, byteLength).toHex();

/** What a kind of file keeps of a shape: a plain TIFF is a list of images, OME-TIFF does not count dimensions of one sample. */
function shapeIn(sink: string, shape: Shape): Shape {
  const [outer, image] = [shape.slice(0, -2), shape.slice(-2)];
  if (/^.ome.tif/.test(sink)) return [...outer.filter((n) => n > 1), ...image];
  return /^.tif/.test(sink) ? [sizeOf(outer), ...image] : shape;
}

/** One case of the operation `name`, all drawn from `seed`, in one of `every` sinks; returns how many results were compared. */
export async function operateEverySink(
  name: keyof typeof OPERATION_ROWS,
  seed: number,
  context: Context,
  every = 1,
): Promise<number> {
  await using here = createContext({ workers: 0 }); // workers in processes may not read what was written
  const draw = drawing(seed);
  const row = OPERATION_ROWS[name];
  const dtype = row.dtypes[draw(row.dtypes.length)]!;
  const shape = SHAPES[draw(SHAPES.length)]!;
  const array = arrayFor(shape, dtype, draw);
  const radius = shape.map((_, d) => row.reaches(d, shape.length) ? draw(3) : 0);
  const options = { border: BORDERS[draw(BORDERS.length)]!, fill: 1, context };
  const operation = row.operation(radius, dtype);
  const whole = await mapViews(array, operation, { ...options, context: here });
  let compared = 0;
  await withFolder(async (folder) => {
    const sinks = everySink(draw, whole, folder).filter((_, n) => (n + seed) % every === 0);
    for (const { name: sinkName, sink, result } of sinks) {
      await mapViews(array, operation, { ...options, sink });
      const found = await result(here);
      const what = `${name} of ${shape} ${dtype}, radius ${radius}, ${options.border}, to ${sinkName}`;
      assertEquals(shapeIn(sinkName, found.shape), shapeIn(sinkName, whole.shape), what);
      assertEquals(bytesOf(found.data) === bytesOf(whole.data), true, what);
      compared++;
    }
  });
  return compared;
}
