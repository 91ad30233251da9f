/** Kept results as files: every bit comes back, and what is no such file is left alone. */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { NDArray } from "@tilewise/tilewise";
import { type Kept, keptFile, keptOf } from "../../../web/panels/compare/kept_file.ts";
import { START } from "../../../web/state/state.ts";

const AXES = [{ name: "y", step: 0.5, unit: "nm" }, { name: "x", step: 1, unit: "px" }] as const;

function keptWith(image: Kept["image"]): Kept {
  return {
    id: "kept-3",
    title: "3: εxx, µ",
    image,
    display: START.scan,
    analysis: { name: "strain_map", values: { radius: "6", region: "0:4,2:3" } },
    roi: { kind: "disk", cy: 1, cx: 2, r: 3 },
    result: { name: "e_xx", channel: 0 },
    of: '[{"kind":"sample","name":"crystal"},{}]',
  };
}

function array(data: NDArray["data"], dtype: string, valid?: Uint8Array): NDArray {
  return { data, shape: [2, 3], stride: [3, 1], dtype, ...(valid ? { valid } : {}) } as NDArray;
}

const bytesOf = async (kept: Kept) => new Uint8Array(await keptFile(kept).arrayBuffer());

const bitsOf = ({ data, valid, ...facts }: NDArray) => [
  facts,
  [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)],
  valid && [...valid],
];

Deno.test("numbers of any type come back with all their bits and facts", async () => {
  const numbers = fc.array(fc.double(), { minLength: 6, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      numbers,
      fc.option(fc.uint8Array({ minLength: 6, maxLength: 6 })),
      async (values, valid) => {
        const images: Kept["image"][] = [
          {
            title: "a",
            axes: AXES,
            unit: "%",
            meaning: "signed",
            array: array(Float64Array.from(values), "float64", valid ?? undefined),
          },
          { title: "b", axes: AXES, array: array(Float32Array.from([0, ...values]).subarray(1), "float32") },
          {
            title: "c",
            axes: AXES,
            array: array(BigInt64Array.from(values, (_, i) => BigInt(i) << 40n), "int64"),
          },
          {
            title: "d",
            axes: AXES,
            y: array(Float64Array.from(values), "float64"),
            x: array(Float64Array.from(values.toReversed()), "float64"),
          },
        ];
        for (const image of images) {
          const { image: back, ...facts } = keptOf(await bytesOf(keptWith(image)))!;
          const { image: _, ...expected } = keptWith(image);
          assertEquals(facts, expected);
          const arrays = (one: Kept["image"]) => ("y" in one ? [one.y, one.x] : [one.array]).map(bitsOf);
          assertEquals(arrays(back), arrays(image));
          assertEquals([back.title, back.unit, back.meaning, back.axes], [
            image.title,
            image.unit,
            image.meaning,
            image.axes,
          ]);
        }
      },
    ),
    { numRuns: 20 },
  );
});

Deno.test("a file that is cut, longer, of another version, or anything else is no kept result", async () => {
  const bytes = await bytesOf(
    keptWith({ title: "a", axes: AXES, array: array(new Float64Array(6), "float64") }),
  );
  for (let length = 0; length < bytes.length; length += 7) {
    assertEquals(keptOf(bytes.subarray(0, length)), undefined, `${length}`);
  }
  assertEquals(keptOf(Uint8Array.of(...bytes, 0)), undefined);
  const text = new TextDecoder("latin1").decode(bytes);
  const changed = (from: string, to: string) =>
    Uint8Array.from(text.replace(from, to), (one) => one.charCodeAt(0));
  assertEquals(keptOf(changed('"version":1', '"version":2')), undefined);
  assertEquals(keptOf(changed("Float64Array", "FinalizArray")), undefined);
  assertEquals(keptOf(new Uint8Array(40)), undefined);
});
