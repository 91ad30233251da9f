/** Every instruction that touches memory is stopped one byte outside of what it may touch, and nowhere else. */

import { assertEquals, assertThrows } from "@std/assert";
import binaryen from "binaryen";
import { FENCING } from "./fence_arenas.ts";
import { fence } from "./fences.ts";
import { useFencing } from "../../src/memory/fencing.ts";
import { kernelImports } from "../../src/kernels/code.ts";
import { instrument } from "./instrument.ts";

useFencing(FENCING);

/** Instructions with the bytes that they touch; `$` stands for the offset, `@` for the address. */
const LOADS: Readonly<Record<string, number>> = {
  "i32.load $ @": 4,
  "i32.load8_s $ @": 1,
  "i32.load8_u $ @": 1,
  "i32.load16_s $ @": 2,
  "i32.load16_u $ @": 2,
  "i64.load $ @": 8,
  "i64.load8_s $ @": 1,
  "i64.load8_u $ @": 1,
  "i64.load16_s $ @": 2,
  "i64.load16_u $ @": 2,
  "i64.load32_s $ @": 4,
  "i64.load32_u $ @": 4,
  "f32.load $ @": 4,
  "f64.load $ @": 8,
  "v128.load $ @": 16,
  "v128.load8x8_s $ @": 8,
  "v128.load8x8_u $ @": 8,
  "v128.load16x4_s $ @": 8,
  "v128.load16x4_u $ @": 8,
  "v128.load32x2_s $ @": 8,
  "v128.load32x2_u $ @": 8,
  "v128.load8_splat $ @": 1,
  "v128.load16_splat $ @": 2,
  "v128.load32_splat $ @": 4,
  "v128.load64_splat $ @": 8,
  "v128.load32_zero $ @": 4,
  "v128.load64_zero $ @": 8,
  "v128.load8_lane $ 3 @ (local.get $v)": 1,
  "v128.load16_lane $ 3 @ (local.get $v)": 2,
  "v128.load32_lane $ 3 @ (local.get $v)": 4,
  "v128.load64_lane $ 1 @ (local.get $v)": 8,
};

const STORES: Readonly<Record<string, number>> = {
  "i32.store $ @ (i32.const -1)": 4,
  "i32.store8 $ @ (i32.const -1)": 1,
  "i32.store16 $ @ (i32.const -1)": 2,
  "i64.store $ @ (i64.const -1)": 8,
  "i64.store8 $ @ (i64.const -1)": 1,
  "i64.store16 $ @ (i64.const -1)": 2,
  "i64.store32 $ @ (i64.const -1)": 4,
  "f32.store $ @ (f32.const 1.5)": 4,
  "f64.store $ @ (f64.const 1.5)": 8,
  "v128.store $ @ (v128.const i32x4 1 2 3 4)": 16,
  "v128.store8_lane $ 3 @ (v128.const i32x4 1 2 3 4)": 1,
  "v128.store16_lane $ 3 @ (v128.const i32x4 1 2 3 4)": 2,
  "v128.store32_lane $ 3 @ (v128.const i32x4 1 2 3 4)": 4,
  "v128.store64_lane $ 1 @ (v128.const i32x4 1 2 3 4)": 8,
  "memory.fill @ (i32.const 7) (i32.const 24)": 24,
};

const [START, BYTES] = [4096, 40];

/** A module with one function: address in, what was loaded out. */
function moduleOf(instruction: string, offset: number): Uint8Array<ArrayBuffer> {
  const code = instruction.replace("$ ", offset > 0 ? `offset=${offset} ` : "").replace(
    "@",
    "(local.get $address)",
  );
  const loads = instruction in LOADS;
  const type = instruction.startsWith("v128") ? "v128" : instruction.slice(0, 3);
  const text = `(module (import "env" "memory" (memory 1))
    (func (export "run") (param $address i32) (local $v v128)
      ${loads ? `(local $x ${type}) (local.set $x (${code}))` : `(${code})`}))`;
  const module = binaryen.parseText(text);
  module.setFeatures(binaryen.Features.All);
  const bytes = module.emitBinary() as Uint8Array<ArrayBuffer>;
  module.dispose();
  return bytes;
}

function runOf(module: Uint8Array<ArrayBuffer>) {
  const memory = new WebAssembly.Memory({ initial: 2 });
  const fences = fence(memory);
  fences.raise(START - 64, START + BYTES + 64);
  fences.allow(START, BYTES, "it");
  const instance = new WebAssembly.Instance(
    new WebAssembly.Module(instrument(module)),
    kernelImports(memory),
  );
  return { run: instance.exports.run as (...args: number[]) => unknown, memory, fences };
}

for (const [instruction, bytes] of Object.entries({ ...LOADS, ...STORES })) {
  Deno.test(`${instruction.split(" ")[0]} is stopped outside`, () => {
    for (const offset of instruction.includes("$") ? [0, 5, 300] : [0]) {
      const { run, fences } = runOf(moduleOf(instruction, offset));
      for (let at = START; at <= START + BYTES - bytes; at++) run(at - offset);
      for (const at of [START - 1, START - bytes, START + BYTES - bytes + 1, START + BYTES]) {
        const verb = instruction in STORES ? "writes" : "reads";
        assertThrows(() => run(at - offset), Error, `A kernel ${verb} ${bytes} B at ${at}, outside`);
      }
      assertThrows(() => run(-offset - 1), Error, "outside"); // around the end of the address space
      fences.check(START - 64, START + BYTES + 64);
    }
  });
}

Deno.test("memory.copy is stopped at both ends", () => {
  const text = `(module (import "env" "memory" (memory 1))
    (func (export "run") (param $to i32) (param $from i32) (param $n i32)
      (memory.copy (local.get $to) (local.get $from) (local.get $n))))`;
  const module = binaryen.parseText(text);
  module.setFeatures(binaryen.Features.All);
  const { run, memory } = runOf(module.emitBinary() as Uint8Array<ArrayBuffer>);
  module.dispose();
  new Uint8Array(memory.buffer, START, 4).set([1, 2, 3, 4]);
  run(START + 36, START, 4);
  assertEquals([...new Uint8Array(memory.buffer, START + 36, 4)], [1, 2, 3, 4]);
  run(START - 1, START + BYTES, 0);
  assertThrows(() => run(START + 37, START, 4), Error, "writes 4 B");
  assertThrows(() => run(START, START + 37, 4), Error, "reads 4 B");
  assertThrows(() => run(START, START - 1, 4), Error, "reads 4 B");
});

Deno.test("in a memory without fences nothing is stopped, and values stay what they are", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const bytes = instrument(moduleOf("f64.store $ @ (f64.const 1.5)", 8));
  const { run } = new WebAssembly.Instance(new WebAssembly.Module(bytes), kernelImports(memory)).exports;
  (run as (address: number) => void)(1);
  assertEquals(new DataView(memory.buffer).getFloat64(9, true), 1.5);
});
