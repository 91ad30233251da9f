/**
 * File names in kernel memory, as UTF-8 bytes.
 *
 * @module
 */

import type { Arena, Lease } from "../memory/arena.ts";

/** A name for `fs_open`: the lease of its bytes; `offset` and `byteLength` are what the kernel passes. */
export function leaseName(arena: Arena, name: string): Lease {
  const bytes = new TextEncoder().encode(name);
  const lease = arena.lease(bytes.length, `the name ${name}`);
  lease.bytes().set(bytes);
  return lease;
}
