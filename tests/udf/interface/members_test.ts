/** Members of UDFs and of what they declare: misspelt names, names of LiberTEM, values that cannot be. */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { auxData } from "../../../src/udf/interface/aux_data.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { goldenScan } from "../data.ts";

const GOOD: Udf<Record<"sum", DType>> = {
  name: "mine",
  buffers: { sum: { kind: "nav", dtype: "float64" } },
  processFrame: ({ data }, { sum }) => sum[0] = Number(data[0]),
};

async function refused(members: object, words: string, option: string): Promise<void> {
  const it = udf({ ...GOOD, ...members });
  const error = await assertRejects(() => plan(goldenScan(), { it }), TilewiseError, words);
  assertEquals(
    [error.code, error.details.udf, error.details.option],
    ["udf", "mine", option],
    error.message,
  );
}

Deno.test("a misspelt member of a UDF is refused with the one that was meant", async () => {
  const nothing = () => {};
  const cases: Readonly<Record<string, [unknown, string]>> = {
    process_frame: [nothing, "processFrame"],
    processframe: [nothing, "processFrame"],
    procesTile: [nothing, "processTile"],
    post_process: [nothing, "postprocess"],
    postProcess: [nothing, "postprocess"],
    result: [nothing, "results"],
    taskdata: [nothing, "taskData"],
    inputDtype: ["native", "inputDType"],
    input_dtype: ["native", "inputDType"],
    merge_all: [nothing, "mergeAll"],
    get_results: [nothing, "results"],
    getResults: [nothing, "results"],
    get_result_buffers: [nothing, "buffers"],
    get_task_data: [nothing, "taskData"],
    get_preferred_input_dtype: [nothing, "inputDType"],
    get_tiling_preferences: [nothing, "tiling"],
    get_method: [nothing, "method"],
    get_backends: [nothing, "backends"],
  };
  for (const [name, [value, meant]] of Object.entries(cases)) {
    await refused(
      { [name]: value },
      `has a member "${name}", which is unknown; did you mean "${meant}"?`,
      name,
    );
  }
});

Deno.test("a misspelt method of a class is refused", async () => {
  class Mine implements Udf<Record<"sum", DType>> {
    readonly name = "mine";
    readonly buffers = GOOD.buffers;
    processFrame() {}
    get_results() {}
  }
  await assertRejects(
    () => plan(goldenScan(), { it: udf(new Mine()) }),
    TilewiseError,
    'did you mean "results"?',
  );
});

Deno.test("a UDF may have a state and helpers of its own, also as a class", async () => {
  class Base {
    readonly buffers = GOOD.buffers;
    seen = 0;
    result = 0; // data: nobody would call it
    row = 3;
    #secret = 5;
    get total() {
      return this.#secret + this.seen;
    }
    _merge() {}
    add(value: number) {
      this.seen += value;
    }
  }
  class Mine extends Base implements Udf<Record<"sum", DType>> {
    readonly name = "mine";
    processFrame(_: unknown, { sum }: { sum: { [index: number]: number | bigint } }) {
      this.add(1);
      sum[0] = this.total;
    }
  }
  const { it } = await run(await plan(goldenScan(), { it: udf(new Mine() as Udf<Record<"sum", DType>>) }));
  assertEquals(it!.sum!.data[11], 5 + 12);
});

Deno.test("an instance of a class without a name is asked for one, and keeps its methods", async () => {
  class Mine {
    readonly buffers = GOOD.buffers;
    processFrame() {}
  }
  const it = udf(new Mine() as unknown as Udf);
  await assertRejects(
    () => plan(goldenScan(), { it }),
    TilewiseError,
    "an instance of a class without a name",
  );
});

Deno.test("a member of another kind is refused", async () => {
  await refused({ merge: true }, 'its member "merge" is true; it must be a function', "merge");
  await refused(
    { processFrame: "sum" },
    'its member "processFrame" is "sum"; it must be a function',
    "processFrame",
  );
  await refused(
    { results: { sum: 1 } },
    'its member "results" is an object; it must be a function',
    "results",
  );
  await refused(
    { tiling: null },
    'its member "tiling" is null; it must be an object or a function',
    "tiling",
  );
  await refused(
    { inputDType: 4 },
    'its member "inputDType" is 4; it must be a text or a function',
    "inputDType",
  );
});

Deno.test("misspelt names in what a UDF declares are refused, with the path", async () => {
  const sum = { kind: "nav" };
  await refused({ tiling: { total_size: 100 } }, 'did you mean "totalBytes"?', "tiling.total_size");
  await refused({ tiling: () => ({ Depth: 3 }) }, 'did you mean "depth"?', "tiling.Depth");
  await refused(
    { buffers: { sum: { ...sum, extra_shape: [2] } } },
    '"buffers.sum" of UDF "mine" has no option "extra_shape"; did you mean "extraShape"?',
    "buffers.sum.extra_shape",
  );
  await refused(
    { buffers: { sum: { ...sum, dType: "int8" } } },
    'did you mean "dtype"?',
    "buffers.sum.dType",
  );
  await refused(
    { scratch: () => ({ room: { dtype: "int8", length: 3, size: 3 } }) },
    'has no option "size"',
    "scratch.room.size",
  );
  const aux = { kind: "single", dtype: "float32", data: new Float32Array(2), extra_shape: [2] };
  await refused({ aux: () => ({ shift: aux }) }, 'did you mean "extraShape"?', "aux.shift.extra_shape");
});

Deno.test("values in what a UDF declares that cannot be are refused, with the path", async () => {
  await refused({ tiling: { depth: "all" } }, 'it must be a number from 1, or "max"', "tiling.depth");
  await refused({ tiling: { totalBytes: "much" } }, "a size in text such as 1MiB", "tiling.totalBytes");
  await refused({ tiling: { contiguous: 1 } }, "it must be true or false", "tiling.contiguous");
  const compressed = { sum: { kind: "nav", compressed: "yes" } };
  await refused({ buffers: compressed }, "it must be true or false", "buffers.sum.compressed");
});

Deno.test("bytes of a tile may be given in text", async () => {
  const tile = async (totalBytes: string | number) => {
    const it = { ...GOOD, processFrame: undefined, processTile: () => {}, tiling: { depth: 1, totalBytes } };
    return (await plan(goldenScan(), { it: udf(it as unknown as Udf) })).scheme.tileShape;
  };
  assertEquals(await tile("0.0390625KiB"), await tile(40));
  assertEquals((await tile(40)).length, 3);
});

Deno.test("auxData refuses misspelt options, and what is not an array", () => {
  const misspelt: object = { extra_shape: [2] };
  const error = assertThrows(
    () => auxData(new Float32Array(4), misspelt),
    TilewiseError,
    'mean "extraShape"?',
  );
  assertEquals([error.code, error.details.option], ["invalid", "extra_shape"]);
  assertThrows(
    () => auxData([1, 2] as never),
    TilewiseError,
    "takes a typed array or an array with a shape, not [1,2]",
  );
  assertThrows(
    () => auxData(new Float32Array(4), { kind: "frame" as never }),
    TilewiseError,
    '"nav", "sig" or "single"',
  );
});
