/**
 * Random calls of every back end that can write, compared with lists of numbers.
 *
 * @module
 */

import { pipeline } from "../../channels/backends/random.ts";
import { SUBJECTS } from "../../channels/backends/subjects.ts";
import { type Part, Tally } from "../part.ts";

/** Calls of one back end. */
const CALLS = 50_000, CALLS_QUICK = 500;

/** The part of the soak test. */
export const FILES: Part = {
  name: "files",
  help: "50 000 calls of each back end of files at random: the answers of lists of numbers",
  run: async ({ seed, quick }) => {
    const tally = new Tally();
    for (const [name, withSubject] of Object.entries(SUBJECTS)) {
      await withSubject(async (subject) => {
        if (!subject.writes) return;
        await tally.add(`${name}, seed ${seed}`, async () => {
          await pipeline(subject, seed, quick ? CALLS_QUICK : CALLS);
          return undefined;
        });
      });
    }
    return tally;
  },
};
