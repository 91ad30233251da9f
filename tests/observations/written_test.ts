/** UVFITS and UVH5 files of drawn contents, as pyuvdata writes them and byte by byte: what pyuvdata and astropy read from them. */

import "../fences/mod.ts";
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { openObservation } from "../../src/observations/open.ts";
import { failure } from "../formats/helpers.ts";
import { allSamples } from "./expected.ts";
import { unpacked } from "./packed.ts";

/** What another program reads from a file. */
interface Written {
  readonly refused?: string;
  readonly rows: number;
  readonly field: string;
  readonly fields: string[];
  readonly frame: string;
  readonly phaseCentre: number[];
  readonly antennas: string[];
  /** Absent where baselines cannot show them. */
  readonly positions: number[] | null;
  readonly receptors: [string, number][] | null;
  readonly correlations: string[];
  readonly frequencies: number[];
  readonly widths: number[];
  readonly times: number[];
  readonly antenna1: number[];
  readonly antenna2: number[];
  readonly uvw: number[];
  readonly interval: number[];
  readonly visibility: number[];
  readonly flag: number[];
  readonly weight: number[];
  readonly unit: string;
}

const DATA = new URL("../data/observations/", import.meta.url);
// other files by make_written.py: a folder
const OTHER = Deno.env.get("WRITTEN");
const FILES: Record<string, Written> = JSON.parse(
  Deno.readTextFileSync(OTHER ? `${OTHER}/written.json` : new URL("written.json", DATA)),
);

async function folderOf(): Promise<{ readonly folder: string } & AsyncDisposable> {
  if (OTHER) return { folder: OTHER, [Symbol.asyncDispose]: () => Promise.resolve() };
  return await unpacked(new URL("written.tgz", DATA));
}

function near(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number, what: string): void {
  assertEquals(found.length, expected.length, what);
  for (let i = 0; i < found.length; i++) {
    assertAlmostEquals(found[i]!, expected[i]!, tolerance, `${what} ${i}: ${found[i]} for ${expected[i]}`);
  }
}

async function compare(path: string, written: Written): Promise<void> {
  await using found = await openObservation(path);
  const { rows, field, fields, antennas, times } = found;
  assertEquals([rows, field.name, fields.map(({ name }) => name)], [
    written.rows,
    written.field,
    written.fields,
  ]);
  assertEquals(field.frame, written.frame);
  near(field.phaseCentre, written.phaseCentre, 1e-8, "phase centre"); // 0.002 seconds of arc
  assertEquals(antennas.map(({ name }) => name), written.antennas);
  if (written.positions) near(antennas.flatMap(({ position }) => position), written.positions, 1e-5, "place");
  const receptors = written.receptors;
  antennas.forEach((antenna) => {
    const own = antenna.receptors ?? [];
    const sorted = [...receptors ?? []].sort(([a], [b]) =>
      own.findIndex((x) => x.polarization === a) - own.findIndex((x) => x.polarization === b)
    );
    assertEquals(own.map(({ polarization }) => polarization), sorted.map(([type]) => type));
    near(own.map(({ angle }) => angle), sorted.map(([, angle]) => angle), 1e-6, "receptor");
  });
  assertEquals(found.correlations, written.correlations);
  near(found.frequencies, written.frequencies, 1e-3, "frequency");
  near(found.channelWidths, written.widths, 1e-3, "width");
  const index = await found.timeIndex(0, rows);
  near(Array.from(index, (i) => times[i]!), written.times, 1e-4, "time"); // a Julian date in double precision
  assertEquals([...await found.antenna1(0, rows)], written.antenna1);
  assertEquals([...await found.antenna2(0, rows)], written.antenna2);
  near(await found.uvw(0, rows), written.uvw, 1e-6, "uvw");
  near(await found.interval(0, rows), written.interval, 1e-6, "interval");
  near(await allSamples(found.visibility!) as Float64Array, written.visibility, 1e-6, "visibility");
  assertEquals(found.visibility!.unit ?? "Jy", written.unit);
  const weighted = found.flag && found.weight;
  if (!weighted) assert(written.weight.every((weight) => weight === 1));
  else {
    near(await allSamples(found.flag!) as Uint8Array, written.flag, 0, "flag");
    near(await allSamples(found.weight!) as Float32Array, written.weight, 1e-6, "weight");
  }
}

Deno.test("files have what pyuvdata and astropy read from them", async (t) => {
  await using folder = await folderOf();
  for (const [name, written] of Object.entries(FILES)) {
    await t.step(name, async () => {
      const path = `${folder.folder}/${name}`;
      if (written.refused === undefined) return await compare(path, written);
      const error = await failure(openObservation(path), "unsupported");
      assert(error.message.includes(written.refused), error.message);
    });
  }
});
