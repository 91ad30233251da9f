import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../src/errors.ts";
import { copyBox, type CopyRows, copyView } from "../../src/memory/copy_box.ts";
import { addressOf, type StridedView, stridedView, viewOf } from "../../src/memory/strided.ts";
import { box } from "../../src/space/box.ts";
import { dtypeInfo } from "../../src/space/dtype.ts";
import { sizeOf } from "../../src/space/shape.ts";
import { lay, type Pair, pairs, reach } from "./views.ts";

/** The slow twin: sample by sample, byte by byte. */
function naiveCopy(from: StridedView, to: StridedView): void {
  const [source, target] = [new Uint8Array(from.buffer), new Uint8Array(to.buffer)];
  for (let flat = 0; flat < sizeOf(from.shape); flat++) {
    const [at, out] = [addressOf(from, flat), addressOf(to, flat)];
    for (let byte = 0; byte < dtypeInfo(from.dtype).itemSize; byte++) target[out + byte] = source[at + byte]!;
  }
}

type Copy = (from: StridedView, to: StridedView) => void;

/** All bytes of the target's memory after a copy between two memories. */
function across({ shape, dtype, from, to }: Pair, copy: Copy): Uint8Array {
  const source = Uint8Array.from({ length: reach(shape, dtype, from) + 3 }, (_, i) => (i * 37 + 1) & 255);
  const target = new Uint8Array(new SharedArrayBuffer(reach(shape, dtype, to) + 5)).fill(0xee);
  copy(lay(source.buffer, 0, shape, dtype, from).view, lay(target.buffer, 0, shape, dtype, to).view);
  return target.slice();
}

/** All bytes of one memory after a copy inside it. */
function within({ shape, dtype, from, to }: Pair, copy: Copy): Uint8Array {
  const middle = reach(shape, dtype, from);
  const bytes = Uint8Array.from(
    { length: middle + reach(shape, dtype, to) + 3 },
    (_, i) => (i * 37 + 1) & 255,
  );
  copy(lay(bytes.buffer, 0, shape, dtype, from).view, lay(bytes.buffer, middle, shape, dtype, to).view);
  return bytes;
}

Deno.test("a copy is the copy of every sample, and touches nothing else, however they lie", () => {
  fc.assert(
    fc.property(pairs, (pair) => {
      assertEquals(across(pair, copyView), across(pair, naiveCopy));
      assertEquals(within(pair, copyView), within(pair, naiveCopy));
    }),
    { seed: 9, numRuns: 1500 },
  );
});

Deno.test("a kernel that copies rows can do the moving", () => {
  fc.assert(
    fc.property(pairs, (pair) => {
      const copy: Copy = (from, to) => {
        const [source, target] = [new Uint8Array(from.buffer), new Uint8Array(to.buffer)];
        const rows: CopyRows = (out, at, bytes, count, toStride, fromStride) => {
          for (let r = 0; r < count; r++) {
            const start = at + r * fromStride;
            target.set(source.slice(start, start + bytes), out + r * toStride);
          }
        };
        copyView(from, to, rows);
      };
      assertEquals(within(pair, copy), within(pair, naiveCopy));
    }),
    { seed: 10, numRuns: 300 },
  );
});

/** How often and with what the mover is called. */
function calls(from: StridedView, to: StridedView): number[][] {
  const made: number[][] = [];
  copyView(from, to, (_out, _at, bytes, rows) => void made.push([bytes, rows]));
  return made;
}

Deno.test("dimensions without gaps are one row", () => {
  const { buffer } = new Uint8Array(100_000);
  const dense = (shape: number[]) => stridedView(buffer, 0, "uint16", shape);
  assertEquals(calls(dense([4, 5, 6]), dense([4, 5, 6])), [[240, 1]]);
  const lines = stridedView(buffer, 0, "uint16", [4, 5, 6], [600, 12, 2]);
  assertEquals(calls(lines, dense([4, 5, 6])), [[60, 4]]);
  const image = stridedView(buffer, 0, "uint16", [4, 5, 6], [600, 100, 2]);
  assertEquals(calls(image, dense([4, 5, 6])), Array(4).fill([12, 5]));
  const stack = stridedView(buffer, 0, "uint16", [4, 5, 6], [500, 100, 2]);
  assertEquals(calls(stack, stack), [[12, 20]]);
  const columns = stridedView(buffer, 0, "uint16", [5, 6], [2, 10]);
  assertEquals(calls(columns, dense([5, 6])), Array(5).fill([2, 6]));
  assertEquals(calls(dense([]), dense([])), [[2, 1]]);
  assertEquals(calls(dense([4, 0, 6]), dense([4, 0, 6])), []);
});

Deno.test("the bits of every NaN are kept", () => {
  const bits = new BigUint64Array([0x7ff0000000000001n, 0xfff8000000000123n, 0x7ff4000000000000n]);
  const into = new BigUint64Array(3);
  copyView(viewOf(bits, "float64", [3]), viewOf(into, "float64", [3]));
  assertEquals(into, bits);
});

Deno.test("a sample can be spread over a box", () => {
  const value = new Float32Array([7]);
  const into = new Float32Array(6);
  copyView(stridedView(value.buffer, 0, "float32", [2, 3], [0, 0]), viewOf(into, "float32", [2, 3]));
  assertEquals([...into], [7, 7, 7, 7, 7, 7]);
});

Deno.test("every box of a small array lands where it should", () => {
  const whole = [4, 5];
  const source = Uint16Array.from({ length: 20 }, (_, i) => i + 1);
  for (let y = 0; y < 4; y++) {
    for (let x = 0; x < 5; x++) {
      for (let h = 0; y + h <= 4; h++) {
        for (let w = 0; x + w <= 5; w++) {
          const target = new Uint16Array(36);
          copyBox(viewOf(source, "uint16", whole), box([y, x], [h, w]), viewOf(target, "uint16", [6, 6]), [
            1,
            1,
          ]);
          const right = Uint16Array.from({ length: 36 }, (_, i) => {
            const [r, c] = [Math.floor(i / 6) - 1, i % 6 - 1];
            return r >= 0 && r < h && c >= 0 && c < w ? source[(y + r) * 5 + x + c]! : 0;
          });
          assertEquals(target, right);
        }
      }
    }
  }
});

Deno.test("what does not fit is refused and nothing is copied", () => {
  const target = new Uint8Array(16);
  const to = viewOf(target, "uint8", [4, 4]);
  const from = viewOf(new Uint8Array(16).fill(1), "uint8", [4, 4]);
  const wrong = [
    () => copyBox(from, box([0, 0], [2, 2]), to, [3, 0]),
    () => copyBox(from, box([3, 0], [2, 2]), to, [0, 0]),
    () => copyBox(from, box([-1, 0], [2, 2]), to, [0, 0]),
    () => copyBox(from, box([0], [2]), to, [0]),
    () => copyView(from, viewOf(new Int8Array(16), "int8", [4, 4])),
    () => copyView(from, viewOf(new Uint8Array(16), "uint8", [2, 8])),
  ];
  for (const copy of wrong) assertEquals(assertThrows(copy, TilewiseError).code, "invalid");
  assert(target.every((byte) => byte === 0));
});
