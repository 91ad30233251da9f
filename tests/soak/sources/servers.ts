/**
 * Faulty servers: a run over HTTP gives the right values or a typed error that names the URL, and always ends.
 *
 * @module
 */

import { isTilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import type { HttpOptions } from "../../../src/io/http/link.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { rightAnswer, serve } from "../../io/range_server.ts";
import { describe, inParallel, type Outcome, type Part, type SoakOptions, Tally, within } from "../part.ts";
import { type Behaviour, BEHAVIOURS, BYTES, type End } from "./server_behaviours.ts";

const SHAPE = { format: "raw", dtype: "uint8", nav: [4], sig: [32, 32] } as const;
const PATIENCE: HttpOptions = {
  retry: { attempts: 2, firstPause: 1 },
  timeout: 3000,
  stallTimeout: 1500,
};

/** No run takes longer than this, whatever the server does. */
const LONGEST = 60_000;

const SUMS = String(Array.from(
  { length: 4 },
  (_, f) => BYTES.subarray(1024 * f, 1024 * f + 1024).reduce((sum, value) => sum + value, 0),
));

/** When the server begins to behave like this. */
type Moment = "from the start" | "during the run";

/** The part. */
export const SERVERS: Part = {
  name: "servers",
  help:
    `runs over HTTP while a server does one of ${BEHAVIOURS.length} things, from the start or during the run`,
  run: faultyServers,
};

/** Every behaviour at both moments, on this thread and on a worker; every fourth where it is to be quick. */
export async function faultyServers({ quick, seed }: SoakOptions): Promise<Outcome> {
  const tally = new Tally();
  const all = BEHAVIOURS.filter((_, i) => !quick || i % 4 === seed % 4).flatMap((behaviour) =>
    (["from the start", "during the run"] as const).flatMap((moment) =>
      (quick ? [0] : [0, 1]).map((workers) => ({ behaviour, moment, workers }))
    )
  );
  await inParallel(8, all, async ({ behaviour, moment, workers }) => {
    const [name, , end] = behaviour;
    const at = `${name}, ${moment}, ${workers} workers`;
    await tally.add(
      at,
      () => wrongIn(behaviour, moment, workers, moment === "during the run" ? end : "either"),
    );
  });
  return tally;
}

/** What is wrong about a run over such a server, if anything. */
async function wrongIn(
  [, say]: Behaviour,
  moment: Moment,
  workers: number,
  end: End,
): Promise<string | undefined> {
  let begun = moment === "from the start" ? 0 : undefined;
  await using server = serve((question) => {
    const right = rightAnswer(BYTES, question);
    return begun === undefined ? right : say(right, question, begun++);
  });
  await using context = new RunContext({ workers, memory: 2 ** 24 });
  const work = (async () => {
    const scan = await open(server.url, { ...SHAPE, http: PATIENCE });
    const job = await plan(scan, { sum: sumPixels() }, { context });
    begun ??= 0;
    const { sum } = await run(job);
    return String(Array.from(sum!.intensity!.data, Number));
  })();
  const found = await within(LONGEST, work.catch((error: unknown) => ({ error })));
  if (found === "late") return `it has not ended after ${LONGEST / 1000} s`;
  await context.settled();
  if (context.arena.used > 0) return `${context.arena.used} bytes are still leased`;
  return typeof found === "string" ? wrongValues(found, end) : wrongError(found.error, server.url, end);
}

function wrongValues(found: string, end: End): string | undefined {
  if (found !== SUMS) return `it gave ${found}, right are ${SUMS}`;
  return end === "error" ? "it gave a result; an error was expected" : undefined;
}

function wrongError(error: unknown, url: string, end: End): string | undefined {
  if (!isTilewiseError(error)) return `no typed error: ${describe(error)}`;
  if (error.code === "corrupt") return `an internal promise was broken: ${describe(error)}`;
  if (!error.message.includes(new URL(url).host)) return `the error does not name ${url}: ${error.message}`;
  return end === "right" ? `it failed, although it could have been right: ${error.message}` : undefined;
}
