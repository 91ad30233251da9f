/**
 * The arguments of a kernel: checked against its signature, and put where workers find them.
 *
 * | argument | a kernel in WebAssembly gets | a function gets |
 * |---|---|---|
 * | number | `i32`, `f32` or `f64`, as its signature says | the number |
 * | bigint | `i64` | the bigint |
 * | truth value | `i32` | the truth value |
 * | text, or `host.name()` | address and bytes of its UTF-8 (`usize`, `i32`) | the text |
 * | `host.array()` | address and number of samples (`usize`, `i32`) | a typed array over the same samples |
 * | typed array | the same; its numbers are copied in before, and back afterwards | the same |
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { inWords } from "../../options.ts";
import type { Holding } from "../../memory/account.ts";
import { leasedBytes } from "../../memory/arena.ts";
import type { Leases } from "../../runner/leases.ts";
import { dtypeInfo, dtypeOf, type TypedArray, typedArray } from "../../space/dtype.ts";
import { copyNumbers } from "../../space/numbers.ts";
import type { Signature } from "../../user_kernels/inspect.ts";
import { isKernelArray, type KernelArray, leaseName, liesIn, type NameAt } from "../host/arrays.ts";
import type { ArrayAt, KernelCode, PlacedArgument } from "./shared.ts";

/**
 * An argument of a kernel.
 * @category Channels
 */
export type LaunchArgument = number | bigint | boolean | string | NameAt | KernelArray | TypedArray;

/** An argument, by what becomes of it. */
type Kind = "number" | "bigint" | "boolean" | "text" | "name" | "array";

/** What a kind of argument is for a kernel: types of parameters, of which the first one that fits counts. */
const TYPES: Readonly<Record<Kind, readonly (readonly string[])[]>> = {
  number: [["f64"], ["i32"], ["f32"]],
  bigint: [["i64"]],
  boolean: [["i32"]],
  text: [["i32", "i32"]],
  name: [["i32", "i32"]],
  array: [["i32", "i32"]],
};

/** How messages write it. */
const WORDS: Readonly<Record<Kind, string>> = {
  number: "a number (f64, i32 or f32)",
  bigint: "a bigint (i64)",
  boolean: "a truth value (i32)",
  text: "a text (usize, i32)",
  name: "a name (usize, i32)",
  array: "an array (usize, i32)",
};

function kindOf(value: unknown, position: number): Kind {
  const plain = typeof value;
  if (plain === "number" || plain === "bigint" || plain === "boolean") return plain;
  if (plain === "string") return "text";
  if (isKernelArray(value) || isTypedArray(value)) return "array";
  if (isName(value)) return "name";
  const text = `launchKernel(): argument ${position} is ${inWords(value)}; arguments are numbers, bigints, ` +
    "truth values, texts, typed arrays, and what host.name() and host.array() give";
  throw new TilewiseError("invalid", text, { option: `args[${position}]`, found: inWords(value) });
}

function isTypedArray(value: unknown): value is TypedArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

function isName(value: unknown): value is NameAt {
  const { offset, byteLength } = (value ?? {}) as Partial<NameAt>;
  return Number.isSafeInteger(offset) && Number.isSafeInteger(byteLength);
}

/** Refuses arguments that the kernel cannot take. */
export function checkArguments(code: KernelCode, args: readonly LaunchArgument[]): void {
  const kinds = args.map(kindOf);
  if (code.kind === "module") return;
  const signature = code.kernel.functions[code.call]!;
  let at = 0;
  for (const [position, kind] of kinds.entries()) {
    const fits = TYPES[kind].find((types) => types.every((type, i) => signature.params[at + i] === type));
    if (!fits) throw mismatch(code, signature, kinds, position);
    checkRange(args[position], fits[0]!, position);
    at += fits.length;
  }
  if (at !== signature.params.length) throw mismatch(code, signature, kinds, kinds.length);
}

function mismatch(
  { name, call }: Extract<KernelCode, { kind: "wasm" }>,
  { params }: Signature,
  kinds: readonly Kind[],
  position: number,
): TilewiseError {
  const given = kinds.map((kind) => WORDS[kind]).join(", ") || "none";
  const found = `${call}(${params.join(", ")})`;
  const text = `Cannot call kernel "${name}": its arguments are ${given}, but it is ${found}` +
    (position < kinds.length ? `; argument ${position} does not fit` : "; it takes more");
  return new TilewiseError("invalid", text, {
    option: `args[${position}]`,
    kernel: name,
    expected: found,
    found: given,
  });
}

const RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  i32: [-(2n ** 31n), 2n ** 32n - 1n],
  i64: [-(2n ** 63n), 2n ** 64n - 1n],
};

