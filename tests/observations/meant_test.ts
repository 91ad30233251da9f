/** Measurement Sets of drawn frames, units, scales, feeds, flags and holes: what their numbers mean, as NumPy and casacore have it. */

import "../fences/mod.ts";
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { openObservation } from "../../src/observations/open.ts";
import type { Observation, RowSamples } from "../../src/observations/observation.ts";
import { predict } from "@tilewise/tilewise/rime";
import { feedRotation } from "@tilewise/tilewise/unstable/rime";
import { readSky } from "../../src/skies/read.ts";
import { failure } from "../formats/helpers.ts";
import { allSamples } from "./expected.ts";
import { unpacked } from "./packed.ts";

/** What the writer says of a set. */
interface Meant {
  readonly frame: string;
  readonly scale: string;
  readonly refused?: string;
  readonly phaseCentre: [number, number];
  readonly direction: [number, number];
  readonly times: number[];
  readonly sky: number[][];
  readonly receptors: [string, number][];
  readonly model: [number, number][];
  readonly flags: number[];
  readonly weights: number[];
  readonly frequency: number[];
  readonly holes: Record<string, number>;
}

const DATA = new URL("../data/observations/", import.meta.url);
// other sets by make_meant.py: a folder
const OTHER = Deno.env.get("MEANT");
const SETS: Record<string, Meant> = JSON.parse(
  Deno.readTextFileSync(OTHER ? `${OTHER}/meant.json` : new URL("meant.json", DATA)),
);
const ROWS = 9, CELL = 8;

async function folderOf(): Promise<{ readonly folder: string } & AsyncDisposable> {
  if (OTHER) return { folder: OTHER, [Symbol.asyncDispose]: () => Promise.resolve() };
  return await unpacked(new URL("meant.tgz", DATA));
}

function near(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number, what: string): void {
  assertEquals(found.length, expected.length, what);
  for (let i = 0; i < found.length; i++) {
    assertAlmostEquals(found[i]!, expected[i]!, tolerance, `${what} ${i}`);
  }
}

/** The samples of the set, with weights of rows repeated for their channels. */
async function bySample(samples: RowSamples): Promise<number[]> {
  const found = Array.from(await allSamples(samples) as ArrayLike<number>);
  return samples.shape.length === 3
    ? found
    : Array.from({ length: ROWS * CELL }, (_, i) => found[4 * Math.floor(i / CELL) + i % 4]!);
}

async function modelOf(observation: Observation, { sky, receptors }: Meant): Promise<ArrayLike<number>> {
  const lines = sky.map(([ra, dec, ...stokes], i) => `s${i},${ra}rad,${dec}rad,${stokes.join()}`);
  const list = await readSky(new TextEncoder().encode(`Name,Ra,Dec,I,Q,U,V\n${lines.join("\n")}\n`));
  const types = receptors.map(([type]) => type);
  for (const antenna of observation.antennas) {
    assertEquals(antenna.receptors?.map((one) => one.polarization), types);
  }
  const parallactic_angles = new Float64Array(3 * observation.times.length);
  const { data } = await predict(list, observation, {
    terms: [feedRotation("linear")],
    termInputs: { parallactic_angles },
  });
  return data;
}

Deno.test("numbers mean what their keywords say: frames, units, scales, flags, weights, feeds", async (t) => {
  await using folder = await folderOf();
  for (const [name, meant] of Object.entries(SETS)) {
    await t.step(`${name}: ${meant.frame}, ${meant.scale}`, async () => {
      const path = `${folder.folder}/${name}`;
      if (meant.refused !== undefined) {
        const error = await failure(openObservation(path), "unsupported");
        assert(error.message.includes(meant.refused), error.message);
        return;
      }
      await using observation = await openObservation(path);
      const { field, frequencies, channelWidths, times, scales } = observation;
      near(field.phaseCentre, meant.phaseCentre, 1e-8, "phase centre"); // 0.002 seconds of arc
      near(field.direction!, meant.direction, 1e-12, "direction");
      assertEquals([field.frame, scales?.time], [meant.frame, meant.scale]);
      near(frequencies, meant.frequency, 1e-3, "frequency");
      near(channelWidths, [1e7, 1e7], 1e-3, "width");
      near(times, meant.times, 2e-5, "time");
      assertAlmostEquals((await observation.interval(0, 1))[0]!, 10, 1e-9);
      near(await bySample(observation.flag!), meant.flags, 0, "flag");
      near(await bySample(observation.weight!), meant.weights, 1e-6, "weight");
      near(await modelOf(observation, meant), meant.model.flat(), 2e-5, "model"); // casacore itself is right to that
    });
  }
});
