/**
 * The table of workloads: a row each, ours and the peer's by the same name.
 *
 * @module
 */

import type { DataKind } from "../data.ts";
import { BLOBS } from "./disks.ts";
import { FRAMES } from "./frames.ts";
import { MASKS } from "./masks.ts";
import type { Workload, WorkloadSet } from "./row.ts";
import { SUMS } from "./sums.ts";

/** All rows. */
export const WORKLOADS: readonly Workload[] = [...SUMS, ...MASKS, ...FRAMES, ...BLOBS];

/** What a set runs on unless told otherwise, and how many frames of it. */
export const SETS: Readonly<Record<WorkloadSet, Readonly<Partial<Record<DataKind, number>>>>> = {
  core: { u16: 8192, f32: 4096, mib: 8192, tiny: 256 },
  analyses: { u16: 2048, disks: 1024 }, // 256 and 128 MiB
};

/** The rows of a kind of data: those of a set, or those that are named. */
export function workloadsFor(
  kind: DataKind,
  want: { readonly set: WorkloadSet; readonly names?: readonly string[] },
): Workload[] {
  const wanted = ({ name, sets }: Workload) =>
    want.names ? want.names.includes(name) : sets.includes(want.set);
  return WORKLOADS.filter((workload) => workload.on.includes(kind) && wanted(workload));
}

/** The row of this name. */
export function workloadNamed(name: string): Workload | undefined {
  return WORKLOADS.find((workload) => workload.name === name);
}
