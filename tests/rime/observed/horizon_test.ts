/** Which directions are above the horizon: zenith distances of astropy. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { readSky } from "../../../src/skies/read.ts";
import { zenithAt } from "../../../src/rime/observed/angles.ts";
import { before, risingOver } from "../../../src/rime/observed/sky_model.ts";
import { predict } from "../../../src/rime/observed/predict.ts";
import { openObservation } from "../../../src/observations/open.ts";
import { latitudeOf } from "../../../src/observations/meaning/frames.ts";

type Place = readonly [number, number, number];
const CASES:
  readonly (readonly [Place, time: number, ra: number, dec: number, angle: number, zenith: number])[] = JSON
    .parse(Deno.readTextFileSync(new URL("../../data/observations/angles.json", import.meta.url)));

/** What is above a place; the phase centre is its zenith at the first time, or given. */
function above(places: readonly Place[], times: readonly number[], centre?: readonly [number, number]) {
  const [latitude, longitude] = latitudeOf(places[0]!);
  const phaseCentre = centre ?? zenithAt(times[0]!, [longitude, latitude]);
  return risingOver({
    antennas: places.map((position, i) => ({ name: `${i}`, position })),
    times: Float64Array.from(times),
    field: { name: "", phaseCentre },
  });
}

const opposite = (ra: number, dec: number) => [ra + Math.PI, -dec] as const;

Deno.test("directions are above the horizon where astropy has them, and their opposites are not", () => {
  for (const [place, time, ra, dec, , distance] of CASES) {
    if (Math.abs(distance - Math.PI / 2) < 1e-3) continue;
    const rises = above([place], [time]);
    assertEquals(rises([ra, dec]), distance < Math.PI / 2, `${[time, ra, dec]}`);
    assertEquals(rises(opposite(ra, dec)), distance > Math.PI / 2, `opposite of ${[time, ra, dec]}`);
  }
});

Deno.test("a source counts that rises at one time or over one antenna", () => {
  const [place, time] = CASES[0]!, [x, y, z] = place;
  const [latitude, longitude] = latitudeOf(place);
  const nadir = opposite(...zenithAt(time, [longitude, latitude]));
  assert(!above([place], [time])(nadir));
  const day = 86164.0905, hidden = above([place], [time, time + day]);
  assert(!hidden(nadir));
  const later = zenithAt(time + day / 2, [longitude, latitude]);
  assert(above([place], [time, time + day / 2])([later[0], latitude / 2 + later[1] / 2]));
  const far: Place = [-x, -y, z];
  assert(above([place, far], [time])(zenithAt(time, [longitude + Math.PI, latitude])));
});

Deno.test("there is no horizon without places, and where the phase centre never rises", () => {
  const [place, time] = CASES[0]!;
  const [latitude, longitude] = latitudeOf(place);
  const nadir = opposite(...zenithAt(time, [longitude, latitude]));
  assert(above([place], [time], nadir)(nadir));
  assert(above([place, [0, 0, 0]], [time])(nadir));
});

Deno.test("lists of the whole sky lose what is below the horizon, less than 90° from the phase centre", async () => {
  const [place, time] = CASES[0]!, [latitude, longitude] = latitudeOf(place);
  const [ra, dec] = zenithAt(time, [longitude, latitude]);
  const degrees = (angle: number) => `${angle * 180 / Math.PI}`;
  await using observation = await openObservation({
    antennas: [{ name: "a", position: place }, { name: "b", position: place }],
    frequencies: [1e8],
    correlations: ["XX", "YY"],
    phaseCentre: [ra + 0.6, 0],
    time: [time],
    antenna1: [0],
    antenna2: [1],
    uvw: [30, 0, 0],
  });
  const list = [[ra, dec], [ra + 0.6, 0], [ra + 0.6 + 1.5, 0], opposite(ra, dec)].map(([x, y], i) =>
    `s${i},${degrees(x!)},${degrees(y!)},1`
  );
  const sky = await readSky(new TextEncoder().encode(`Name,RaD,DecD,I\n${list.join("\n")}\n`));
  const { sky: seen, behind } = before(sky, observation);
  assertEquals([seen.points.map(({ name }) => name), behind], [["s0", "s1"], 2]);
  const { data } = await predict(sky, observation, { behind: "skip" });
  assertEquals(data, (await predict(seen, observation)).data);
});
