/**
 * Random arrays × every target of results: axes of any kinds, units, steps below 0 and uneven ones, names in any script, sides of
 * one sample, samples that are extremes of their type. What is read again is what was written, or its loss is named.
 */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { isTilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { defined } from "../../../src/options.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { lossesOf } from "../../../src/sinks/losses.ts";
import { endingsFor } from "../../../src/sinks/registry.ts";
import { keptBy } from "../../../src/sinks/stored/registry.ts";
import { type AxisFacts, usualValues, type ValueFacts } from "../../../src/space/axes.ts";
import { type DType, dtypeInfo, DTYPES, type TypedArray, zeros } from "../../../src/space/dtype.ts";
import { AXIS_KINDS, VALUE_KINDS } from "../../../src/space/meaning/kinds.ts";
import { sizeOf } from "../../../src/space/shape.ts";
import { arrayOf } from "../../../src/views/array.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { fileSink } from "../../../src/views/sinks/registry.ts";
import { withFolder } from "../../cli/harness.ts";
import { sha256 } from "../../formats/read_all.ts";
import { cases, SEED } from "../../suite/cases.ts";
import { Random } from "../data/random.ts";
import { bytesOf, differences, type Told, toldBy } from "./told.ts";

const NAMES = [
  "y",
  "x",
  "z",
  "t",
  "c",
  "ky",
  "E",
  "scan",
  "µ axis",
  "名前",
  "a/b",
  "data",
  "RA---SIN",
  "a<b&c",
  '"q"',
];
const UNITS = ["nm", "µm", "1/nm", "mrad", "eV", "Å", "s", "ms", "kHz", "furlong", "1/Å", "é µ", "m", "'"];
const STEPS = [1, 0.5, -0.25, 0.002, 1e5, 10 / 3, -1];

/** Samples of which many are the least and greatest of their type, and NaN. */
function extremes(dtype: DType, count: number, random: Random): TypedArray {
  const data = zeros(dtype, count), { kind, itemSize } = dtypeInfo(dtype), most = 2 ** (8 * itemSize);
  const floats = [0, -0, 1.5, NaN, Infinity, -Infinity, 1e38, 1e-45, -7];
  const whole = kind === "b" ? [0, 1] : [0, 1, most - 1, most / 2, most / 2 - 1];
  for (let i = 0; i < data.length; i++) {
    if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
      data[i] = random.pick([0n, 1n, 2n ** 63n, 2n ** 63n - 1n, 2n ** 64n - 1n]);
    } else data[i] = random.pick("fc".includes(kind) ? floats : whole);
  }
  return data;
}

function axis(size: number, names: string[], random: Random): AxisFacts {
  const [name] = names.splice(Math.floor(random.next() * names.length), 1);
  const unit = random.chance(0.5) ? { unit: random.pick(UNITS) } : {};
  const isUneven = size > 2 && random.chance(0.15), offset = random.pick([0, 3, -2.5]);
  return {
    name: name!,
    ...(random.chance(0.7) ? { kind: random.pick(AXIS_KINDS) } : {}),
    ...unit,
    ...(isUneven
      ? { positions: Array.from({ length: size }, (_, i) => i * i) }
      : random.chance(0.6)
      ? { scale: random.pick(STEPS), offset }
      : {}),
    ...(random.chance(0.1) ? { names: Array.from({ length: size }, (_, i) => `名 & <${i}>`) } : {}),
    ...(random.chance(0.1) ? { signal: random.pick(["EELS", "electron_diffraction"]) } : {}),
  };
}

function meaning(dtype: DType, random: Random): ValueFacts {
  const usual = usualValues(dtype);
  const kind = usual.kind === "amount"
    ? random.pick(VALUE_KINDS.filter((one) => one !== "complex"))
    : usual.kind;
  return {
    kind,
    ...(random.chance(0.5) ? { unit: random.pick(["e-", "counts", "rad", "Jy/beam"]) } : {}),
    ...(usual.kind === "amount" && random.chance(0.3) ? { missing: random.pick([0, 1, 100]) } : {}),
  };
}

