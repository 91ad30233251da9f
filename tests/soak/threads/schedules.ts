/**
 * Random schedules of faults: of the reads, writes, leases and memories of one run or conversion, several fail.
 *
 * @module
 */

import { Random } from "../../compare/data/random.ts";
import { type Part, type SoakOptions, Tally, withFolder } from "../part.ts";
import { type Break, BREAKS, type Fault } from "./breaks.ts";
import { Place, type Work, WORKS } from "./faults.ts";

/** Schedules. */
const COUNT = 1000;

/** The part. */
export const SCHEDULES: Part = {
  name: "schedules",
  help: "2 to 4 random calls of a run or a conversion fail",
  run: randomSchedules,
};

/** A fault, and the call that fails. */
type Planned = readonly [kind: string, n: number];

/** All of `planned` at once. */
const together = (planned: readonly Planned[]): Break => async () => {
  const faults: Fault[] = [];
  for (const [kind, n] of planned) faults.push(await BREAKS[kind]!(n));
  return {
    get happened() {
      return faults.some(({ happened }) => happened);
    },
    [Symbol.dispose]: () => faults.reverse().forEach((fault) => fault[Symbol.dispose]()), // the last one is outermost
  };
};

function drawn(random: Random, { kinds = Object.keys(BREAKS) }: Work): Planned[] {
  const below = (n: number) => Math.floor(n * random.next());
  return Array.from({ length: 2 + below(3) }, () => [kinds[below(kinds.length)]!, 1 + below(40)] as const);
}

async function randomSchedules({ quick, seed }: SoakOptions): Promise<Tally> {
  const tally = new Tally(), random = new Random(seed);
  const works = Object.entries(WORKS).filter(([, { long }]) => !(quick && long));
  for (const [name, work] of works) {
    await withFolder(async (folder) => {
      const place = await Place.make(folder, work);
      for (let i = 0; i < (quick ? 5 : COUNT / works.length); i++) {
        const planned = drawn(random, work);
        const at = `${name}: ${planned.map(([kind, n]) => `${kind} ${n}`).join(", ")}`;
        await tally.add(at, () => place.wrongWith(together(planned), 0));
      }
    });
  }
  return tally;
}
