/** Parallactic angles against astropy: near poles, near the zenith, anywhere. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { openObservation } from "../../../src/observations/open.ts";
import { parallacticAnglesOf } from "../../../src/rime/observed/angles.ts";

type Case = [
  place: [number, number, number],
  time: number,
  ra: number,
  dec: number,
  angle: number,
  zenith: number,
];
const CASES: Case[] = JSON.parse(
  Deno.readTextFileSync(new URL("../../data/observations/angles.json", import.meta.url)),
);

Deno.test("parallactic angles are those of astropy, but for aberration", async () => {
  assertEquals(CASES.length, 60);
  for (const [position, time, ra, dec, expected, distance] of CASES) {
    await using observation = await openObservation({
      antennas: [{ name: "a", position }],
      frequencies: [1e9],
      correlations: ["XX"],
      phaseCentre: [ra, dec],
      time: [time],
      antenna1: [0],
      antenna2: [0],
      uvw: [0, 0, 0],
    });
    const turns = (parallacticAnglesOf(observation)[0]! - expected) / (2 * Math.PI);
    const error = Math.abs(turns - Math.round(turns)) * 360 * 3600 * Math.sin(distance);
    assert(error < 25, `${error} seconds of arc at ${[time, ra, dec]}`);
  }
});
