/** Gaussians whose angle counts from north at their place, and from the m axis, against points along their long axis. */

import "../../fences/mod.ts";
import { assert, assertAlmostEquals } from "@std/assert";
import { openObservation } from "../../../src/observations/open.ts";
import { predict } from "@tilewise/tilewise/rime";
import { readSky } from "../../../src/skies/read.ts";
import type { Sky } from "../../../src/skies/component.ts";

const DEGREE = Math.PI / 180, ARCSECOND = DEGREE / 3600;
const CENTRE = [0.4, 84 * DEGREE] as const;
/** 10° from the centre, across the meridian of the pole. */
const [RA, DEC] = [CENTRE[0] + 70 * DEGREE, 85 * DEGREE];
const FWHM = 600 * ARCSECOND, ANGLE = 25 * DEGREE;

/** Rows without w: the taper of a Gaussian has none. */
async function observed() {
  const uvw = Float64Array.from({ length: 3 * 40 }, (_, i) => i % 3 === 2 ? 0 : 30 * Math.sin(7 * i * i + 1));
  return await openObservation({
    antennas: [{ name: "a", position: [0, 0, 0] }, { name: "b", position: [100, 0, 0] }],
    frequencies: [1.4e9],
    correlations: ["I"],
    phaseCentre: CENTRE,
    time: new Float64Array(40),
    antenna1: new Int32Array(40),
    antenna2: new Int32Array(40).fill(1),
    uvw,
  });
}

async function visibilities(sky: Sky): Promise<ArrayLike<number>> {
  await using observation = await observed();
  return (await predict(sky, observation, { uvw: "baseline" })).data;
}

const read = async (text: string) => await readSky(new TextEncoder().encode(text));

/** Points along a great circle with the position angle, as heavy as the Gaussian is bright there. */
async function line(angle: number): Promise<Sky> {
  const rows: string[] = [], sigma = FWHM / Math.sqrt(8 * Math.log(2)), count = 200;
  let sum = 0;
  for (let i = -count; i <= count; i++) sum += Math.exp(-0.5 * (4 * i / count) ** 2);
  for (let i = -count; i <= count; i++) {
    const d = 4 * sigma * i / count, weight = Math.exp(-0.5 * (4 * i / count) ** 2) / sum;
    const dec = Math.asin(Math.sin(DEC) * Math.cos(d) + Math.cos(DEC) * Math.sin(d) * Math.cos(angle));
    const ra = RA +
      Math.atan2(Math.sin(angle) * Math.sin(d) * Math.cos(DEC), Math.cos(d) - Math.sin(DEC) * Math.sin(dec));
    rows.push(`p,${ra}rad,${dec}rad,${weight}`);
  }
  return await read(`Name,Ra,Dec,I\n${rows.join("\n")}\n`);
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i]! - b[i]!));
  return most;
}

const gaussian = async (more: string, value: string) =>
  await visibilities(
    await read(
      `Type,Ra,Dec,I,MajorAxis,MinorAxis,${more}\nGAUSSIAN,${RA}rad,${DEC}rad,1,600,0,${value}\n`,
    ),
  );

Deno.test("an absolute angle counts from north at the component, by either name", async () => {
  const expected = await visibilities(await line(ANGLE));
  const found = await gaussian("Orientation,OrientationIsAbsolute", `${ANGLE / DEGREE},true`);
  assert(distance(found, expected) < 1e-3, String(distance(found, expected)));
  assert(distance(found, await gaussian("PositionAngle", `${ANGLE / DEGREE}`)) === 0);
});

Deno.test("other angles count from the m axis, as WSClean and DP3 have it", async () => {
  const [absolute, relative] = [
    await gaussian("Orientation,OrientationIsAbsolute", `${ANGLE / DEGREE},true`),
    await gaussian("Orientation", `${ANGLE / DEGREE}`),
  ];
  assert(distance(absolute, relative) > 0.3);
  assert(
    distance(relative, await gaussian("Orientation,OrientationIsAbsolute", `${ANGLE / DEGREE},false`)) === 0,
  );
});

Deno.test("at the phase centre both are the same, and a circle has no angle", async () => {
  const centre = (absolute: boolean) =>
    read(
      `Type,Ra,Dec,I,MajorAxis,MinorAxis,Orientation,OrientationIsAbsolute\nGAUSSIAN,${CENTRE[0]}rad,${
        CENTRE[1]
      }rad,1,600,200,30,${absolute}\n`,
    );
  const [a, b] = [await visibilities(await centre(true)), await visibilities(await centre(false))];
  for (let i = 0; i < a.length; i++) assertAlmostEquals(a[i]!, b[i]!, 1e-8);
});
