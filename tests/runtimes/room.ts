/**
 * A folder like that of a user: the package in `node_modules`, the programs beside it, and the data.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { pack } from "../../assembly/pack/main.ts";
import { LIBRARY } from "../../src/channels/launch/library.ts";
import { compileKernel } from "../../src/user_kernels/compile.ts";
import { scanBytes } from "./programs/work.ts";
import { npmInstall } from "./tools.ts";

/** Where the programs lie in the checkout. */
export const PROGRAMS: string = fromFileUrl(new URL("./programs/", import.meta.url));

const DATA = fromFileUrl(new URL("../data/hdf5/", import.meta.url));

/** Paths of the data. */
export interface DataPaths {
  /** The scan. */
  readonly raw: string;
  /** Arrays with filters of ours. */
  readonly filters: string;
  /** Arrays with filters of a package. */
  readonly library: string;
  /** A compiled kernel that walks through a file: the same bytes everywhere. */
  readonly kernel: string;
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
      kernel: join(folder, "walk.wasm"),
    };
    await Deno.writeFile(data.raw, scanBytes());
    await Deno.writeFile(data.kernel, await walkKernel());
    await Deno.writeFile(join(folder, "package.tgz"), await pack());
    await npmInstall(folder, ["./package.tgz"]);
    for (const { name } of Deno.readDirSync(PROGRAMS)) {
      await Deno.copyFile(PROGRAMS + name, join(folder, name));
    }
    return { folder, data, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The kernel of the example. */
async function walkKernel(): Promise<Uint8Array> {
  const text = await Deno.readTextFile(new URL("../../examples/channels/walk.as.ts", import.meta.url));
  return (await compileKernel({ name: "walk", file: "walk.as.ts", text, library: LIBRARY, fresh: true }))
    .wasm;
}
