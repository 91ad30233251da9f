/** Sources that change while they are read: every way to read says `changed`, at the place where it can be known first. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { frameBlocks, readBox } from "../../../src/cli/inputs/frames.ts";
import { isTilewiseError, TilewiseError } from "../../../src/errors.ts";
import { mibHdr, mibPieces } from "../../formats/mib/mib_files.ts";
import { Input } from "../../../src/formats/common/input.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { createContext } from "../../../src/runner/context.ts";
import { exportDataset } from "../../../src/udf/run/export_dataset.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run, run as runPlan } from "../../../src/run.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import { arrayOf } from "../../../src/views/array.ts";
import { planMap } from "../../../src/views/map/plan.ts";
import { boxMean } from "../../../src/views/operations/box_mean.ts";
import { planViews } from "../../../src/views/plan.ts";
import { ViewReader } from "../../../src/views/view.ts";
import { hdf5, KINDS, type Made, OLD_SUMS } from "../../soak/sources/change_sources.ts";
import { mulberry32 } from "../../kernels/call.ts";
import { join } from "../../formats/helpers.ts";
import { rightAnswer, serve } from "../../io/range_server.ts";

interface Place extends AsyncDisposable {
  readonly folder: string;
  readonly made: Made;
  /** What is opened. */
  readonly path: string;
  /** The new bytes take the place of the old ones, in the same file. */
  change(): void;
}

