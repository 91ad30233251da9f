/**
 * `tilewise run … --dry-run --workers W --storage-rate S`: how long a run on many machines takes, from a few parts that are
 * computed here.
 *
 * @module
 */

import { unitsPerJob } from "../../cluster/engine/units.ts";
import { PartedRun } from "../../cluster/kinds/parted.ts";
import { udfManifest, udfParts } from "../../cluster/kinds/udf.ts";
import type { ReadyRun } from "../../cluster/manifest/ready_run.ts";
import { workOf } from "../../cluster/manifest/work.ts";
import { type Forecast, forecast } from "../../cluster/model/model.ts";
import { encodePart } from "../../cluster/store/part.ts";
import { TilewiseError } from "../../errors.ts";
import { formatBytes, parseBytes } from "../../space/size.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type CliIo, outJson, outTable } from "../shell/io.ts";
import { parseArguments } from "../shell/parse_arguments.ts";
import type { Verb } from "../shell/verb.ts";
import { retyped } from "../shell/words.ts";
import { type Planned, withPlan } from "./run_plan.ts";

/** Milliseconds for which parts are computed to see how fast a worker is. */
const CALIBRATION = 2000;

/** What a few parts have shown. */
interface Calibration {
  /** Bytes per second of this machine, with its pool. */
  readonly rate: number;
  /** Bytes of the largest part. */
  readonly partBytes: number;
  /** Parts that were computed. */
  readonly parts: number;
}

/** Prints how long the run takes on `--workers` machines like this one. */
export async function forecastRun(verb: Verb, args: Arguments, io: CliIo): Promise<number> {
  const workers = args.count("workers", 1, 1_000_000);
  const storageRate = args.value("storage-rate", rateOf);
  if (workers === undefined || storageRate === undefined) {
    throw new UsageError("--storage-rate needs --workers N, the number of worker processes, beside it");
  }
  if (!args.has("dry-run")) {
    throw new UsageError("--storage-rate is for --dry-run, which prints how long a run takes");
  }
  const local = parseArguments(verb, retyped(args.words, verb.flags, ["workers"])); // those of this machine are as many as it has cores
  return await withPlan(local, io, async (planned) => {
    if (planned.waits) {
      const hint = "leave it out, or give what that pass finds, such as zero, a and b of a lattice";
      throw new UsageError(`--storage-rate says nothing of a first pass over the data; ${hint}`);
    }
    const run = await ready(planned);
    const measured = await calibrate(run, io.signal);
    const { work } = run.manifest;
    const parts = Math.max(1, work.units.length);
    const input = { bytes: Math.max(1, work.bytes), workers, rate: measured.rate, storageRate, parts };
    const jobBytes = unitsPerJob(run.manifest) * input.bytes / parts;
    tell(forecast({ ...input, jobBytes, partBytes: measured.partBytes }), measured, input, args, io);
    return 0;
  });
}

async function ready({ plan, from }: Planned): Promise<ReadyRun> {
  const { manifest } = await udfManifest({ plan, ...from });
  return new PartedRun({ manifest, digest: "" }, udfParts(plan));
}

function rateOf(text: string): number {
  const found = parseBytes(text.replace(/\/s$/, ""));
  if (found > 0) return found;
  throw new UsageError(`"${text}" is not a rate; write bytes per second, as 20GB/s`);
}

/** Computes parts for two seconds, and one before, as the first one also starts threads and compiles. */
async function calibrate(run: ReadyRun, signal: AbortSignal): Promise<Calibration> {
  const { units, framesOf } = workOf(run.manifest);
  const all = units.reduce((sum, unit) => sum + framesOf(unit), 0);
  if (units.length === 0) {
    throw new TilewiseError("invalid", "Cannot say how long a run without frames takes");
  }
  let [bytes, seconds, partBytes, parts] = [0, 0, 0, 0];
  for (const unit of [units.at(-1)!, ...units]) {
    const started = performance.now();
    const part = await encodePart(await run.compute(unit, { signal }));
    partBytes = Math.max(partBytes, part.length);
    if (parts++ === 0) continue;
    seconds += (performance.now() - started) / 1000;
    bytes += run.manifest.work.bytes * framesOf(unit) / all;
    if (1000 * seconds > CALIBRATION) break;
  }
  return { rate: Math.max(1, bytes / seconds), partBytes, parts };
}

type Input = {
  readonly bytes: number;
  readonly workers: number;
  readonly storageRate: number;
  readonly parts: number;
};

function tell(found: Forecast, measured: Calibration, input: Input, args: Arguments, io: CliIo): void {
  if (args.has("json")) {
    return outJson(io, {
      ...input,
      ...measured,
      calibrationParts: measured.parts,
      ...found,
      parts: input.parts,
    });
  }
  const rate = (bytes: number) => `${formatBytes(bytes)}/s`;
  const per = (seconds: number, what: string) => `${time(seconds)}  ${what}`;
  outTable(io, [
    [
      "workers",
      per(
        found.compute,
        `${formatBytes(input.bytes)}, ${input.workers} workers of ${
          rate(measured.rate)
        } each, as ${measured.parts} parts here`,
      ),
    ],
    ["storage", per(found.storage, `${rate(input.storageRate)} for all workers together`)],
    ["engine", per(found.engine, `${found.jobs} jobs`)],
    [
      "merge",
      per(
        found.merge,
        `${input.parts} parts of ${formatBytes(measured.partBytes)}, ${found.levels} level${
          found.levels === 1 ? "" : "s"
        }`,
      ),
    ],
    ["straggler", per(found.straggler, "the last job")],
    ["together", per(found.seconds, `limited by ${found.bound}`)],
  ]);
  for (const warning of found.warnings) io.err(`tilewise: warning: ${warning}\n`);
}

function time(seconds: number): string {
  if (seconds < 100) return `${seconds.toPrecision(2)} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toPrecision(3)} h`;
}
