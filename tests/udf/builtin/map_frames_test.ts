import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import type { DType, TypedArray } from "../../../src/space/dtype.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { createContext } from "../../../src/runner/context.ts";
import { objectsOf } from "../../../src/udf/buffers/object_results.ts";
import { type FrameFunction, mapFrames, type MapOptions } from "../../../src/udf/builtin/map_frames.ts";
import type { FrameValue } from "../../../src/udf/builtin/map/options.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { testUdf } from "../../../src/udf/testing/test_udf.ts";
import type { UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { both } from "../both.ts";
import { goldenScan, memoryScan, numbers } from "../data.ts";

const MODULE = import.meta.resolve("./map_functions.ts");
const SUMS = [252, 230, 298, 239, 239, 298, 230, 252, 302, 225, 269, 279];

async function compute(ref: UdfRef, options: PlanOptions = {}, scan = goldenScan()) {
  await using own = createContext({ memory: 16 * 2 ** 20, workers: 0 });
  return (await run(await plan(scan, { it: ref }, { context: own, ...options }))).it!;
}

/** A closure of one value per frame. */
function returning(value: (position: number) => FrameValue, options?: MapOptions): UdfRef {
  return mapFrames((_frame, { position }) => value(position), options);
}

both("functions in modules give numbers, lists and complex arrays", async (context) => {
  for (const partitions of [1, 5]) {
    const of = (name: string | undefined, options: MapOptions = {}) =>
      compute(mapFrames(MODULE, { ...options, ...(name ? { export: name } : {}) }), { context, partitions });
    const total = (await of(undefined)).result!;
    assertEquals([numbers(total.data), total.shape, total.dtype], [SUMS, [3, 4], "float64"]);
    const about = (await of("about", { params: { add: 7 } })).result!;
    assertEquals(about.shape, [3, 4, 7]);
    assertEquals(numbers(about.data).slice(5 * 7, 6 * 7), [(7 * 100 ** 2 + 300) % 31, 1, 1, 5, 4, 5, 7]);
    const complex = (await of("complex")).result!;
    assertEquals([complex.dtype, complex.shape], ["complex128", [3, 4, 2, 1]]);
    assertEquals(numbers(complex.data).slice(0, 4), [12.6, 0, 0, 12.6]);
    const rows = (await of("rows", { dtype: "int16" })).result!;
    assertEquals([rows.dtype, rows.shape], ["int16", [3, 4, 4, 5]]);
    assertEquals(numbers(rows.data), Array.from({ length: 240 }, (_, k) => (7 * k * k + 3 * k) % 31));
  }
});

Deno.test("the value for a frame of ones decides type and shape", async () => {
  const cases: [FrameValue, DType, number[]][] = [
    [1, "float64", []],
    [true, "bool", []],
    [3n, "int64", []],
    [[1, 2], "float64", [2]],
    [[[true], [false]], "bool", [2, 1]],
    [Uint8Array.of(1, 2, 3), "uint8", [3]],
    [Float16Array.of(1), "float16", [1]],
    [BigUint64Array.of(1n), "uint64", [1]],
    [ndarray(Int16Array.of(1, 2, 3, 4), [2, 2], "int16"), "int16", [2, 2]],
  ];
  for (const [value, dtype, shape] of cases) {
    const { result } = await compute(returning(() => value));
    assertEquals([result!.dtype, result!.shape], [dtype, [3, 4, ...shape]]);
  }
});

Deno.test("the options dtype and shape convert, and spare the call with a frame of ones", async () => {
  const asked: number[] = [];
  const look = mapFrames((frame, { position }) => {
    asked.push(position, frame[0]!);
    return [1.75, 2, 3, 4];
  }, { dtype: "int32", shape: [2, 2] });
  const { result } = await compute(look, { roi: [[0, 3]] });
  assertEquals([result!.shape, numbers(result!.data).slice(12, 16)], [[3, 4, 2, 2], [1, 2, 3, 4]]);
  assertEquals(asked, [3, (7 * 60 * 60 + 180) % 31]);
  const pairs = returning(() => Float32Array.of(1, 2, 3, 4), { dtype: "complex64", shape: [2] });
  const complex = (await compute(pairs)).result!;
  assertEquals([complex.dtype, complex.shape, [...complex.data].slice(0, 4)], [
    "complex64",
    [3, 4, 2],
    [1, 2, 3, 4],
  ]);
  const big = returning((position) => position, { dtype: "uint64" });
  assertEquals((await compute(big)).result!.data[11], 11n);
  assertEquals((await compute(returning((at) => at > 3, { dtype: "float32" }))).result!.data[4], 1);
});

Deno.test("samples come as float32, or as the caller likes them", async () => {
  const seen = async (dtype: DType, input?: MapOptions["input"]) => {
    const classes = new Set<string>();
    const look: FrameFunction<TypedArray> = (frame) => {
      classes.add(frame.constructor.name);
      return Number(frame[1]);
    };
    const found = await compute(mapFrames(look, input ? { input } : {}), {}, goldenScan(dtype));
    assertEquals(numbers(found.result!.data)[0], 10, `${dtype} as ${input}`);
    return [...classes];
  };
  assertEquals(await seen("uint16"), ["Float32Array"]);
  assertEquals(await seen("int64"), ["Float64Array"]);
  assertEquals(await seen("int64", "native"), ["BigInt64Array"]);
  assertEquals(await seen("uint16", "native"), ["Uint16Array"]);
  assertEquals(await seen("uint16", "int32"), ["Int32Array"]);
});

both("errors say which function, where, and what it returned", async (context) => {
  const fails = async (ref: UdfRef, ...texts: string[]) => {
    const error = await assertRejects(() => compute(ref, { context }), TilewiseError);
    assertEquals(error.code, "udf", error.message);
    for (const text of texts) assert(error.message.includes(text), `${error.message} has no ${text}`);
  };
  await fails(mapFrames(MODULE, { export: "fussy", params: { at: 6 } }), '"fussy"', "(1, 2)", "no good");
  await fails(mapFrames(MODULE, { export: "fussy", params: { at: 0 } }), "frame of ones, 4 × 5 float32");
  await fails(mapFrames(MODULE, { export: "growing" }), "(1, 1)", "returned 2 values, for a frame of ones 1");
  await fails(mapFrames(MODULE, { export: "notAFunction" }), "is not a function of a frame, but number");
  await fails(mapFrames(MODULE, { export: "absent" }), 'has no export "absent", it has');
});

Deno.test("what is neither numbers nor JSON is refused", async () => {
  const refused: [unknown, string][] = [
    [undefined, "returned undefined"],
    [[1, 2n], "numbers and bigints"],
    [[[1], [2n, 3n]], "lists of 1 and of 2 values"],
    [Promise.resolve(1), "it must not be async"],
    [[Promise.resolve(1)], "it must not be async"],
    [new Map(), "an instance of Map"],
    [() => 1, "a function"],
    [[1, undefined], "undefined in a list"],
    [{ at: NaN }, "an object that is not JSON: the number NaN"],
    [[{ at: 1n }], "a list that is not JSON: a value of type bigint"],
    [{ at: new Date(0) }, "an object of class Date"],
    [[new Float32Array(2)], "an instance of Float32Array in a list"],
    [{ ...ndarray(new Float32Array(4), [4], "float32"), shape: [5] }, "beyond its 4 numbers"],
  ];
  for (const [value, text] of refused) {
    const error = await assertRejects(() => compute(returning(() => value as FrameValue)), TilewiseError);
    assert(error.message.includes(text), error.message);
  }
  const later: [(position: number) => FrameValue, MapOptions, string][] = [
    [(at) => at < 4 ? Int32Array.of(1) : Float64Array.of(1), {}, "returned float64 values, for a frame of"],
    [() => 1.5, { dtype: "int64" }, "1.5"],
    [() => [1, 2], { dtype: "float32", shape: [3] }, "returned 2 numbers; a result needs 3 numbers for 3"],
    [() => 1, { dtype: "complex64" }, "which cannot become complex64"],
    [(at) => at < 4 ? [1] : [1, 2], {}, 'lists of any length need dtype: "object"'],
  ];
  for (const [value, options, text] of later) {
    const error = await assertRejects(() => compute(returning(value, options)), TilewiseError);
    assert(error.message.includes(text), error.message);
  }
  assertThrows(() => returning(() => 1, { dtype: "float33" as DType }), TilewiseError, "float33");
  assertThrows(() => mapFrames("./map_functions.ts"), TilewiseError, "import.meta.resolve");
});

const NAV_KEYS = Array.from({ length: 12 }, (_, i) => i);

Deno.test("strings, objects, lists of objects and null are object results", async () => {
  const values: FrameValue[] = [
    "seven",
    null,
    { y: 1, x: [2, 3], ok: true },
    [{ y: 1 }, { y: 2 }],
    [],
    [[], []],
    ["a", 1],
    [[1], [2, 3]],
    [1, [2]],
  ];
  for (const value of values) {
    const found = await compute(returning(() => value));
    assertEquals(Object.keys(found), []);
    const { data, shape } = objectsOf(found).result!;
    assertEquals([shape, data], [[3, 4], NAV_KEYS.map(() => value)], JSON.stringify(value));
  }
});

both("what a function finds in a frame is a list of objects, as many as there are", async (context) => {
  for (const partitions of [1, 5]) {
    const peaks = mapFrames(MODULE, { export: "peaks", params: { least: 28 } });
    const found = objectsOf(await compute(peaks, { context, partitions, roi: [[0, 0], [1, 3], [2, 1]] }))
      .result!;
    const expected = NAV_KEYS.map((at) => {
      if (![0, 7, 9].includes(at)) return null;
      const samples = Array.from({ length: 20 }, (_, p) => (7 * (20 * at + p) ** 2 + 3 * (20 * at + p)) % 31);
      return samples.flatMap((value, p) => value >= 28 ? [{ y: Math.floor(p / 5), x: p % 5 }] : []);
    });
    assertEquals(found.data, expected);
    assert(found.data.some((list) => (list as unknown[] | null)?.length));
    assertEquals([...found.valid!], NAV_KEYS.map((at) => [0, 7, 9].includes(at) ? 1 : 0));
  }
});

Deno.test("what a frame of ones gives decides: null and empty lists stand for objects of any kind", async () => {
  const mixed = (at: number) => [null, "a", { b: 1 }, [], [1, 2], [{ c: 2 }]][at % 6]!;
  const { data } = objectsOf(await compute(returning(mixed))).result!;
  assertEquals(data, NAV_KEYS.map(mixed));
});

Deno.test("numbers for one frame and objects for another are an error that says what would do", async () => {
  const refused = async (value: (at: number) => FrameValue, ...words: string[]) => {
    const error = await assertRejects(() => compute(returning(value)), TilewiseError);
    assertEquals(error.code, "udf");
    for (const word of [...words, 'dtype: "object" takes any JSON value']) {
      assert(error.message.includes(word), `${error.message} has no ${word}`);
    }
  };
  await refused((at) => at < 6 ? 1.5 : "none", "(1, 2)", "returned a string", "for a frame of ones a number");
  await refused((at) => at < 6 ? [1, 2] : null, "(1, 2)", "returned null", "for a frame of ones numbers");
  await refused((at) => at < 6 ? 1 : { y: 1 }, "returned an object");
  await refused((at) => at < 6 ? "none" : 1.5, "(1, 2)", "returned a number, for a frame of ones a string");
  await refused((at) => at < 6 ? null : true, "returned a boolean, for a frame of ones null");
  await refused((at) => at < 6 ? [] : Float32Array.of(1), "Float32Array, for a frame of ones a list");
});

Deno.test('with dtype "object" any JSON value does, and nobody asks for a frame of ones', async () => {
  const asked: number[] = [];
  const any = mapFrames((_frame, { position }) => {
    asked.push(position);
    return [1.5, "two", null, true, [3], { four: 4 }][position % 6]!;
  }, { dtype: "object" });
  const { data } = objectsOf(await compute(any)).result!;
  assertEquals(data, [...Array(2)].flatMap(() => [1.5, "two", null, true, [3], { four: 4 }]));
  assertEquals(asked, NAV_KEYS);
  const error = await assertRejects(() => compute(returning(() => NaN, { dtype: "object" })), TilewiseError);
  assert(error.message.includes("a number that is not JSON: the number NaN"), error.message);
  assertThrows(() => returning(() => 1, { dtype: "object", shape: [2] }), TilewiseError, "leave shape out");
});

Deno.test("a function may use its object again for the next frame", async () => {
  const own = { at: 0 };
  const again = mapFrames((_frame, { position }) => {
    own.at = position;
    return own;
  });
  assertEquals(objectsOf(await compute(again)).result!.data, NAV_KEYS.map((at) => ({ at })));
});

both("the monitor of objects shows the last one, if there is one", async (context) => {
  const ref = mapFrames(MODULE, { export: "peaks", params: { least: 0 }, monitor: true });
  const last = objectsOf(await compute(ref, { context, roi: [[0, 1], [1, 2]] })).monitor!;
  assertEquals([(last.data[0] as unknown[]).length, last.shape, last.valid], [20, [], undefined]);
  const none = objectsOf(await compute(ref, { context, roi: new Uint8Array(12) })).monitor!;
  assertEquals([none.data, [...none.valid!]], [[null], [0]]);
});

Deno.test("testUdf looks at objects, too", async () => {
  await testUdf(mapFrames(MODULE, { export: "peaks", params: { least: 30 } }));
  let calls = 0;
  const error = await assertRejects(
    () => testUdf(mapFrames(() => ({ call: calls++ })), { workers: 0 }),
    TilewiseError,
    "another result",
  );
  assertEquals(error.details.result, "result");
});

both("the monitor shows the last frame that was processed, if there is one", async (context) => {
  const ref = mapFrames(MODULE, { monitor: true });
  const { monitor, result } = await compute(ref, { context });
  assertEquals([numbers(monitor!.data), monitor!.shape, monitor!.valid], [[279], [], undefined]);
  assertEquals(numbers(result!.data), SUMS);
  const some = await compute(ref, { context, roi: [[0, 1], [1, 2], [2, 0]] });
  assertEquals(numbers(some.monitor!.data), [302]);
  const none = await compute(ref, { context, roi: new Uint8Array(12) });
  assertEquals([numbers(none.monitor!.data), [...none.monitor!.valid!]], [[NaN], [0]]);
});

Deno.test("positions without a frame are not called", async () => {
  const scan = memoryScan([1, 2, 3], [2, 3], [1, 1], "uint8", { syncOffset: -2 });
  const { result } = await compute(mapFrames(MODULE), {}, scan);
  assertEquals(numbers(result!.data), [NaN, NaN, 1, 2, 3, NaN]);
  assertEquals([...result!.valid!], [0, 0, 1, 1, 1, 0]);
});

Deno.test("partitions, tiles, byte order and workers change no bit", async () => {
  const { data, results } = await testUdf(mapFrames(MODULE, { export: "about", params: { add: 2 } }));
  assertEquals(numbers(results.result!.data).slice(7 * 21, 7 * 22), [
    Number(data[48 * 21]),
    1,
    1,
    21,
    6,
    8,
    2,
  ]);
});
