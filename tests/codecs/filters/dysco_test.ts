/** Blocks of Dysco: quantiles against SciPy, symbols of all sizes, damage. Tables of casacore are in `tests/formats/casacore`. */

import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { chunkFilter } from "../../../src/codecs/filters/registry.ts";
import { normalQuantile, studentQuantiles } from "../../../src/codecs/filters/dysco/dictionary.ts";
import { SYMBOL_BITS } from "../../../src/codecs/filters/dysco/dysco.ts";
import { isTilewiseError } from "../../../src/errors.ts";
import { apply, mutations } from "../../fuzz/mutate.ts";
import { mulberry32 } from "../../kernels/call.ts";
import { undo } from "./undo.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** `scipy.stats.norm.ppf` and `t.ppf` by degrees of freedom. */
const PARTS = [2 ** -20, 1e-5, 7.63e-6, 0.001, 0.02, 0.25, 0.4999, 0.5, 0.7, 0.99, 1 - 1e-6];
// deno-fmt-ignore
const NORMAL = [-4.763001034267814, -4.264890793922825, -4.32490154687002, -3.090232306167813, -2.053748910631823,
  -0.6744897501960817, -0.0002506628300880075, 0, 0.5244005127080407, 2.3263478740408408, 4.753424308817087];
// deno-fmt-ignore
const STUDENT: Readonly<Record<number, readonly number[]>> = {
  0.7: [-75142871.743502, -2617507.365389079, -3852210.414671646, -3637.0146301057393, -50.360849178755366, -1.200330743457406,
    -0.00033940151421516223, 0, 0.8354411557069625, 135.57150574187764, 70219760.02954762],
  1: [-333772.1072140558, -31830.98860790709, -41718.20263732976, -318.30883898555044, -15.894544843865305, -1.0000000000000002,
    -0.0003141592756945358, 0, 0.7265425280053608, 31.820515953773935, 318309.88617359026],
  8: [-12.185357732684892, -8.907026870843438, -9.240422462138945, -4.500790933723724, -2.448984989640779, -0.7063866126448388,
    -0.0002585990546478634, 0, 0.545933763540483, 2.896459447709622, 12.109834665510558],
  100: [-5.06020401641999, -4.478426902992737, -4.547503996620068, -3.173739493738783, -2.080883901337072, -0.6769510430114717,
    -0.000251290260708213, 0, 0.5260762706003462, 2.3642173662384813, 5.048830877221446],
};

function near(found: readonly number[], expected: readonly number[]): void {
  found.forEach((value, i) =>
    assertAlmostEquals(value, expected[i]!, 1e-9 * Math.max(1, Math.abs(expected[i]!)))
  );
}

Deno.test("quantiles of the normal distribution and of Student's are those of SciPy", () => {
  near(PARTS.map(normalQuantile), NORMAL);
  for (const [nu, expected] of Object.entries(STUDENT)) {
    near(PARTS.map(studentQuantiles(Number(nu))), expected);
  }
});

/** Symbols of `bits` bits without gaps, the lowest bits first, as one number. */
function packed(symbols: readonly number[], bits: number): Bytes {
  const all = symbols.reduceRight((sum, symbol) => sum << BigInt(bits) | BigInt(symbol), 0n);
  const bytes = Math.ceil(symbols.length * bits / 8);
  return Uint8Array.from({ length: bytes }, (_, i) => Number(all >> BigInt(8 * i) & 255n));
}

function floats(...values: number[]): Bytes {
  return new Uint8Array(Float32Array.from(values).buffer);
}

function joined(...parts: Bytes[]): Bytes {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

async function run(
  filter: string,
  values: readonly number[],
  stored: Bytes,
  room: number,
): Promise<Float32Array> {
  const one = { name: filter, filter, values, stored: "", plain: "" };
  const found = await undo(await chunkFilter(filter), one, stored, room);
  return new Float32Array(found.slice().buffer);
}

Deno.test("weights are symbols of any size times a factor, one for all correlations", async () => {
  const next = mulberry32(28);
  for (const bits of SYMBOL_BITS) {
    const symbols = Array.from({ length: 3 * 5 }, () => Math.floor(next() * 2 ** bits));
    const stored = joined(floats(7.5), packed(symbols, bits));
    const found = await run("dysco-weights", [bits, 2, 3, 5], stored, 4 * 30);
    const factor = 7.5 / (2 ** bits - 1);
    assertEquals(
      [...found],
      symbols.flatMap((one) => [Math.fround(one * factor), Math.fround(one * factor)]),
    );
  }
});

Deno.test("the last symbol is a value that is not finite, the middle one is 0, others are symmetric", async () => {
  for (const bits of SYMBOL_BITS.filter((bits) => bits < 16)) {
    for (let distribution = 0; distribution < 4; distribution++) {
      const last = 2 ** bits - 1, symbols = [0, last - 1, (last - 1) / 2, last];
      const stored = joined(floats(2, 3), packed(symbols, bits)); // two rows of one complex number
      const values = [bits, distribution, 2.5, 2, 1, 1, 2, 0];
      const [low, high, middle, none] = await run("dysco", values, stored, 16);
      assert(low! < 0 && high === -low!, `${bits} bits, distribution ${distribution}`);
      assertEquals([middle, none], [0, NaN]);
    }
  }
});

/** A block of 3 rows, 2 channels and 2 correlations of 4 antennas, with two lists of antennas. */
const PAIRS = [[1, 3], [0, 0], [2, 3], [0, 1], [1, 2], [3, 3]].map(([p, q]) => p! * 65536 + q!);
const BLOCK = joined(
  floats(...Array.from({ length: 4 + 8 }, (_, i) => 1 + i / 4)),
  packed(Array.from({ length: 24 }, (_, i) => i % 16), 4),
);
const BLOCK_VALUES = [4, 1, 0, 0, 2, 2, 3, 4, 2, ...PAIRS, 0, 1];

Deno.test("damaged blocks, and values that do not fit them, end in numbers or in a typed error", async () => {
  for (let seed = 1; seed <= 400; seed++) {
    const damaged = apply(BLOCK, mutations(BLOCK.length, seed));
    const values = [...BLOCK_VALUES];
    const at = seed % values.length;
    if (seed % 2) values[at] = Math.max(0, values[at]! + seed % 7 - 3);
    try {
      await run("dysco", values, damaged, 96 - seed % 2);
    } catch (error) {
      assert(isTilewiseError(error, "malformed"), `seed ${seed}: ${error}`);
    }
  }
});

Deno.test("a row of an antenna that has no factors is refused by the numbers", async () => {
  const values = BLOCK_VALUES.with(9, 4 * 65536 + 1);
  const error = await run("dysco", values, BLOCK, 96).catch((error: unknown) => error);
  assert(
    isTilewiseError(error, "malformed") && /antennas 4 and 1, there are 4/.test(error.message),
    String(error),
  );
});
