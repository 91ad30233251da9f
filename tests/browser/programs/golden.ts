/**
 * What all runtimes compute: a scan in a file, HDF5 files, a UDF of a user by the address of its module, a filter over views,
 * and a cube.
 *
 * @module
 */

import { digests, scanBytes } from "../../runtimes/programs/work.ts";

/** Where files and the module are. */
export interface Addresses {
  /** `tests/data/hdf5/filters.h5`. */
  readonly filters: string;
  /** `tests/data/hdf5/library.h5`. */
  readonly library: string;
  /** `tests/runtimes/programs/own_udf.ts`, as JavaScript. */
  readonly own: string;
}

/** Digests by name, on `workers` workers. */
export async function programs(addresses: Addresses, workers: number): Promise<Record<string, string>> {
  const [filters, library] = await Promise.all([addresses.filters, addresses.library].map(blobOf));
  const raw = new File([scanBytes()], "scan.raw");
  return await digests({ raw, filters: filters!, library: library!, own: absolute(addresses.own) }, workers);
}

async function blobOf(address: string): Promise<Blob> {
  return await (await fetch(absolute(address))).blob();
}

function absolute(address: string): string {
  return new URL(address, globalThis.location?.href).href;
}
