/**
 * Sources in directions, each with Jones matrices of its own per antenna, as calibration finds them: sources of a direction are
 * summed up first, and their sum is multiplied once, `V = Σ_d J_pd (Σ_{s in d} …) J_qd^H`.
 *
 * @module
 */

import type { ArraySchema } from "../../hypercube/cube/cube.ts";
import type { CubeArray } from "../../hypercube/providers/provider.ts";
import type { CubeTask } from "../../hypercube/run/run_cube.ts";
import type { KernelFamilies } from "../../kernels/families/families.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { checkIndices } from "./blocks.ts";

type Arrays = Readonly<Record<string, CubeArray>>;

/** Inputs with an entry per source, and those with a column for each of the last of them. */
const PER_SOURCE = ["lm", "stokes", "reference_frequency", "spectral_terms"] as const;
const COLUMNS = ["gaussian_shape", "sersic_shape", "shapelet_shape"] as const;
const COEFFICIENTS = "shapelet_coefficients";

/** The inputs and the scratch of directions, for a cube with these inputs and this output. */
export function directionArrays(inputs: readonly ArraySchema[], output: ArraySchema): ArraySchema[] {
  const rows = output.shape.slice(0, -2), correlations = output.shape.at(-1)!;
  const temporary = (name: string, shape: ArraySchema["shape"], dtype: ArraySchema["dtype"]): ArraySchema => {
    return { name, shape, dtype, role: "temporary" };
  };
  const own = inputs.filter(({ name }) =>
    [...PER_SOURCE, ...COLUMNS, COEFFICIENTS].some((one) => one === name)
  );
  return [
    {
      name: "direction",
      shape: ["nsrc"],
      dtype: "int32",
      role: "input",
      description: "number of the direction",
    },
    {
      name: "direction_jones",
      shape: ["ndir", "ntime", "na", "nchan", correlations],
      dtype: output.dtype,
      role: "input",
      description: "Jones matrices of directions, row-major",
    },
    ...own.map(({ name, shape, dtype }) => temporary(`work_own_${name}`, shape, dtype)),
    temporary("work_own_numbers", ["nsrc"], "int32"),
    temporary("work_own_vis", output.shape, output.dtype),
    temporary("work_own_rows", [3, ...rows], "int32"),
  ];
}

/** The kernels that directions need, and their memory. */
interface DirectionKernels {
  readonly memory: WebAssembly.Memory;
  readonly apply: KernelFamilies["apply_gains"];
  readonly add: KernelFamilies["add"];
}

/** The sum over the sources of all directions, made of `sum`, which computes the visibilities of some sources. */
export function byDirection(
  { memory, apply, add }: DirectionKernels,
  sum: (task: CubeTask) => void,
): (task: CubeTask) => void {
  return (task) => {
    const { arrays } = task;
    const model = arrays["model_vis"]!, own = { ...model, pointer: arrays["work_own_vis"]!.pointer };
    const {
      pointer: jones,
      shape: [directions = 0, times = 0, antennas = 0, channels = 0, correlations = 0],
      dtype,
    } = arrays["direction_jones"]!;
    const bytes = times * antennas * channels * correlations * dtypeInfo(dtype).itemSize;
    new Float64Array(memory.buffer, model.pointer, sizeOf(model.shape) * dtypeInfo(dtype).itemSize / 8).fill(
      0,
    );
    const [antenna1, antenna2, timeIndex, rows] = placeRows(memory, arrays);
    for (const [direction, numbers] of sourcesOf(memory, arrays, directions)) {
      sum({ ...task, arrays: { ...arrays, ...gathered(memory, arrays, numbers), model_vis: own } });
      const of = jones + direction * bytes;
      apply(own.pointer, of, antenna1, antenna2, timeIndex, rows, antennas, channels, correlations);
      add(model.pointer, own.pointer, 2 * sizeOf(model.shape));
    }
  };
}

