/**
 * Files beside a source that may or may not be there.
 *
 * @module
 */

import { isTilewiseError, type TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import type { FormatInput } from "./format.ts";

/** Whether a file that a source names is not there; not one that may not be read. */
export function isMissing(error: unknown): error is TilewiseError {
  return isTilewiseError(error, "not-found");
}

/** Whether a file that a source names lies where sources may not lead. */
export function isOutside(error: unknown): error is TilewiseError {
  return isTilewiseError(error, "invalid") && error.details.option === "root";
}

/** The file of exactly that name, which may be the source itself; nothing if there is none. */
export async function beside(input: FormatInput, name: string): Promise<ByteSource | undefined> {
  if (name === input.name) return input.source;
  try {
    return await input.openBeside(name);
  } catch (error) {
    if (isTilewiseError(error, "not-found")) return undefined;
    throw error;
  }
}

/**
 * The file `name` of the same data set, which may be the source itself; where there is none of that name, one that
 * differs in upper and lower case only, or in how its accents are written; nothing if there is none of those either.
 */
export async function besideAnyCase(input: FormatInput, name: string): Promise<ByteSource | undefined> {
  return await beside(input, await nameLike(input, name));
}

/** The name of the file that {@link besideAnyCase} takes; `name` itself if there is none. */
export async function nameLike(input: FormatInput, name: string): Promise<string> {
  const names = await input.siblings();
  if (names.includes(name)) return name;
  return names.find((one) => plain(one) === plain(name)) ?? name;
}

function plain(name: string): string {
  return name.normalize().toLowerCase();
}
