/**
 * What addresses of all engines have in common: the queue, and how long is waited.
 *
 * @module
 */

import type { TilewiseError } from "../../../errors.ts";

/** What stands behind the question mark. */
export interface QueueParameters {
  /** Name of the queue, and of all that is stored beside it. */
  readonly queue: string;
  /** Milliseconds that a worker may be silent, and between two searches for silent workers, where they are given. */
  readonly waits: { readonly lock?: number; readonly stalledCheck?: number };
}

/** Reads the parameters of an address, which may have `others` as well. Errors: those of `refused`, which is told why. */
export function queueParameters(
  parameters: URLSearchParams,
  others: readonly string[],
  refused: (why: string) => TilewiseError,
): QueueParameters {
  const queue = parameters.get("queue") ?? "tilewise";
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(queue)) throw refused(`the name of its queue is "${queue}"`);
  const known = ["queue", "lock", "check", ...others];
  const unknown = [...parameters.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw refused(`it has a parameter "${unknown}"`);
  const [lock, stalledCheck] = [wait("lock", parameters, refused), wait("check", parameters, refused)];
  return { queue, waits: { ...(lock && { lock }), ...(stalledCheck && { stalledCheck }) } };
}

/** A wait in seconds, as milliseconds: all who use a queue take it from the same address. */
function wait(
  name: string,
  parameters: URLSearchParams,
  refused: (why: string) => TilewiseError,
): number | undefined {
  const given = parameters.get(name);
  if (given === null) return undefined;
  const seconds = Number(given);
  if (!(seconds >= 0.2 && seconds <= 86_400)) throw refused(`"${name}=${given}" is not a number of seconds`);
  return seconds * 1000;
}
