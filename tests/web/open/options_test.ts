/** The texts of the form are options of `open`, or have a sentence about what is wrong. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { readOptions, shapeText } from "../../../web/open/options.ts";

Deno.test("texts become options; empty ones are left out", () => {
  const { options, wrong } = readOptions({
    nav: "64 x 32",
    sig: "128×128",
    dtype: ">u2",
    byteOrder: "big",
    headerBytes: "4KiB",
    frameHeaderBytes: "16",
    syncOffset: "-12",
    allowTruncated: "true",
    array: "",
  });
  assertEquals(wrong, {});
  assertEquals(options, {
    nav: [64, 32],
    sig: [128, 128],
    dtype: ">u2",
    byteOrder: "big",
    headerBytes: "4KiB",
    frameHeaderBytes: 16,
    syncOffset: -12,
    allowTruncated: true,
  });
});

Deno.test("what cannot be right is named, with what would be", () => {
  const bad = {
    nav: "64x",
    sig: "0x5",
    syncOffset: "1.5",
    headerBytes: "-1",
    byteOrder: "middle",
    bits: "x",
    evil: "1",
  };
  const { options, wrong } = readOptions(bad);
  assertEquals(options, {});
  assertEquals(Object.keys(wrong).sort(), Object.keys(bad).sort());
  assert(wrong.nav!.includes("256×256"));
});

Deno.test("shapes go through the form as they are, and no text throws", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1e6 }), { minLength: 1, maxLength: 4 }), (shape) => {
      assertEquals(readOptions({ nav: shapeText(shape) }).options.nav, shape);
    }),
  );
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.string()), (choices) => {
    const { options, wrong } = readOptions(choices);
    assert(Object.keys(options).every((key) => !(key in wrong)));
  }));
});
