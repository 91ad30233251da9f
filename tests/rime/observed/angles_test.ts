/** Parallactic angles against astropy: near poles, near the zenith, anywhere. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
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

Deno.test("antennas on equatorial mounts do not turn, those on other mounts are refused by name", async () => {
  const [position, time, ra, dec] = CASES[0]!;
  const withMounts = (...mounts: readonly (string | undefined)[]) =>
    openObservation({
      antennas: mounts.map((mount, i) => ({ name: `m${i}`, position, ...(mount ? { mount } : {}) })),
      frequencies: [1e9],
      correlations: ["XX"],
      phaseCentre: [ra, dec],
      time: [time],
      antenna1: [0],
      antenna2: [0],
      uvw: [0, 0, 0],
    });
  await using some = await withMounts("ALT-AZ", undefined, "EQUATORIAL");
  const [first, second, third] = parallacticAnglesOf(some);
  assert(first !== 0 && first === second && third === 0, `${first}, ${second}, ${third}`);
  await using other = await withMounts("alt-az", "X-Y");
  assertThrows(() => parallacticAnglesOf(other), Error, "the mount of antenna m1 is X-Y");
});
