/**
 * Negotiation of tiles, the type of samples that UDFs get, and tile sizes clear of excluded pixels.
 *
 * @module
 */

import {
  adjustForExcluded,
  negotiate,
  type NegotiationRequest,
} from "../../../src/dataset/tiling/negotiate.ts";
import { type DType, dtypeInfo, DTYPES, resultType } from "../../../src/space/dtype.ts";
import { float64 } from "../data/arrays.ts";
import type { Random } from "../data/random.ts";
import type { Params } from "../data/spec.ts";
import { type AnyWork, work } from "../work.ts";

const METHODS = ["tile", "frame", "partition"] as const;

interface Wish extends Params {
  readonly method: typeof METHODS[number];
}

/** A random negotiation: sizes small and large, one to three UDFs. */
function randomRequest(random: Random): Params {
  const sig = Array.from(
    { length: random.int(1, 3) },
    () => random.pick([random.int(1, 20), 2 ** random.int(0, 9)]),
  );
  const dtype = random.pick(["uint8", "uint16", "float32", "uint32", "float64", "complex64"] as const);
  const needsDecode = random.chance(0.6);
  const hasBase = random.chance(0.3);
  return {
    sigShape: sig,
    partitionFrames: random.pick([random.int(1, 40), 2 ** random.int(0, 11)]),
    dtype,
    readDType: resultType(dtype, random.pick(["bool", "float32", "float64"] as const)),
    needsDecode,
    baseShape: hasBase ? sig.map((n) => random.int(1, n)) : [...sig.slice(0, -1).map(() => 1), sig.at(-1)!],
    udfs: Array.from({ length: random.int(1, 3) }, () => randomWish(random)),
    excluded: random.chance(0.3)
      ? Array.from({ length: random.int(1, 5) }, () => sig.map((n) => random.int(0, n - 1)))
      : [],
    ...(needsDecode && random.chance(0.3) ? { ioMaxBytes: random.pick([2 ** 16, 2 ** 22]) } : {}),
    ...(random.chance(0.2) ? { minSigPixels: random.pick([1, 1024]) } : {}),
  };
}

function randomWish(random: Random): Wish {
  return {
    method: random.weighted([["tile", 5], ["frame", 2], ["partition", 1]]),
    ...(random.chance(0.5) ? { depth: random.pick(["max", random.int(1, 100)]) } : {}),
    ...(random.chance(0.5) ? { totalBytes: random.pick(["max", "bestFit", random.int(100, 1e6)]) } : {}),
  };
}

/** The works. */
export const TILING: readonly AnyWork[] = [
  work<Params>({
    word: "negotiate",
    alone: true,
    params: randomRequest,
    ours: (_, params) => {
      const given = params as unknown as NegotiationRequest;
      const udfs = given.udfs.map((wish, i) => ({ ...wish, name: `udf ${i}` }));
      const { tileShape, slices } = negotiate({ ...given, udfs });
      return Promise.resolve({
        tileShape: float64(tileShape, [tileShape.length]),
        slices: float64(slices.flatMap(({ origin, shape }) => [...origin, ...shape]), [
          slices.length,
          2,
          tileShape.length - 1,
        ]),
      });
    },
    expect: () => ({ tileShape: 0, slices: 0 }),
  }),
  work<Params>({
    word: "excluded-tiles",
    alone: true,
    params: (random) => {
      const sig = Array.from({ length: random.int(1, 3) }, () => random.int(1, 70));
      const base = sig.map((n) => random.int(1, Math.max(1, Math.floor(n / 3))));
      return {
        sig,
        base,
        tile: base.map((n, d) => n * random.int(1, Math.floor(sig[d]! / n))),
        excluded: Array.from({ length: random.int(1, 12) }, () => sig.map((n) => random.int(0, n - 1))),
      };
    },
    ours: (_, { tile, sig, base, excluded }) => {
      const shape = adjustForExcluded(
        tile as number[],
        sig as number[],
        base as number[],
        excluded as number[][],
      );
      return Promise.resolve({ shape: float64(shape, [shape.length]) });
    },
    expect: () => ({ shape: 0 }),
  }),
  work<Params>({
    word: "result-types",
    alone: true,
    params: (random) => ({ types: Array.from({ length: random.int(1, 4) }, () => random.pick(DTYPES)) }),
    ours: (_, { types }) => {
      const { kind, itemSize } = dtypeInfo(resultType(...types as [DType, ...DType[]]));
      return Promise.resolve({ type: float64([kind.charCodeAt(0), itemSize], [2]) });
    },
    expect: () => ({ type: 0 }),
  }),
];