/** A source of that kind in a folder of its own. */
async function placeOf(kind: string): Promise<Place> {
  const made = await KINDS[kind]!();
  const folder = await Deno.makeTempDir();
  for (const { name, old } of made.files) await Deno.writeFile(`${folder}/${name}`, old);
  const changing = made.files[made.changes]!;
  return {
    folder,
    made,
    path: `${folder}/${made.files[0]!.name}`,
    change: () => Deno.writeFileSync(`${folder}/${changing.name}`, changing.now),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** The sums of frames; `at` is called before the frame of that number is summed. */
function summing(frame: number, at: () => void): Udf {
  let n = 0;
  return {
    name: "summing",
    buffers: { sum: { kind: "nav", dtype: "float64" } },
    processFrame({ data }, { sum }) {
      if (n++ === frame) at();
      sum![0] = (data as Float32Array).reduce((a, b) => a + b, 0);
    },
  } as Udf;
}

for (const kind of Object.keys(KINDS)) {
  Deno.test(`${kind}: a change within a run is told with file, sizes, times and, where frames changed, the partition`, async () => {
    await using place = await placeOf(kind);
    await using context = createContext({ workers: 0, memory: 2 ** 24 });
    const scan = await open(place.path, place.made.options);
    const { options, ...job } = { options: { context, partitions: 12 }, udf: summing(150, place.change) };
    const planned = await plan(scan, { sum: job.udf }, options);
    const error = await assertRejects(async () => await run(planned), TilewiseError);
    const { name, old, now } = place.made.files[place.made.changes]!;
    assertEquals([error.code, error.details.file], ["changed", `${place.folder}/${name}`]);
    const { was, is } = error.details as Record<string, { size: number; modified: string }>;
    assertEquals([was!.size, is!.size], [old.length, now.length]);
    assert(is!.modified > was!.modified, `${is!.modified} after ${was!.modified}`);
    assertMatch(error.message, /: it changed after it was opened \(time of change was \S+Z, is \S+Z\)/);
    const isOfFrames = !kind.startsWith("side");
    if (isOfFrames) assert(error.details.partition! > 0, String(error.details.partition));
    else assertEquals(error.details.partition, undefined);
    const again = await assertRejects(async () => await run(planned), TilewiseError);
    assertEquals(again.code, "changed", "the same plan once more");
  });
}

Deno.test("chunks that cannot be decoded because the file has changed are changed, with the reason as cause", async () => {
  const random = mulberry32(7);
  const shape = [16, 16, 64, 64];
  const bytes = await hdf5(Uint16Array.from({ length: 2 ** 20 }, () => 65536 * random()), 1, shape);
  const path = await Deno.makeTempFile();
  await Deno.writeFile(path, bytes);
  await using context = createContext({ workers: 0, memory: 2 ** 26 });
  const scan = await open(path);
  const spoil = () => Deno.writeFileSync(path, bytes.fill(0xab, 4096));
  const planned = await plan(scan, { sum: summing(1, spoil) }, { context, partitions: 1 });
  const error = await assertRejects(async () => await run(planned), TilewiseError);
  assertEquals(error.code, "changed");
  assert(isTilewiseError(error.cause, "malformed"), String(error.cause));
  await Deno.remove(path);
});

Deno.test("of a long series a file that was read changes before the end: it has changed, read or exported", async () => {
  const folder = await Deno.makeTempDir();
  const frames = Array.from({ length: 300 }, (_, n) => Uint16Array.of(n, 1, 2, 3));
  for (const [n, frame] of frames.entries()) {
    const bytes = await Array.fromAsync(mibPieces([frame], { sig: [2, 2], counterBits: 12 }, n + 1));
    await Deno.writeFile(`${folder}/scan_${`${n}`.padStart(3, "0")}.mib`, join(...bytes));
  }
  await Deno.writeTextFile(`${folder}/scan.hdr`, mibHdr([15, 20], 12));
  const [path, member] = [`${folder}/scan.hdr`, `${folder}/scan_007.mib`];
  const spoil = () => Deno.utimeSync(member, 1, 1);
  await using context = createContext({ workers: 0, memory: 2 ** 24 });
  const planned = await plan(await open(path), { sum: summing(290, spoil) }, { context, partitions: 30 });
  const error = await assertRejects(async () => await run(planned), TilewiseError);
  assertEquals([error.code, error.details.file], ["changed", member]);
  const blocks = frameBlocks(await open(path));
  await blocks.next();
  Deno.utimeSync(member, 2, 2);
  const other = await assertRejects(() => Array.fromAsync(blocks), TilewiseError);
  assertEquals([other.code, other.details.file], ["changed", member]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a file that is cut off, grows or goes within a run has changed", async () => {
  const ways: Record<string, (path: string) => void> = {
    "is cut off": (path) => Deno.truncateSync(path, 9999),
    "grows": (path) => Deno.writeFileSync(path, new Uint8Array(8), { append: true }),
    "goes": (path) => Deno.removeSync(path),
    "becomes a folder": (path) => {
      Deno.removeSync(path);
      Deno.mkdirSync(path);
    },
  };
  for (const [what, change] of Object.entries(ways)) {
    await using place = await placeOf("raw");
    await using context = createContext({ workers: 0, memory: 2 ** 24 });
    const scan = await open(place.path, place.made.options);
    const planned = await plan(scan, { sum: summing(20, () => change(place.path)) }, {
      context,
      partitions: 12,
    });
    const error = await assertRejects(async () => await run(planned), TilewiseError);
    assertEquals([what, error.code, error.details.file], [what, "changed", place.path]);
  }
});

Deno.test("2 workers: parts that were merged before a change are right, and the run ends as changed", async () => {
  await using place = await placeOf("npy");
  await using context = createContext({ workers: 2, memory: 2 ** 24 });
  const planned = await plan(await open(place.path), { sum: sumPixels() }, { context, partitions: 48 });
  let changed = false;
  const error = await assertRejects(async () => {
    for await (const { damage, results } of run(planned)) {
      if (!changed) place.change();
      changed = true;
      const sums = results.sum!.intensity!.data;
      damage.data.forEach((on, n) => on && assertEquals(Number(sums[n]), OLD_SUMS[n], `frame ${n}`));
    }
  }, TilewiseError);
  assertEquals(error.code, "changed");
});

Deno.test("a file that describes the frames and changes: an older output stays, nothing is left beside it", async () => {
  for (const kind of ["side file of mib", "raw"]) {
    await using place = await placeOf(kind);
    await using context = createContext({ workers: 0, memory: 2 ** 24 });
    const scan = await open(place.path, place.made.options);
    const out = `${place.folder}/out.npy`;
    await Deno.writeTextFile(out, "old");
    const before = Array.from(Deno.readDirSync(place.folder), ({ name }) => name).toSorted();
    place.change();
    const error = await assertRejects(() => exportDataset(scan, out, { context }), TilewiseError);
    assertEquals([kind, error.code, await Deno.readTextFile(out)], [kind, "changed", "old"]);
    assertEquals(Array.from(Deno.readDirSync(place.folder), ({ name }) => name).toSorted(), before);
  }
});

Deno.test("stats and pick say changed after the block in which it happened", async () => {
  for (const kind of ["npy", "mib series", "side file of mib"]) {
    await using place = await placeOf(kind);
    const scan = await open(place.path, place.made.options);
    const error = await assertRejects(async () => {
      for await (const _ of frameBlocks(scan)) place.change();
    }, TilewiseError);
    assertEquals([kind, error.code], [kind, "changed"]);
    await assertRejects(
      () => readBox(scan, wholeBox(scan.shape)),
      TilewiseError,
      "it changed after it was opened",
    );
  }
});

Deno.test("views, and filters over them, say changed", async () => {
  for (const kind of ["npy", "hdf5 with gzip", "side file of mib"]) {
    await using place = await placeOf(kind);
    const array = arrayOf(await open(place.path, place.made.options));
    await using context = createContext({ memory: 2 ** 24, workers: 0 });
    const views = planViews(array, { tile: [1, 4, 32, 32], radius: 0, context });
    await using reader = await ViewReader.open(views);
    using _ = await reader.read([0, 0, 0, 0]);
    if (kind.startsWith("side")) continue; // views of one tile do not look at it, a filter does at its end
    place.change();
    const error = await assertRejects(() => reader.read([1, 1, 0, 0]), TilewiseError);
    assertEquals([kind, error.code], [kind, "changed"]);
  }
  const folder = await Deno.makeTempDir();
  const path = `${folder}/image.raw`;
  await Deno.writeFile(path, new Uint8Array(64 * 64));
  const image = await open(path, { format: "raw", dtype: "uint8", nav: [], sig: [64, 64] });
  await using context = createContext({ workers: 0 });
  const filter = await planMap(arrayOf(image), boxMean(), { radius: 1, tile: [16, 64], context });
  const error = await assertRejects(async () => {
    for await (const { origin } of runPlan(filter)) {
      if (origin[0] === 48) Deno.writeFileSync(path, new Uint8Array(64 * 64).fill(9));
    }
  }, TilewiseError);
  assertEquals(error.code, "changed");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("what fails while a file is opened is changed when the file has changed; growth alone does not hinder opening", async () => {
  await using place = await placeOf("npy");
  await using input = await Input.open([place.path], {});
  Deno.writeFileSync(place.path, new Uint8Array(8), { append: true });
  input.recheck({ grown: true });
  const error = await assertRejects(() => Promise.try(() => input.recheck()), TilewiseError);
  assertEquals([error.code, error.details.what], ["changed", "size"]);
  place.change();
  await assertRejects(
    () => Promise.try(() => input.recheck({ grown: true })),
    TilewiseError,
    "time of change",
  );
});

Deno.test("a run over HTTP asks once more at its end, and hears of a change in the middle of the last answer", async () => {
  const bytes = new Uint8Array(4096).fill(1);
  const shape = { format: "raw", dtype: "uint8", nav: [4], sig: [32, 32] } as const;
  for (const late of [false, true]) {
    let etag = '"v1"', reads = 0;
    await using server = serve((question) => {
      const answer = rightAnswer(bytes, question, etag);
      if (late && answer.status === 206 && (answer.body as Uint8Array).length > 2) etag = `"v${1 + ++reads}"`;
      return answer;
    });
    await using context = createContext({ workers: 0, memory: 2 ** 24 });
    const scan = await open(server.url, shape);
    const planned = await plan(scan, { sum: sumPixels() }, { context, partitions: 1 });
    const before = server.questions.length;
    const found = await run(planned).then(() => "fine", (error) => (error as TilewiseError).code);
    assertEquals(found, late ? "changed" : "fine");
    if (!late) assertEquals(server.questions.length - before, 2, "one read, one look");
  }
});

Deno.test("another name for a file is not a change of it, before and during a run", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/scan.raw`;
    await Deno.writeFile(path, Uint8Array.from({ length: 64 }, (_, i) => i));
    const scan = await open(path, { format: "raw", dtype: "uint8", nav: [4, 4], sig: [2, 2] });
    await using context = createContext({ workers: 0 });
    Deno.linkSync(path, `${folder}/before.raw`);
    const linking = summing(7, () => Deno.linkSync(path, `${folder}/during.raw`));
    const { linked } = await run(await plan(scan, { linked: linking }, { context }));
    Deno.removeSync(`${folder}/before.raw`);
    assertEquals(linked.sum!.data[15], 60 + 61 + 62 + 63);
    Deno.utimeSync(path, new Date(), new Date(1e12));
    const changed = async () => await run(await plan(scan, { sum: sumPixels() }, { context }));
    assert(isTilewiseError(await changed().catch((error: unknown) => error), "changed"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