/** The numbers of the sources of each direction that has some, in order. */
function sourcesOf(memory: WebAssembly.Memory, arrays: Arrays, directions: number): [number, number[]][] {
  const { pointer, shape: [count] } = arrays["direction"]!;
  const of = new Int32Array(memory.buffer, pointer, count);
  checkIndices("direction", of, directions);
  const found = Array.from({ length: directions }, (): number[] => []);
  of.forEach((direction, source) => found[direction]!.push(source));
  return [...found.entries()].filter(([, numbers]) => numbers.length > 0);
}

/** Addresses of the antennas and the time of each row, and the number of rows. */
function placeRows(memory: WebAssembly.Memory, arrays: Arrays): [number, number, number, number] {
  const { pointer, shape: [, ...shape] } = arrays["work_own_rows"]!;
  const rows = sizeOf(shape), places = [pointer, pointer + 4 * rows, pointer + 8 * rows] as const;
  placeIndices(memory, arrays, rows, places);
  return [...places, rows];
}

/** Writes both antennas and the time of each row to these addresses. */
export function placeIndices(
  { buffer }: WebAssembly.Memory,
  arrays: Arrays,
  rows: number,
  places: readonly [antenna1: number, antenna2: number, times: number],
): void {
  const given = (name: string) => {
    const { pointer, shape } = arrays[name]!;
    return new Int32Array(buffer, pointer, sizeOf(shape));
  };
  const [first, second] = [given("antenna1"), given("antenna2")];
  const times = arrays["time_index"] && given("time_index");
  const [one, two, time] = places.map((at) => new Int32Array(buffer, at, rows));
  for (let row = 0; row < rows; row++) {
    one![row] = first[row % first.length]!;
    two![row] = second[row % first.length]!;
    time![row] = times ? times[row]! : Math.floor(row / first.length);
  }
}

/** The arrays of some sources, one after the other; `work_own_numbers` says which ones they are. */
function gathered(
  memory: WebAssembly.Memory,
  arrays: Arrays,
  numbers: readonly number[],
): Record<string, CubeArray> {
  const place = arrays["work_own_numbers"]!;
  new Int32Array(memory.buffer, place.pointer, numbers.length).set(numbers);
  const found: Record<string, CubeArray> = { work_own_numbers: { ...place, shape: [numbers.length] } };
  for (const name of PER_SOURCE) if (arrays[name]) found[name] = taken(memory, arrays, name, numbers);
  let end = arrays["lm"]!.shape[0]!;
  for (const name of [...COLUMNS].reverse()) {
    const count = arrays[name]?.shape[1] ?? 0, start = end - count;
    const some = numbers.filter((number) => number >= start && number < end).map((number) => number - start);
    if (arrays[name]) found[name] = columns(memory, arrays, name, some);
    if (name === "shapelet_shape" && arrays[COEFFICIENTS]) {
      found[COEFFICIENTS] = taken(memory, arrays, COEFFICIENTS, some);
    }
    end = start;
  }
  return found;
}

/** Entries of an array whose first axis are sources. */
function taken(
  memory: WebAssembly.Memory,
  arrays: Arrays,
  name: string,
  numbers: readonly number[],
): CubeArray {
  const { pointer, shape: [, ...rest], dtype } = arrays[name]!, to = arrays[`work_own_${name}`]!.pointer;
  const bytes = new Uint8Array(memory.buffer), each = sizeOf(rest) * dtypeInfo(dtype).itemSize;
  numbers.forEach((number, i) =>
    bytes.copyWithin(to + i * each, pointer + number * each, pointer + (number + 1) * each)
  );
  return { pointer: to, shape: [numbers.length, ...rest], dtype };
}

/** Columns of an array (3, sources) of float64. */
function columns(
  memory: WebAssembly.Memory,
  arrays: Arrays,
  name: string,
  numbers: readonly number[],
): CubeArray {
  const { pointer, shape: [, count], dtype } = arrays[name]!, to = arrays[`work_own_${name}`]!.pointer;
  const from = new Float64Array(memory.buffer, pointer, 3 * count!);
  const out = new Float64Array(memory.buffer, to, 3 * numbers.length);
  for (let row = 0; row < 3; row++) {
    numbers.forEach((number, i) => out[row * numbers.length + i] = from[row * count! + number]!);
  }
  return { pointer: to, shape: [3, numbers.length], dtype };
}
