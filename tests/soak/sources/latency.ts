/**
 * A server that is far away: how much of the speed is left when every answer takes 50 ms longer.
 *
 * @module
 */

import { open } from "../../../src/formats/open.ts";
import { createContext } from "../../../src/runner/context.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { rightAnswer, serve } from "../../io/range_server.ts";
import { type Outcome, type Part, Tally } from "../part.ts";

const FRAMES = 1024, PIXELS = 256 * 256;

/** The part. */
export const LATENCY: Part = {
  name: "latency",
  help: "a run over HTTP whose server takes 50 ms longer for every answer",
  async run({ quick }): Promise<Outcome> {
    const tally = new Tally(), figures = [["delay of the server", "workers", "MB/s"]];
    const bytes = new Uint8Array((quick ? 32 : FRAMES) * PIXELS).fill(1);
    for (const workers of [0, 2]) {
      for (const delay of [0, 50]) {
        await tally.add(`${delay} ms, ${workers} workers`, async () => {
          const begun = performance.now();
          const sum = await summed(bytes, delay, workers);
          const seconds = (performance.now() - begun) / 1000;
          figures.push([`${delay} ms`, `${workers}`, (bytes.length / 1e6 / seconds).toFixed(0)]);
          return sum === bytes.length ? undefined : `the sum is ${sum}, not ${bytes.length}`;
        });
      }
    }
    return { cases: tally.cases, findings: tally.findings, figures };
  },
};

/** The sum of all samples, read from a server. */
async function summed(bytes: Uint8Array, delay: number, workers: number): Promise<number> {
  await using server = serve((question) => ({ ...rightAnswer(bytes, question), delay }));
  await using context = createContext({ workers, memory: 2 ** 26 });
  const shape = { format: "raw", dtype: "uint8", nav: [bytes.length / PIXELS], sig: [256, 256] } as const;
  const scan = await open(server.url, shape);
  const { sum } = await run(await plan(scan, { sum: sumFrames() }, { context }));
  return sum.intensity.data.reduce((total: number, value) => total + Number(value), 0);
}
