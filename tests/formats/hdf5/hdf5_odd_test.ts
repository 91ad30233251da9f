/**
 * What HDF5 files may be beside the usual: parts of a family, virtual data sets that show each other, arrays beside
 * others that they describe, and what is not read, each with an error that says why.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { box, wholeBox } from "../../../src/space/box.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { failure } from "../helpers.ts";

const FOLDER = new URL("../../data/hdf5/", import.meta.url);
const at = (name: string) => new URL(name, FOLDER);
const file = (name: string) => new File([Deno.readFileSync(at(name))], name);

Deno.test("a family of files may be given as a list; what is missing or short is named", async () => {
  const members = [0, 1, 2, 3].map((n) => file(`family_${n}.h5`));
  const [listed, found] = await Promise.all([open(members), open(at("family_0.h5"))]);
  const [one, other] = await Promise.all(
    [listed, found].map((dataset) => readBox(dataset, wholeBox(dataset.shape))),
  );
  assertEquals([...one!.data as Uint8Array], [...other!.data as Uint8Array]);
  const missing = await failure(open(members.toSpliced(3, 1)), "truncated");
  assert(/first of 4 parts .*driver "family" .*part 3, family_3\.h5, is not there/.test(missing.message));
  const short = members.with(2, new File([new Uint8Array(100)], "family_2.h5"));
  assert(
    /part 2, family_2\.h5, has 100 bytes, not 2048/.test((await failure(open(short), "truncated")).message),
  );
});

Deno.test("virtual data sets that show themselves are refused, the others of the file are read", async () => {
  const error = await failure(open(at("virtual_loop.h5"), { array: "/egg" }), "unsupported");
  assert(/it shows itself, by way of \/egg .*then \/hen .*then \/egg/.test(error.message), error.message);
  const [sound, ...others] = await openAll(at("virtual_loop.h5"));
  assertEquals([sound!.array, others.length], ["/sound", 0]);
  assertEquals(sound!.warnings.filter((text) => /shows itself/.test(text)).length, 2);
});

Deno.test("an array has all the names that links give it", async () => {
  for (const array of ["/group/hidden", "/alias/hidden", "alias/hidden"]) {
    assertEquals((await open(at("odd.h5"), { array })).shape, [3, 8, 10]);
  }
});

Deno.test("an array that cannot be read says why, when it is asked for, and hinders no other", async () => {
  const says = async (array: string, code: "unsupported" | "not-found", what: RegExp) => {
    const { message } = await failure(open(at("odd.h5"), { array }), code);
    assert(what.test(message), message);
  };
  await says("/texts", "unsupported", /\/texts of odd\.h5: its elements are texts; arrays of whole numbers/);
  await says("/brain", "unsupported", /its elements are floats of 2 bytes in a form that is not IEEE 754/);
  await says("/lost", "not-found", /nowhere\.bin/);
  await says("/nobody", "not-found", /There is no array "\/nobody" in odd\.h5; it has "\/across"/);
  const arrays = await openAll(at("odd.h5"));
  assert(arrays.length >= 6 && arrays.every(({ warnings }) => warnings.some((text) => /nowhere/.test(text))));
});

Deno.test("single values and arrays without samples are not frames, and a plan says so", async () => {
  const refused = async (array: string) => {
    const dataset = await open(at("odd.h5"), { array });
    return (await failure(plan(dataset, { sum: sumFrames() }), "invalid")).message;
  };
  assert(
    /Cannot run over \/single of .*: it is a single value; take an array/.test(await refused("/single")),
  );
  assert(/\/none of .*: its shape is 3 × 0 × 5, without a sample/.test(await refused("/none")));
});

Deno.test("what describes the images is not taken for them, however large it is", async () => {
  const velox = await open(at("velox.h5"));
  assertEquals([velox.array, velox.shape], ["/Data/Image/f00d/Data", [4, 5, 6]]);
  assertEquals(velox.axes.slice(1).map(({ scale }) => scale), [3e-9, 2e-9]);
  assertEquals(velox.warnings, []); // there is no other image
  const metadata = await open(at("velox.h5"), { array: "/Data/Image/f00d/Metadata" });
  assertEquals([metadata.shape, metadata.auxiliary], [[5000, 4], true]);
});

Deno.test("py4DSTEM's calibration gives the steps of scan and pattern", async () => {
  const cube = await open(at("py4dstem.h5"));
  assertEquals(cube.shape, [2, 3, 4, 5]);
  const steps = cube.axes.map(({ scale, unit }) => [scale, unit]);
  assertEquals(steps, [[2.5, "nm"], [2.5, "nm"], [0.05, "1/A"], [0.05, "1/A"]]);
});

Deno.test("shapes beyond any memory are described, and read where somebody looks", async () => {
  const arrays = await openAll(at("huge.h5"));
  const [never, rows, shown, sparse] = arrays;
  assertEquals(arrays.map(({ array }) => array), ["/never", "/rows", "/shown", "/sparse"]);
  const one = async (dataset: typeof never, origin: number[]) =>
    Number((await readBox(dataset!, box(origin, origin.map(() => 1)))).data[0]);
  assertEquals(await one(never, [10 ** 9 - 1, 3, 3]), 7);
  assertEquals(await one(rows, [29, 999, 0, 0]), 8);
  assertEquals([await one(shown, [0, 29, 5, 0, 0]), await one(shown, [1, 29, 5, 0, 0])], [1, 8]);
  assertEquals([await one(sparse, [5000, 9, 9]), await one(sparse, [9999, 0, 0])], [1, 3]);
  const { message } = await failure(open(at("huge.h5"), { array: "/chunk" }), "unsupported");
  assert(/its chunks of 1 × 40000 × 40000 have 3\.0 GiB; those of up to 512 MiB are decoded/.test(message));
});
