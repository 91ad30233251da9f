/** Single numbers of every type, in both byte orders, against typed arrays. */

import { assertEquals, assertThrows } from "@std/assert";
import { READ_NUMBER, reader } from "../../src/memory/sample_reader.ts";
import { dtypeInfo, typedArray } from "../../src/space/dtype.ts";

/** Bytes that make numbers of either sign, and, as 64 bits, some that a double cannot hold. */
const BYTES = Uint8Array.from({ length: 8 * 256 }, (_, i) => (i * 197 + (i >> 3) * 61 + 11) & 255);

Deno.test("a number is read as a typed array has it, in both byte orders", () => {
  for (const dtype of Object.keys(READ_NUMBER) as (keyof typeof READ_NUMBER)[]) {
    const unit = dtypeInfo(dtype).itemSize;
    const turned = BYTES.map((_, i) => BYTES[i - i % unit + unit - 1 - i % unit]!);
    const expected = Array.from(typedArray(dtype, BYTES.slice().buffer, 0, BYTES.length / unit), Number);
    const read = (bytes: Uint8Array<ArrayBuffer>, little: boolean) =>
      expected.map((_, i) => READ_NUMBER[dtype](new DataView(bytes.buffer), i * unit, little));
    assertEquals(read(BYTES, true), expected, dtype);
    assertEquals(read(turned, false), expected, `${dtype}, big`);
  }
});

Deno.test("complex numbers have no reader of single numbers", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  assertThrows(() => reader(memory, "complex64"), TypeError, "complex64");
});
