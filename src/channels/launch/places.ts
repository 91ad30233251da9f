/**
 * Where groups run: places in memory, a block with the words of the barrier and the local memory for each group that runs at
 * the same time.
 *
 * @module
 */

import type { Leases } from "../../runner/leases.ts";
import { GROUP_BYTES, resetGroup } from "../files/group.ts";
import type { GroupPlace, LaunchShared } from "./shared.ts";

/** Takes `count` places. */
export function leasePlaces(leases: Leases, count: number, localBytes: number): GroupPlace[] {
  return Array.from({ length: count }, () => {
    const { offset: block } = leases.lease(GROUP_BYTES, "a work group");
    const local = localBytes > 0 ? leases.lease(localBytes, "local memory of a work group").offset : 0;
    return { block, local };
  });
}

/** Prepares a place for the next group, before any member of it runs: nobody has arrived, its local memory holds zeros. */
export function preparePlace(
  memory: WebAssembly.Memory,
  { block, local }: GroupPlace,
  { groupSize, localBytes }: Pick<LaunchShared, "groupSize" | "localBytes">,
): void {
  resetGroup(memory, { offset: block, members: groupSize });
  if (localBytes > 0) new Uint8Array(memory.buffer, local, localBytes).fill(0);
}
