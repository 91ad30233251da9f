/**
 * How long an answer of the page takes without a page: `deno run -A bench/page/latency.ts`.
 *
 * 64 × 64 frames of 128 × 128 uint16 are kept in memory; a detector moves, and each answer is waited for. Rows alternate within one
 * process: the default partitions of the library and those of the page, 1 and 2 workers, and the thread of the page itself.
 *
 * @module
 */

import { annularDetector, centreOfMass, createContext, diskDetector, open, plan, run } from "../../mod.ts";
import { openSession } from "../../web/engine/open.ts";

const SHAPE = [64, 64, 128, 128] as const;
const ROUNDS = 20;

const data = new Uint16Array(new SharedArrayBuffer(2 * SHAPE.reduce((product: number, n) => product * n, 1)));
for (let i = 0; i < data.length; i++) data[i] = Math.imul(i, 2654435761) >>> 22;

const times = new Map<string, number[]>();

function note(row: string, milliseconds: number): void {
  const list = times.get(row) ?? [];
  list.push(milliseconds);
  times.set(row, list);
}

const UDFS = {
  disk: (cy: number) => diskDetector({ cy, cx: 64, r: 30 }),
  ring: (cy: number) => annularDetector({ cy, cx: 64, ri: 30, ro: 60 }),
  com: (cy: number) => centreOfMass({ cy, cx: 64, r: 30 }),
} as const;

/** The parts of an answer: plan, and run with its results. */
async function parts(): Promise<void> {
  const scan = await open({ data, shape: SHAPE });
  const contexts = [0, 1, 2].map((workers) => createContext({ workers }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const context of contexts) {
      for (const partitions of [undefined, Math.max(8, 2 * context.workers)]) {
        for (const [name, make] of Object.entries(UDFS)) {
          const begun = performance.now();
          const options = { context, ...(partitions === undefined ? {} : { partitions }) };
          const planned = await plan(scan, { it: make(50 + round) }, options);
          const plannedAt = performance.now();
          await run(planned);
          const row = `${name}, ${context.workers} workers, ${partitions ?? "default"} partitions`;
          note(`${row}: plan`, plannedAt - begun);
          note(`${row}: run`, performance.now() - plannedAt);
        }
      }
    }
  }
  for (const context of contexts) await context[Symbol.asyncDispose]();
}

/** The whole way of a question through a session. */
async function questions(): Promise<void> {
  const session = await openSession({ data, shape: SHAPE }, {});
  await session.keeping.settled;
  for (let round = 0; round < 2 * ROUNDS; round++) {
    for (const name of ["disk", "annular", "com"]) {
      const values = {
        cy: String(50 + round % 20),
        ...(name === "annular" ? { ri: "30", ro: "60" } : { r: "30" }),
      };
      await new Promise<void>((resolve) =>
        session.ask({ analysis: { name, values } }, ({ state, milliseconds }) => {
          if (state === "running") return;
          note(`session, ${name}: question to answer`, milliseconds);
          resolve();
        })
      );
    }
    const begun = performance.now();
    await session.frame([round % 64, 7]);
    note("session, frame", performance.now() - begun);
  }
  await session.close();
}

await parts();
await questions();
for (const [row, list] of times) {
  list.sort((a, b) => a - b);
  const at = (share: number) => list[Math.floor(share * (list.length - 1))]!.toFixed(1).padStart(7);
  console.log(`${row.padEnd(52)} min ${at(0)} ms   median ${at(0.5)} ms   p75 ${at(0.75)} ms`);
}
