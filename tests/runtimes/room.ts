/**
 * A folder like that of a user: the package in `node_modules`, the programs beside it, and the data.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { pack } from "../../assembly/pack/main.ts";
import { LIBRARY } from "../../src/channels/launch/library.ts";
import { CLUSTER_PACKAGES } from "../../src/cluster/engine/bullmq/packages.ts";
import { PACKAGES } from "../../src/packages.ts";
import { compileKernel } from "../../src/user_kernels/compile.ts";
import type { Kernels } from "./programs/channels.ts";
import { scanBytes } from "./programs/work.ts";
import { npmInstall } from "../../assembly/tools.ts";

/** Where the programs lie in the checkout. */
export const PROGRAMS: string = fromFileUrl(new URL("./programs/", import.meta.url));

const DATA = fromFileUrl(new URL("../data/hdf5/", import.meta.url));

/** What users install themselves: the compiler of their kernels, rare filters of HDF5, and what speaks to engines. */
const OPTIONAL = [
  PACKAGES["assemblyscript/asc"],
  PACKAGES.h5wasm,
  CLUSTER_PACKAGES.bullmq,
  CLUSTER_PACKAGES.ioredis,
]
  .map((name) => name.replace(/^npm:|\/asc$/g, ""));

/** Paths of the data. */
export interface DataPaths {
  /** The scan. */
  readonly raw: string;
  /** Arrays with filters of ours. */
  readonly filters: string;
  /** Arrays with filters of a package. */
  readonly library: string;
  /** Compiled kernels of the examples with files, in base64 by name, as JSON: the same bytes everywhere. */
  readonly kernels: string;
}

/** The folder. */
export interface Room extends AsyncDisposable {
  /** Its path. */
  readonly folder: string;
  /** The data. */
  readonly data: DataPaths;
}

/** Makes the folder; it is removed in the end. */
export async function makeRoom(): Promise<Room> {
  const folder = await Deno.makeTempDir({ prefix: "tilewise-" });
  const remove = () => Deno.remove(folder, { recursive: true });
  try {
    const data = {
      raw: join(folder, "scan.raw"),
      filters: `${DATA}filters.h5`,
      library: `${DATA}library.h5`,
      kernels: join(folder, "kernels.json"),
    };
    await Deno.writeFile(data.raw, scanBytes());
    await Deno.writeTextFile(data.kernels, JSON.stringify(await kernels()));
    await Deno.writeFile(join(folder, "package.tgz"), await pack());
    await npmInstall(folder, ["./package.tgz", ...OPTIONAL]);
    for (const { name } of Deno.readDirSync(PROGRAMS)) {
      await Deno.copyFile(PROGRAMS + name, join(folder, name));
    }
    return { folder, data, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The kernels of the examples. */
async function kernels(): Promise<Kernels> {
  const examples = new URL("../../examples/channels/", import.meta.url);
  const places = { append: examples, files: examples, sort: examples, walk: examples, image: examples };
  const all = Object.entries({ ...places, call: new URL("./kernels/", import.meta.url) });
  const compiled = await Promise.all(all.map(async ([name, place]) => {
    const file = `${name}.as.ts`;
    const text = await Deno.readTextFile(new URL(file, place));
    const { wasm } = await compileKernel({ name, file, text, library: LIBRARY, fresh: true });
    return [name, wasm.toBase64()] as const;
  }));
  return Object.fromEntries(compiled) as unknown as Kernels;
}
