/** Side files of Norpix sequences: dark frame, gain map and dead pixels become corrections of the data set. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { isTilewiseError } from "../../../src/errors.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { deadPixels } from "../../../src/formats/seq/side.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { ascii, failure } from "../helpers.ts";
import {
  DARK,
  DEAD,
  file,
  FRAMES,
  GAIN,
  HEIGHT,
  metadata,
  mrcBytes,
  PIXELS,
  sample,
  SEQ_FILES,
  seqBytes,
  WIDTH,
  XML,
} from "./seq_data.ts";
import { measured } from "../../fuzz/clock.ts";

const without = (...names: string[]) => SEQ_FILES.filter(({ name }) => !names.includes(name));
const instead = (name: string, bytes: Uint8Array) =>
  SEQ_FILES.map((one) => one.name === name ? file(name, bytes) : one);

Deno.test("a run applies dark frame, gain map and dead pixels", async () => {
  const dataset = await open(SEQ_FILES);
  assertEquals(dataset.warnings, []);
  assertEquals(dataset.corrections!.excluded, DEAD);
  assertEquals(dataset.corrections!.why.length, 3);
  await using context = createContext({ memory: 2 ** 24, workers: 0 });
  const sum = async (how: { corrections?: "none" }) =>
    (await run(await plan(dataset, { sum: sumFrames() }, { context, ...how }))).sum!["intensity"]!
      .data as Float64Array;
  const raw = Float64Array.from(
    { length: PIXELS },
    (_, p) => [0, 1, 2].reduce((total, f) => total + sample(f, p), 0),
  );
  assertEquals(Float64Array.from(await sum({ corrections: "none" })), raw);
  const corrected = raw.map((value, p) => (value - FRAMES * DARK[p]!) * GAIN[p]!);
  const patched = corrected.slice();
  for (const [y, x] of DEAD) {
    const near = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [y! + dy, x! + dx]))
      .filter(([r, c]) =>
        r! >= 0 && r! < HEIGHT && c! >= 0 && c! < WIDTH && !DEAD.some(([a, b]) => a === r && b === c)
      );
    patched[y! * WIDTH + x!] = near.reduce((total, [r, c]) => total + corrected[r! * WIDTH + c!]!, 0) /
      near.length;
  }
  (await sum({})).forEach((value, p) =>
    assert(Math.abs(value - patched[p]!) < 1e-3, `${p}: ${value}, ${patched[p]}`)
  );
});

Deno.test("each side file may be missing", async () => {
  assertEquals((await open(SEQ_FILES[0]!, { nav: [3] })).corrections, undefined);
  const { corrections } = await open(
    without("x.seq.gain.mrc", "x.seq.metadata", "x.seq.Config.Metadata.xml"),
  );
  assertEquals([corrections!.gain, corrections!.excluded, corrections!.why.length], [
    undefined,
    undefined,
    1,
  ]);
  const alone = await open(without("x.seq.metadata"));
  assert(alone.warnings[0]!.includes("x.seq.metadata") && !alone.corrections!.excluded);
});

Deno.test("x.seq.seq has the side files of x.seq", async () => {
  const dataset = await open([file("x.seq.seq", seqBytes()), ...SEQ_FILES.slice(1)]);
  assertEquals(dataset.corrections!.why.length, 3);
});

Deno.test("frames of another shape have the same dead pixels", async () => {
  const dataset = await open(SEQ_FILES, { sig: [PIXELS] });
  assertEquals(dataset.corrections!.excluded, DEAD.map(([y, x]) => [y! * WIDTH + x!]));
  assertEquals(dataset.corrections!.dark!.sigShape, [PIXELS]);
});

Deno.test("maps that do not fit are not applied, and a warning says so", async () => {
  for (
    const [name, bytes] of [
      ["x.seq.dark.mrc", mrcBytes(DARK.slice(6))],
      ["x.seq.gain.mrc", mrcBytes([...GAIN, ...GAIN], 2)],
      ["x.seq.metadata", metadata({ height: 3 })],
      ["x.seq.metadata", metadata({ binning: 4 })],
    ] as const
  ) {
    const { warnings, corrections } = await open(instead(name, bytes));
    assertEquals([warnings.length, corrections!.why.length], [1, 2], `${name}: ${warnings}`);
    assert(warnings[0]!.includes("not applied"), warnings[0]);
  }

  const unbinned = ascii(new TextDecoder().decode(XML).replace("Rows='48'", "Rows='48' Binning='2'"));
  const { warnings } = await open(instead("x.seq.Config.Metadata.xml", unbinned));
  assert(warnings[0]!.includes("no map of dead pixels for unbinned"), warnings[0]);
});

Deno.test("side files that are damaged are refused, whatever is changed", async () => {
  await failure(open(instead("x.seq.dark.mrc", mrcBytes(DARK).slice(0, 1040))), "truncated");
  await failure(open(instead("x.seq.metadata", metadata().slice(0, 300))), "truncated");
  await failure(
    open(instead("x.seq.Config.Metadata.xml", ascii('<BadPixelMap Rows="x" Columns="4"/>'))),
    "malformed",
  );
  for (const name of ["x.seq.metadata", "x.seq.Config.Metadata.xml"]) {
    const bytes = new Uint8Array(await SEQ_FILES.find((one) => one.name === name)!.arrayBuffer());
    for (let at = name.endsWith("xml") ? 0 : 280; at < Math.min(bytes.length, 700); at++) {
      const damaged = bytes.slice();
      damaged[at]! ^= [1, 16, 255][at % 3]!;
      const found = await open(instead(name, damaged)).catch((error) => error);
      if (found instanceof Error && (!isTilewiseError(found) || found.code === "corrupt")) throw found;
    }
  }
});

Deno.test("many large defects take no long time", () => {
  const defects = '<Defect Rows="0-65535"/><Defect Columns="7-9"/>'.repeat(20_000);
  const xml = `<BadPixelMap Rows="65536" Columns="65536">${defects}</BadPixelMap>`;
  const window = { origin: [0, 0], shape: [4, 100], binned: false } as const;
  const spent = measured();
  assertEquals(deadPixels(xml, window, "x.xml")!.pixels.length, 400);
  assert(spent().milliseconds < 3000);
});
