/** Measurement Sets of version 4 as observations: what xradio made of a Measurement Set. */

import "../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { dirname } from "@std/path";
import { openObservation } from "../../src/observations/open.ts";
import { withFolder } from "../cli/harness.ts";
import { failure } from "../formats/helpers.ts";
import { writeGiant } from "./giant.ts";
import { allSamples, compare, EXPECTED, type Expected, pathOf, tile } from "./expected.ts";

const PATH = pathOf("small.ps.zarr");
const PARTS: readonly { field: number; window: number; expected: Expected }[] = EXPECTED["small.ms"];

for (const { field, window, expected } of PARTS) {
  Deno.test(`version 4: field ${field} with spectral window ${window} has the rows and samples that were written`, async () => {
    await using found = await openObservation(PATH, { field, dataDescription: window });
    assertEquals(found.weight?.shape, found.visibility?.shape); // xradio repeats the weights of a row for its channels
    const name = `${expected.field}_${field}`; // as xradio makes names unique
    await compare({ ...found, ...weightsOfRows(found.weight!) }, { ...expected, field: name });
  });
}

/** The weights of rows, from those of the first channel. */
function weightsOfRows(weight: NonNullable<Awaited<ReturnType<typeof openObservation>>["weight"]>) {
  const [rows, , correlations] = weight.shape;
  const source: typeof weight.source = async () =>
    await weight.source(tile([[0, rows!], [0, 1], [0, correlations!]]));
  return { weight: { ...weight, shape: [rows!, correlations!], source } };
}

Deno.test("version 4: data groups are taken by their name or by that of their visibilities", async () => {
  const { expected } = PARTS.find(({ field, window }) => field === 1 && window === 0)!;
  for (const column of ["model", "VISIBILITY_MODEL"]) {
    await using found = await openObservation(`${PATH}/small_0`, { field: "target_1", column });
    await using whole = await openObservation(PATH, { field: 1, dataDescription: 0, column });
    assertEquals(await allSamples(found.visibility!), await allSamples(whole.visibility!));
    await compare(
      { ...whole, ...weightsOfRows(whole.weight!) },
      { ...expected, field: "target_1", visibility: expected.model! },
    );
  }
});

Deno.test("version 4: readers hold some chunks, however many there are", async () => {
  const memory: number[] = [];
  for (const times of [256, 2048]) {
    await withFolder(async (folder) => {
      await writeGiant(`${folder}/a.zarr`, [times, 1024]);
      await using found = await openObservation(`${folder}/a.zarr`);
      memory.push(found.memory / 2 ** 20);
    });
  }
  const [few, many] = memory as [number, number];
  assert(many < 12 && many - few < 1, `${memory} MiB`); // coordinates are held as a whole
});

Deno.test("version 4: ranges of rows that begin and end inside of a time are those of the whole", async () => {
  await using found = await openObservation(PATH, { dataDescription: 1, field: 0 });
  const [rows, channels, correlations] = found.visibility!.shape as [number, number, number];
  const whole = await allSamples(found.visibility!);
  const part = await found.visibility!.source(
    tile([[2, 5], [0, channels], [0, correlations]]),
  ) as Float32Array;
  const each = 2 * channels * correlations;
  assertEquals([rows, [...part]], [6, [...whole.subarray(2 * each, 5 * each)]]);
  assertEquals([...await found.uvw(4, 5)], [...(await found.uvw(0, 6)).subarray(12, 15)]);
});

Deno.test("version 4: what is not there is an error that says what is, and other stores are none", async () => {
  const cases = [
    [{ dataDescription: 4 }, "it has 2: small_0, small_1"],
    [{ field: "nowhere" }, '0 "calibrator_0", 1 "target_1"'],
    [{ column: "corrected" }, "base (VISIBILITY), model (VISIBILITY_MODEL)"],
  ] as const;
  for (const [options, words] of cases) {
    const error = await failure(openObservation(PATH, options), "not-found");
    assert(error.message.includes(words), error.message);
  }
  const other = await failure(openObservation(`${PATH}/small_0/antenna_xds`), "unsupported");
  assert(/no group of it has data_groups/.test(other.message), other.message);
  await failure(openObservation(`${PATH}/nothing.ms`), "not-found");
  const none = await failure(openObservation(`${PATH}/small_0/UVW/c`), "unknown-format");
  assert(/neither table.dat nor the documents of Zarr/.test(none.message), none.message);
});

/** Paths of all files below a folder. */
function* filesBelow(folder: string, path = ""): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(`${folder}/${path}`)) {
    if (isDirectory) yield* filesBelow(folder, `${path}${name}/`);
    else yield path + name;
  }
}

/** Copies a store with other names of chunks than its documents say: `c.0.1` for `c/0/1`, `0/1` for `0.1`; how many there are. */
function copyRenamed(from: string, to: string): number {
  let renamed = 0;
  for (const file of filesBelow(from)) {
    const [, array, chunk] = /^(.*?\/)((?:c[./])?\d+(?:[./]\d+)*)$/.exec(file) ?? [];
    const other = chunk?.includes("/") ? chunk.replaceAll("/", ".") : chunk?.replaceAll(".", "/");
    const target = `${to}/${other === undefined ? file : array + other}`;
    Deno.mkdirSync(dirname(target), { recursive: true });
    Deno.copyFileSync(`${from}/${file}`, target);
    if (other !== chunk) renamed++;
  }
  return renamed;
}

Deno.test("version 4: chunks that are stored with the other separator are found, and said to be", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/renamed.ps.zarr`;
    assert(copyRenamed(PATH, path) > 10);
    await using told = await openObservation(PATH, { field: 0, dataDescription: 0 });
    await using found = await openObservation(path, { field: 0, dataDescription: 0 });
    for (const name of ["visibility", "flag", "weight"] as const) {
      assertEquals(await allSamples(found[name]!), await allSamples(told[name]!), name);
    }
    assertEquals(await found.uvw(0, 6), await told.uvw(0, 6));
    assertEquals(found.antennas, told.antennas);
    assert(
      found.warnings.some((text) => text.includes("VISIBILITY") && text.includes("are read by names with")),
    );
  });
});

Deno.test("version 4: antennas have the receptors of the set", async () => {
  for (const [dataDescription, names] of [["X", "Y"], ["R", "L"]].entries()) {
    await using found = await openObservation(PATH, { field: 0, dataDescription });
    const expected = [{ polarization: names[0]!, angle: 0 }, { polarization: names[1]!, angle: Math.PI / 2 }];
    assertEquals(found.antennas.map(({ receptors }) => receptors), [expected, expected, expected]);
  }
});