/** A described array, and its samples. */
function drawn(random: Random): { readonly told: Told; readonly data: TypedArray } {
  const rank = random.pick([1, 2, 2, 3, 3, 4, 5]), names = [...NAMES];
  const shape = Array.from({ length: rank }, () => random.pick([1, 2, 3, 4, 5, 7]));
  const dtype = random.pick(DTYPES), data = extremes(dtype, sizeOf(shape), random);
  const axes = shape.map((size) => axis(size, names, random));
  // a scan of which kinds say that it is none is a contradiction
  const nav = axes.some(({ kind }) => kind === "scan") ? {} : { nav: Math.floor(random.next() * rank) };
  const of = random.chance(0.5) ? { of: [place(random)] } : {};
  const told = { shape, dtype, ...nav, axes, values: { ...meaning(dtype, random), ...of } };
  return { told: { ...told, sha256: sha256(bytesOf(data)) }, data };
}

/** One sample of an axis that is no dimension. */
function place(random: Random): AxisFacts {
  const channel = {
    name: "channel",
    kind: "channel",
    names: [random.pick(["DAPI", "名 & <1>", '"q"'])],
  } as const;
  const time = { name: "t", kind: "time", offset: random.pick([0, 6, -2.5]), unit: "s" } as const;
  return random.pick<AxisFacts>([channel, channel, time]);
}

/** What a file of `path` is told to have lost, or `undefined` where its target has refused the array. */
async function lostAt(
  path: string,
  { told, data }: ReturnType<typeof drawn>,
  context: Context,
): Promise<string | undefined> {
  const { shape, dtype, nav, axes, values } = told, facts = { axes, values, ...defined({ nav }) };
  const { nav: _nav, ...source } = arrayOf(await open({ data, shape, dtype } as never)); // this array has no scan
  try {
    await mapViews({ ...source, ...facts } as typeof source, copySamples(), {
      sink: fileSink(path),
      context,
    });
  } catch (error) {
    assert(isTilewiseError(error, "unsupported"), String(error));
    return undefined;
  }
  return lossesOf(
    await keptBy(path),
    { shape, dtype: dtype as DType, ...facts } as Parameters<typeof lossesOf>[1],
  );
}

/**
 * What is read again, in the order of the file, also where kinds of axes say that frames are not last. TIFF has floats of 16 bits,
 * which are read as the same numbers of 32.
 */
async function readAt(path: string, { told, data }: ReturnType<typeof drawn>): Promise<Told> {
  const shown = await open(path) as StoredDataset, isTurned = shown.stored !== undefined;
  const { nav, ...found } = await toldBy(shown.stored ?? shown);
  const split = told.nav === undefined ? {} : { nav: isTurned ? -1 : nav! };
  const isWidened = told.dtype === "float16" && found.dtype === "float32" &&
    found.sha256 === sha256(bytesOf(Float32Array.from(data as Float16Array)));
  return { ...found, ...split, ...(isWidened ? { dtype: told.dtype, sha256: told.sha256 } : {}) };
}

for (const ending of endingsFor("results").filter((one) => !/tiff$|zip$/.test(one))) {
  Deno.test(`random arrays in ${ending} are read as they were, or the loss is named`, () =>
    withFolder(async (folder) => {
      await using context = createContext({ workers: 0 });
      const random = new Random("arrays", String(SEED));
      let written = 0;
      for (let n = 0, count = cases(8, 200); n < count; n++) {
        const array = drawn(random), path = `${folder}/${n}${ending}`;
        const lost = await lostAt(path, array, context);
        if (lost === undefined) continue;
        const found = await readAt(path, array);
        written++;
        assertEquals(
          differences(array.told, found, lost),
          [],
          `${JSON.stringify(array.told)}, lost: ${lost}`,
        );
      }
      assert(written > 3, `${ending} takes ${written} of them`);
    }));
}
