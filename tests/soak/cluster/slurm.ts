/**
 * The script for Slurm on a real Slurm of one node: tasks that are killed, cancelled and requeued.
 *
 * @module
 */

import { runCase, SLURM_CASES, SlurmUser } from "../../cluster/slurm/cases.ts";
import { hasSlurm, SlurmNode } from "../../cluster/slurm/node.ts";
import { type Part, Tally } from "../part.ts";

/** The part. */
export const SLURM: Part = {
  name: "slurm",
  help:
    "the script of tilewise submit slurm on a Slurm of one node: tasks are killed; a second start ends right",
  needs: { what: "root, and munge, slurmctld, slurmd and slurm-client of Debian", isThere: hasSlurm },
  async run({ quick }) {
    const tally = new Tally();
    await using node = await SlurmNode.start();
    await using user = await SlurmUser.at(node);
    for (const one of quick ? SLURM_CASES.slice(1, 2) : SLURM_CASES) {
      await tally.add(one.name, () => runCase(user, one));
    }
    return tally;
  },
};
