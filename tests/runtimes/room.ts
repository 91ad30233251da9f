/**
 * A folder like that of a user: the package in `node_modules`, the programs beside it, and the data.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { pack } from "../../assembly/pack/main.ts";
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
    };
    await Deno.writeFile(data.raw, scanBytes());
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