/** Numbers are not cut to what a parameter holds. */
function checkRange(value: unknown, type: string, position: number): void {
  const range = RANGES[type];
  if (!range || (typeof value !== "number" && typeof value !== "bigint")) return;
  const [least, most] = range;
  if (
    (typeof value === "bigint" || Number.isInteger(value)) && BigInt(value) >= least && BigInt(value) <= most
  ) return;
  const text = `launchKernel(): argument ${position} is ${value}; the kernel takes an ${type} there, ` +
    `a whole number from ${least} to ${most}`;
  throw new TilewiseError("invalid", text, {
    option: `args[${position}]`,
    found: String(value),
    expected: type,
  });
}

/** What arguments take in the memory of a launch: each text and each typed array once, however often it is given. */
export function argumentHoldings(args: readonly LaunchArgument[]): Holding[] {
  return [...new Set(args)].flatMap((value) => {
    const bytes = typeof value === "string"
      ? new TextEncoder().encode(value).length
      : isTypedArray(value)
      ? value.byteLength
      : undefined;
    if (bytes === undefined) return [];
    return [{ what: `argument ${args.indexOf(value)}`, each: leasedBytes(bytes), count: 1 }];
  });
}

/** Puts the arguments into the memory of a launch. */
export function placeArguments(args: readonly LaunchArgument[], leases: Leases): PlacedArgument[] {
  const placed = new Map<LaunchArgument, PlacedArgument>(); // an array that is given twice lies there once
  return args.map((value, position) => {
    const at = placed.get(value) ?? place(value, position, leases);
    placed.set(value, at);
    return at;
  });
}

function place(value: LaunchArgument, position: number, leases: Leases): PlacedArgument {
  const { memory } = leases.arena;
  if (isKernelArray(value)) {
    if (!liesIn(value, memory)) throw elsewhere(position, "an array of a host");
    return { kind: "array", offset: value.offset, dtype: value.dtype, length: value.length };
  }
  if (isTypedArray(value)) return placeArray(value, position, leases);
  if (typeof value === "string") {
    const { offset, byteLength } = leaseName(leases, value);
    return { kind: "name", offset, byteLength };
  }
  if (typeof value !== "object") return { kind: "value", value };
  const { offset, byteLength } = value;
  if (offset < 0 || byteLength < 0 || offset + byteLength > memory.buffer.byteLength) {
    throw elsewhere(position, `a name of ${byteLength} bytes at address ${offset}`);
  }
  return { kind: "name", offset, byteLength };
}

function elsewhere(position: number, found: string): TilewiseError {
  const text =
    `launchKernel(): argument ${position} is ${found} in another context than that of the launch; ` +
    "kernels see the memory of one context";
  return new TilewiseError("invalid", text, { option: `args[${position}]`, found });
}

function placeArray(array: TypedArray, position: number, leases: Leases): ArrayAt {
  const { offset } = leases.lease(array.byteLength, `argument ${position}`);
  const dtype = dtypeOf(array);
  const at = { kind: "array", offset, dtype, length: array.length } as const;
  copyNumbers(viewOfArray(at, leases.arena.memory), array);
  return at;
}

/** Copies what a kernel has written back to the typed arrays that were given. */
export function copyBack(
  args: readonly LaunchArgument[],
  placed: readonly PlacedArgument[],
  memory: WebAssembly.Memory,
): void {
  for (const [position, value] of args.entries()) {
    const at = placed[position]!;
    if (at.kind === "array" && isTypedArray(value)) copyNumbers(value, viewOfArray(at, memory));
  }
}

/** The samples of an array. */
function viewOfArray({ dtype, offset, length }: ArrayAt, { buffer }: WebAssembly.Memory): TypedArray {
  return typedArray(dtype, buffer, offset, length);
}

/** What a kernel in WebAssembly is called with. */
export function numbersOf(args: readonly PlacedArgument[]): (number | bigint)[] {
  return args.flatMap((at): (number | bigint)[] => {
    if (at.kind === "name") return [at.offset, at.byteLength];
    if (at.kind === "array") return [at.offset, at.length * unitsOf(at)];
    return [typeof at.value === "bigint" ? at.value : Number(at.value)];
  });
}

/** Complex samples are pairs of numbers, and kernels count numbers. */
function unitsOf({ dtype }: ArrayAt): number {
  const { itemSize, unitSize } = dtypeInfo(dtype);
  return itemSize / unitSize;
}

/** What a function is called with. */
export function valuesOf(args: readonly PlacedArgument[], memory: WebAssembly.Memory): unknown[] {
  return args.map((at) => {
    if (at.kind === "array") return viewOfArray(at, memory);
    if (at.kind === "value") return at.value;
    return new TextDecoder().decode(new Uint8Array(memory.buffer, at.offset, at.byteLength).slice());
  });
}
