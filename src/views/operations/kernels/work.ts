/**
 * A compiled kernel over views as an operation: this code runs in workers, which do not load the compiler.
 *
 * The result of a tile goes to a place of its own with a guard on both sides, so that a kernel that writes a little too
 * far is found, before it is copied to where it belongs.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { type Box, showBox } from "../../../space/box.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { withHalo } from "../../../space/halo.ts";
import type { NDArray } from "../../../space/ndarray.ts";
import { showShape, sizeOf } from "../../../space/shape.ts";
import { instantiate, placeOf, shiftOf } from "../../../user_kernels/instance.ts";
import { viewRecordBytes, writeViewRecord } from "../../../user_kernels/prelude.ts";
import { calledFor } from "../called.ts";
import { functionArrays } from "../function_arrays.ts";
import { eachPlace } from "../lines.ts";
import {
  OF_USERS,
  type OperationEntry,
  type OperationFacts,
  type OperationSetting,
  orderOfArrays,
  type TileWork,
} from "../operation.ts";
import type { FunctionView } from "../view_function.ts";
import { type KernelUse, type ReadyKernel, USE_NAMES } from "./options.ts";

/** Bytes of a pattern before and after the result of a tile. */
const GUARD = 64;
const PATTERN = 0xa5;
/** What kernels get as the address of an array of no samples: in the first page, which nobody may write to. */
const NOWHERE = 0;

/** See `viewKernel`. */
export const VIEW_KERNEL: OperationEntry<KernelUse> = {
  name: "viewKernel",
  params: USE_NAMES,
  ...OF_USERS,
  result: (stored, { dtype }) => dtype === "native" ? stored : dtype,
  values: (_, { values = "unknown" }) => values,
  scratch: scratchOf,
  start: startKernel,
};

/** The compiled kernel of an operation that was planned. */
function readyOf({ ready }: KernelUse): ReadyKernel {
  if (ready) return ready;
  throw new TilewiseError("corrupt", "A kernel over views was not compiled when its run was planned");
}

function scratchOf(facts: OperationFacts<KernelUse>): Record<string, number> {
  const { params: use, dtype, result, tile, halo } = facts;
  const { kernel, input } = readyOf(use);
  const samples = sizeOf(withHalo(tile, halo));
  const count = use.inputs?.length ?? 1;
  const arrays = Object.entries(use.arrays).map(([name, { byteLength }]) => [`array ${name}`, byteLength]);
  const scratch = Object.entries(use.scratch).map(([name, { dtype, length = 0, perSample = 0 }]) => {
    return [`scratch ${name}`, (length + perSample * samples) * dtypeInfo(dtype).itemSize];
  });
  return {
    input: input === dtype ? 0 : count * samples * dtypeInfo(input).itemSize,
    output: sizeOf(tile) * dtypeInfo(result).itemSize + 2 * GUARD,
    statics: kernel.statics,
    view: count * viewRecordBytes(tile.length),
    ...Object.fromEntries(arrays),
    ...Object.fromEntries(scratch),
  };
}

function startKernel(setting: OperationSetting<KernelUse, string>): TileWork {
  const { params: use, dtype, result, name, radius, halo: { back }, kernels: { memory }, scratch } = setting;
  const { kernel, input } = readyOf(use);
  const places = { at: (name: string) => scratch.at(name) + (name === "output" ? GUARD : 0) };
  const order = orderOfArrays(use.inputs ?? [], setting);
  const arrays = functionArrays({ memory, stored: dtype, input, dtype: result, scratch: places, order });
  const run = callerOf(setting);
  const callee = {
    who: `Kernel "${name}"`,
    doing: { text: `kernel "${name}" over views`, details: { kernel: name } },
    placeOf: (error: unknown) => placeOf(error, kernel, shiftOf(kernel, memory)),
  };
  return (view, out, tile) => {
    const [given, made] = [arrays.of(view), arrays.room(out)];
    const guards = guardsOf(memory, made);
    for (const guard of guards) guard.fill(PATTERN);
    calledFor(callee, tile, () => run({ given, made, radius, back, origin: tile.origin }));
    if (!guards.every((guard) => guard.every((byte) => byte === PATTERN))) throw strayed(name, tile);
    arrays.deliver(made, out);
  };
}

/** What a kernel is called with for one tile. */
interface KernelCallFacts extends Pick<FunctionView, "radius" | "back" | "origin"> {
  /** The samples of the view, of each array. */
  readonly given: readonly NDArray[];
  /** Where the result goes. */
  readonly made: NDArray;
}

/** The function that calls the kernel for one tile: once, or plane by plane. */
function callerOf(setting: OperationSetting<KernelUse, string>): (facts: KernelCallFacts) => void {
  const { params: use, result, name, kernels: { memory }, scratch } = setting;
  const { kernel, call, input } = readyOf(use);
  const statics = kernel.statics > 0 ? scratch.at("statics") : undefined;
  const run = instantiate(kernel, call, memory, { name, statics });
  const rest = [...constantsIn(setting), ...Object.values(use.params)];
  const [size, bytes] = [dtypeInfo(input).itemSize, dtypeInfo(result).itemSize];
  return ({ given, made, radius, back, origin }) => {
    const { shape, data: { byteOffset: out } } = made;
    const strides = given[0]!.stride.map((samples) => samples * size);
    const first = radius.reduce((at, r, d) => at + r * strides[d]!, 0);
    const begins = given.map(({ data }) => data.byteOffset + first);
    if (call === "tile") {
      const views = begins.map((data, n) => {
        const place = scratch.at("view") + n * viewRecordBytes(shape.length);
        writeViewRecord(memory, place, { data, shape, strides, radius, back, origin });
        return place;
      });
      run(...views, out, ...rest);
      return;
    }
    const [rows, cols] = [shape.at(-2) ?? 1, shape.at(-1)!];
    const planes = { pointer: out, strides: made.stride.map((samples) => samples * bytes) };
    eachPlace(shape.slice(0, -2), { pointer: 0, strides }, planes, (from, to) => {
      run(...begins.map((data) => data + from), strides.at(-2) ?? cols * size, to, rows, cols, ...rest);
    });
  };
}

/** Addresses of arrays, which are filled here, and of scratch arrays. */
function constantsIn({ params, kernels: { memory }, scratch }: OperationSetting<KernelUse, string>) {
  const arrays = Object.entries(params.arrays).map(([name, { buffer, byteOffset, byteLength }]) => {
    if (byteLength === 0) return NOWHERE;
    const pointer = scratch.at(`array ${name}`);
    new Uint8Array(memory.buffer, pointer, byteLength).set(new Uint8Array(buffer, byteOffset, byteLength));
    return pointer;
  });
  const own = Object.entries(params.scratch).map(([name, { length = 0, perSample = 0 }]) =>
    length + perSample > 0 ? scratch.at(`scratch ${name}`) : NOWHERE
  );
  return [...arrays, ...own];
}

/** The bytes before and after the result of a tile. */
function guardsOf({ buffer }: WebAssembly.Memory, { data: { byteOffset, byteLength } }: NDArray) {
  return [byteOffset - GUARD, byteOffset + byteLength].map((at) => new Uint8Array(buffer, at, GUARD));
}

function strayed(name: string, tile: Box): TilewiseError {
  const at = showBox(tile);
  const text = `Kernel "${name}" writes outside of its result for the tile ${at}; the result has the shape ` +
    `${showShape(tile.shape)}, row-major without gaps`;
  return new TilewiseError("udf", text, { kernel: name, tile: at });
}
