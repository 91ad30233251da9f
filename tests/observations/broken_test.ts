/** Broken observations: each is refused with the file and what is wrong, when it is opened or when its rows are read. */

import "../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { isTilewiseError } from "../../src/errors.ts";
import { openObservation } from "../../src/observations/open.ts";
import { attemptObserved, OBSERVED } from "../fuzz/observations.ts";
import { failure } from "../formats/helpers.ts";
import { allSamples, pathOf } from "./expected.ts";

/** A copy of a sample, of which files may be changed or removed. */
async function copyOf(sample: string) {
  const folder = await Deno.makeTempDir();
  const copy = (from: string, to: string) => {
    if (Deno.statSync(from).isFile) return Deno.copyFileSync(from, to);
    Deno.mkdirSync(to, { recursive: true });
    for (const { name } of Deno.readDirSync(from)) copy(`${from}/${name}`, `${to}/${name}`);
  };
  const path = `${folder}/${sample}`;
  copy(pathOf(sample), path);
  return {
    path,
    change(file: string, change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> | void) {
      const bytes = Deno.readFileSync(`${path}/${file}`);
      Deno.writeFileSync(`${path}/${file}`, change(bytes) ?? bytes);
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** Replaces the first text in a file by another one of its length. */
function replace(bytes: Uint8Array, from: string, to: string): void {
  const at = new TextDecoder("latin1").decode(bytes).indexOf(from);
  assert(at >= 0 && from.length === to.length, from);
  bytes.set(new TextEncoder().encode(to), at);
}

Deno.test("a Measurement Set whose tables are cut, or begin with other bytes, is refused with the file", async () => {
  for (const table of ["", "ANTENNA/", "FEED/"]) {
    await using copy = await copyOf("small.ms");
    copy.change(`${table}table.dat`, (bytes) => bytes.slice(0, bytes.length / 2));
    const cut = await failure(openObservation(copy.path), "truncated");
    assert(String(cut.details.file).endsWith(`${table}table.dat`), cut.message);
    copy.change(`${table}table.dat`, (bytes) => void bytes.fill(0, 0, 4));
    const magic = await failure(openObservation(copy.path), "malformed");
    assertEquals(magic.details.offset, 0, magic.message);
  }
});

Deno.test("row counts of a Measurement Set that lie are refused with both numbers", async () => {
  await using copy = await copyOf("small.ms");
  Deno.removeSync(`${copy.path}/table.lock`);
  for (const lie of [23, 25, 2 ** 31]) {
    copy.change("table.dat", (bytes) => new DataView(bytes.buffer).setUint32(21, lie));
    const error = await failure(openObservation(copy.path), "malformed");
    assertEquals([error.details.expected, error.details.found], [lie, 24], error.message);
  }
});

Deno.test("a Measurement Set without a table or a column is refused by its name", async () => {
  await using copy = await copyOf("small.ms");
  copy.change("table.dat", (bytes) => replace(bytes, "POLARIZATION", "POLARISATION"));
  const table = await failure(openObservation(copy.path), "malformed");
  assert(/has no table POLARIZATION/.test(table.message), table.message);
  await using other = await copyOf("small.ms");
  other.change("table.dat", (bytes) => {
    for (let i = 0; i < 2; i++) replace(bytes, "ANTENNA2", "ANTENNA3");
  });
  const column = await failure(openObservation(other.path), "malformed");
  assert(/no column ANTENNA2/.test(column.message), column.message);
  await using gone = await copyOf("small.ms");
  Deno.removeSync(`${gone.path}/FIELD`, { recursive: true });
  const folder = await failure(openObservation(gone.path), "not-found");
  assert(/FIELD\/table.dat/.test(folder.message), folder.message);
});

Deno.test("a column of samples that cannot be read is refused when it is read, not where nothing needs it", async () => {
  await using copy = await copyOf("small.ms");
  copy.change("table.dat", (bytes) => { // all of them: descriptions name the managers as well
    while (new TextDecoder("latin1").decode(bytes).includes("TiledShapeStMan")) {
      replace(bytes, "TiledShapeStMan", "ForeignStMan001");
    }
  });
  await using found = await openObservation(copy.path);
  assertEquals((await found.uvw(0, 1)).length, 3);
  const samples = [found.visibility, found.flag].map(async (one) => await allSamples(one!));
  const refused = (await Promise.allSettled(samples)).filter(({ status }) => status === "rejected");
  assertEquals(refused.length, 2);
  const error = (refused[0] as PromiseRejectedResult).reason;
  assert(
    isTilewiseError(error, "unsupported") && /ForeignStMan001 is not read/.test(error.message),
    String(error),
  );
});

const ARRAYS = {
  antennas: [{ name: "a", position: [0, 0, 0] as const }, { name: "b", position: [10, 0, 0] as const }],
  frequencies: [1e9, 1.1e9],
  correlations: ["XX"],
  phaseCentre: [0, 0] as const,
  time: [1, 1],
  antenna1: [0, 0],
  antenna2: [1, 1],
  uvw: [1, 2, 3, 4, 5, 6],
};

Deno.test("antennas that do not exist, and frequencies that are none, are refused", async () => {
  for (const antenna of [2, -1, NaN]) {
    const error = await failure(openObservation({ ...ARRAYS, antenna2: [1, antenna] }), "malformed");
    assert(/a row has antenna .*, there are 2/.test(error.message), error.message);
  }
  for (const frequency of [NaN, Infinity, 0, -1e9]) {
    const error = await failure(openObservation({ ...ARRAYS, frequencies: [1e9, frequency] }), "malformed");
    assert(/channel 1 .*a frequency above 0/.test(error.message), error.message);
  }
  const time = await failure(openObservation({ ...ARRAYS, time: [1, NaN] }), "malformed");
  assert(/row 1 has the time NaN/.test(time.message), time.message);
});

Deno.test("chunks of version 4 that are cut are refused where they are read", async () => {
  await using copy = await copyOf("small.ps.zarr");
  const walk = (at: string): string[] =>
    [...Deno.readDirSync(`${copy.path}/${at}`)].flatMap(({ name, isFile }) =>
      isFile ? [`${at}/${name}`] : walk(`${at}/${name}`)
    );
  const chunk = walk("small_0/UVW/c")[0]!;
  copy.change(chunk, (bytes) => bytes.slice(0, 9));
  try {
    await using found = await openObservation(copy.path, { dataDescription: 0 });
    await found.uvw(0, found.rows);
    assert(false, "it was read");
  } catch (error) {
    assert(isTilewiseError(error) && /truncated|malformed/.test(error.code), String(error));
  }
});

for (const name of OBSERVED) {
  Deno.test(`${name}: damaged files are read or refused within limits`, async () => {
    for (let seed = 1; seed <= (name.startsWith("sky") ? 60 : 6); seed++) {
      const { problem } = await attemptObserved(name, 7919 * seed);
      // time and memory are those of the process, in which other tests run as well; the fuzz has one of its own
      if (!/^it (took|needed)/.test(problem ?? "")) assertEquals(problem, undefined, `seed ${7919 * seed}`);
    }
  });
}
