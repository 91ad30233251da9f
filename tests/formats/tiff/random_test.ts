/**
 * Random images in random containers come out as they went in: every sample type, tiling, order of samples, byte order.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { openAllStored as openAll } from "../../../src/formats/open.ts";
import { box, wholeBox } from "../../../src/space/box.ts";
import { makeTiff, type Making, sampleAt } from "./make.ts";

const SEED = 7;

const kinds = fc.oneof(
  fc.record({ bits: fc.integer({ min: 1, max: 64 }), format: fc.constantFrom(1, 1, 2) }),
  fc.constantFrom(...[8, 16, 32, 64].map((bits) => ({ bits, format: 2 }))),
  fc.constantFrom(...[32, 64].map((bits) => ({ bits, format: 3 }))),
);

const images: fc.Arbitrary<Making> = fc.record({
  height: fc.integer({ min: 1, max: 40 }),
  width: fc.integer({ min: 1, max: 40 }),
  samples: fc.constantFrom(1, 1, 2, 3, 5),
  kind: kinds,
  tile: fc.option(fc.tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 24 })), {
    nil: undefined,
  }),
  rows: fc.integer({ min: 1, max: 40 }),
  planar: fc.constantFrom(1 as const, 2 as const),
  compression: fc.constantFrom(1, 8, 32773),
  predictor: fc.constantFrom(1, 2, 3),
  fillOrder: fc.constantFrom(1 as const, 1 as const, 2 as const),
}).map(({ kind, tile, rows, compression, predictor, ...image }) => {
  const isWhole = [8, 16, 32, 64].includes(kind.bits);
  const fits = compression === 8 && (predictor === 2 ? isWhole : predictor === 3 && kind.format === 3);
  return {
    ...image,
    ...kind,
    compression,
    predictor: fits ? predictor : 1,
    ...(tile ? { tile } : { rowsPerStrip: Math.min(rows, image.height) }),
  };
});

/** The samples of a part of an image. */
function expected(
  making: Making,
  [y0, x0, h, w]: readonly [number, number, number, number],
): (number | bigint)[] {
  const { width, samples = 1, bits = 8, format = 1 } = making;
  const isBig = bits > 32 && format !== 3;
  const values: (number | bigint)[] = [];
  for (let y = y0; y < y0 + h; y++) {
    for (let i = (y * width + x0) * samples; i < (y * width + x0 + w) * samples; i++) {
      const value = sampleAt(i, making);
      values.push(isBig ? BigInt(value) : value);
    }
  }
  return values;
}

Deno.test(`random images in random containers come out as they went in, whole and in parts (seed ${SEED})`, async () => {
  const cases = fc.tuple(
    images,
    fc.boolean(),
    fc.boolean(),
    fc.array(fc.nat(1000), { minLength: 4, maxLength: 4 }),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ([making, isBigEndian, isBig, corner]) => {
      const [dataset] = await openAll(makeTiff([making], { isBigEndian, isBig }));
      const { height, width, samples = 1 } = making;
      assertEquals(dataset!.shape, [height, width, ...(samples > 1 ? [samples] : [])]);
      const whole = await readBox(dataset!, wholeBox(dataset!.shape));
      assertEquals([...whole.data], expected(making, [0, 0, height, width]));
      const [y, x] = [corner[0]! % height, corner[1]! % width];
      const [h, w] = [1 + corner[2]! % (height - y), 1 + corner[3]! % (width - x)];
      const last = samples > 1 ? [samples] : [];
      const part = await readBox(dataset!, box([y, x, ...last.map(() => 0)], [h, w, ...last]));
      assertEquals([...part.data], expected(making, [y, x, h, w]));
    }),
    { seed: SEED, numRuns: 250 },
  );
});
