/**
 * All orders in which threads can meet on channels, with every operation a step of its own.
 *
 * @module
 */

import { LONG_SCENARIOS } from "../../channels/protocol/scenarios.ts";
import { explore } from "../../channels/protocol/machine.ts";
import type { Finding, Part } from "../part.ts";

/** States that are looked at in one scenario: of some there are more than fit into memory. */
const MOST = 3_000_000, MOST_QUICK = 500;

/** The part of the soak test. */
export const ORDERS: Part = {
  name: "orders",
  help:
    "all orders of the steps of callers, runners and the ends of threads and hosts: nobody sleeps for ever",
  run: ({ quick }) => {
    const findings: Finding[] = [];
    const figures = [["scenario", "states", "complete"]];
    let cases = 0;
    for (const { name, make } of LONG_SCENARIOS) {
      const most = quick ? MOST_QUICK : MOST;
      const { states, problems } = explore(make(), most);
      cases += states;
      figures.push([name, String(states), states < most ? "yes" : "no"]);
      findings.push(...problems.map(({ text, way }) => ({ at: name, text: `${text}: ${way.join(", ")}` })));
    }
    return Promise.resolve({ cases, findings, figures });
  },
};
