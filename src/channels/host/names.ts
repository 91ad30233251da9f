/**
 * File names in kernel memory, as UTF-8 bytes.
 *
 * @module
 */

import type { Lease } from "../../memory/arena.ts";

/**
 * A name in kernel memory: plain data for a job.
 * @category Channels
 */
export interface NameAt {
  /** Address of its first byte. */
  readonly offset: number;
  /** Bytes in UTF-8. */
  readonly byteLength: number;
}

/** What gives memory: an arena, or the leases of a run. */
export interface Lessor {
  /** Takes `bytes` bytes. */
  lease(bytes: number, label: string): Lease;
}

/** A name for `fs_open`: the lease of its bytes; `offset` and `byteLength` are what the kernel passes. */
export function leaseName(memory: Lessor, name: string): Lease {
  const bytes = new TextEncoder().encode(name);
  const lease = memory.lease(bytes.length, `the name ${name}`);
  lease.bytes().set(bytes);
  return lease;
}
