/**
 * How much memory the page uses, by what the browser says of the machine.
 *
 * @module
 */

import { isTilewiseError } from "@tilewise/tilewise";

const GiB = 2 ** 30;
const MiB = 2 ** 20;

/** Memory of a machine that does not say how much it has, in GiB. */
const USUAL = 4;

/** Bytes that the page may use. */
export interface Budget {
  /** For samples that are kept. */
  readonly samples: number;
  /** For runs. */
  readonly runs: number;
}

/**
 * Half of the memory for samples, at most 1 GiB; a sixteenth for runs, from 128 to 512 MiB.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(budgetOf(0.5), { samples: 256 * 2 ** 20, runs: 128 * 2 ** 20 });
 * assertEquals(budgetOf(8), { samples: 1024 * 2 ** 20, runs: 512 * 2 ** 20 });
 * ```
 */
export function budgetOf(memory: number = machineMemory()): Budget {
  return {
    samples: Math.min(GiB, memory / 2 * GiB),
    runs: Math.max(128 * MiB, Math.min(512 * MiB, memory / 16 * GiB)),
  };
}

function machineMemory(): number {
  const { deviceMemory } = navigator as Navigator & { readonly deviceMemory?: number };
  return deviceMemory ?? USUAL;
}

let isWithout = false;

/** All processors of the machine; 0 where workers cannot be started. */
export function workersOf(): number {
  return isWithout ? 0 : Math.max(1, Math.min(32, navigator.hardwareConcurrency ?? 1));
}

/** Notes whether an error says that no worker could be started, as where a policy forbids it: then it is done without. */
export function noteWorkers(error: unknown): void {
  if (isTilewiseError(error, "unsupported") && error.details["option"] === "workers") isWithout = true;
}
