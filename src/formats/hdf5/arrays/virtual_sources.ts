/**
 * The sources of virtual data sets: opened once each, however often they are named.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../../errors.ts";
import { asArray, type Hdf5Array } from "./arrays.ts";
import type { Hdf5File } from "../metadata/file.ts";
import { readMessages } from "../metadata/object_header.ts";
import { describe, type OpenExternal, resolve } from "../metadata/objects.ts";

/** The data set at `path` of the file `name`, as `from` names them; `undefined` if it is missing. */
export type OpenSource = (from: Hdf5File, name: string, path: string) => Promise<Hdf5Array | undefined>;

/** Opens sources through `openExternal` and remembers them. */
export function sourcesThrough(openExternal: OpenExternal): OpenSource {
  const sources = new Map<string, Promise<Hdf5Array | undefined>>();
  return (from, name, named) => {
    const path = named.startsWith("/") ? named : `/${named}`;
    const key = `${from.name}\0${name}\0${path}`;
    let source = sources.get(key);
    if (!source) sources.set(key, source = openArray(from, name, path, openExternal));
    return source;
  };
}

async function openArray(
  from: Hdf5File,
  name: string,
  path: string,
  openExternal: OpenExternal,
): Promise<Hdf5Array | undefined> {
  const file = name === "." ? from : await openExternal(name, from);
  const address = file && await resolve(file, path, openExternal);
  if (!file || address === undefined) return undefined;
  try {
    return asArray(await describe(file, path, await readMessages(file, address)));
  } catch (error) {
    if (!isTilewiseError(error)) throw error;
    const text = `Cannot read a source of a virtual data set: ${error.message}`;
    throw new TilewiseError(error.code, text, error.details, { cause: error });
  }
}
