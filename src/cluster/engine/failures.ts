/**
 * What becomes of a job whose unit failed: try it again, give up, or leave it to workers that can do it.
 *
 * @module
 */

import { type ErrorCode, isTilewiseError, TilewiseError } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";
import { type Claim, type Failure, MOST_DEATHS, MOST_TRIES } from "./engine.ts";

/** Errors of a disk, a network, a worker: another try may succeed. */
const MAY_PASS: readonly string[] = ["io", "timeout", "worker"];

/** Errors of those that show that a job ends its workers. */
const OF_WORKERS: readonly string[] = ["timeout", "worker"];

/** The failure of `unit`, from what was thrown. Errors of unknown kind come from code of users: `udf`. */
export function failureOf(thrown: unknown, unit?: number): Failure {
  const code = isTilewiseError(thrown) ? thrown.code : "udf";
  return { code, message: reasonOf(thrown), ...(unit !== undefined && { unit }) };
}

/** Whether a job that failed in this way is to be tried again. The same input gives the same `udf` error every time. */
export function mayTryAgain(
  { code }: Failure,
  { deaths, retries }: Pick<Claim, "deaths" | "retries">,
): boolean {
  if (!MAY_PASS.includes(code)) return false;
  return OF_WORKERS.includes(code) ? deaths + retries + 1 < MOST_DEATHS : retries + 1 < MOST_TRIES;
}

/** Whether others may still do what this failure prevents: the run goes on, and ends with all such units named. */
export function isLocal({ code }: Failure): boolean {
  return MAY_PASS.includes(code);
}

/** The failure of a job that too many workers vanished with. */
export function poisoned({ deaths, last, failure }: Claim, unit: number): Failure {
  const where = last ? `; the last was ${last.worker}, ${Math.round(last.done * 100)} % into it` : "";
  const error = failure ? `. Its last error: ${failure.message}` : ". None of them could say why";
  return { code: "worker", message: `${deaths} workers ended while they computed it${where}${error}`, unit };
}

/** A part that could not be computed: its name, and what is in it. */
export interface NamedPart {
  readonly name: string;
  readonly what?: string;
}

const shown = ({ name, what }: NamedPart) => what === undefined ? name : `${name} (${what})`;

/** The error of a run that ends because of `failure` of a part. */
export function runError(run: string, part: NamedPart, { code, message }: Failure): TilewiseError {
  const text = `Cannot compute part ${shown(part)} of run ${run}: ${message}`;
  return new TilewiseError(code as ErrorCode, text, { run, part: part.name });
}

/** The error of a run some of whose units could not be computed. */
export function partsError(
  run: string,
  blamed: readonly (readonly [NamedPart, Failure])[],
  done: number,
): TilewiseError {
  const [[part, { code, message }]] = blamed as [readonly [NamedPart, Failure]];
  const others = blamed.slice(1, 6).map(([{ name }]) => name).join(", ");
  const more = blamed.length > 1 ? ` (also parts ${others}${blamed.length > 6 ? ", …" : ""})` : "";
  const text = `Cannot finish run ${run}: part ${shown(part)} failed for good${more}: ${message}. ` +
    `${done} parts are in the store and stay there; the same command goes on from them`;
  return new TilewiseError(code as ErrorCode, text, { run, parts: blamed.map(([{ name }]) => name) });
}
