/** HDF5 arrays behind the filter 307, bzip2, as hdf5plugin writes them. */

import { assert, assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { failure } from "../helpers.ts";
import { sha256 } from "../read_all.ts";

const FOLDER = new URL("../../data/bzip2/", import.meta.url);
const FILE = new URL("filter_307.h5", FOLDER);
const { arrays }: { arrays: Record<string, [number[], string]> } = JSON.parse(
  Deno.readTextFileSync(new URL("expected.json", FOLDER)),
);

Deno.test("arrays behind bzip2 have the samples that h5py reads, with other filters around it, too", async () => {
  const datasets = await openAll(FILE);
  assertEquals(datasets.map(({ array }) => array).toSorted(), Object.keys(arrays).toSorted());
  for (const dataset of datasets) {
    const { data } = await readBox(dataset, wholeBox(dataset.shape));
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    assertEquals([dataset.shape, sha256(bytes)], arrays[dataset.array], dataset.array);
    assert((dataset.metadata.filters as string[]).includes("bzip2"));
  }
});

Deno.test("a run on workers reads bzip2 in the memory that its plan counts", async () => {
  const dataset = await open(FILE, { array: "/big_shuffled" });
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  const expected = Array.from(
    { length: 5 },
    (_, f) =>
      (data as Uint32Array).subarray(2000 * f, 2000 * (f + 1)).reduce((sum, sample) => sum + sample, 0),
  );
  await using context = createContext({ memory: 2 ** 23, workers: 2 });
  const { sums } = await run(await plan(dataset, { sums: sumPixels() }, { context }));
  assertEquals(Array.from(sums!.intensity!.data as ArrayLike<number>), expected);
});

Deno.test("a damaged chunk is an error that names the chunk, the place and what is wrong", async () => {
  const bytes = Deno.readFileSync(FILE);
  const magic = [0x42, 0x5a, 0x68];
  const at = bytes.findIndex((_, i) => magic.every((byte, m) => bytes[i + m] === byte));
  for (const [byte, words] of [[at + 60, /./], [at + 11, /a checksum is not that of the bytes/]] as const) {
    const damaged = bytes.slice();
    damaged[byte]! ^= 1;
    const dataset = await open(damaged, { array: "/u2" });
    const { message } = await failure(readBox(dataset, wholeBox(dataset.shape)), "malformed");
    assert(
      /chunk \(0, 0, 0\) at byte \d+: Cannot undo the filter bzip2: .*, at its byte \d+$/.test(message),
      message,
    );
    assert(words.test(message), message);
  }
  bytes[at + 14]! |= 0x80; // a randomised block
  const dataset = await open(bytes, { array: "/u2" });
  const { message } = await failure(readBox(dataset, wholeBox(dataset.shape)), "unsupported");
  assert(/has not been written since 1999/.test(message), message);
});
