/**
 * Optional files beside a source.
 *
 * @module
 */

import { isTilewiseError, type TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import type { FormatInput } from "./format.ts";

/** Whether the error says that a file named by a source does not exist; false for a file that may not be read. */
export function isMissing(error: unknown): error is TilewiseError {
  return isTilewiseError(error, "not-found");
}

/** Whether the error says that a file named by a source lies outside of the permitted folders. */
export function isOutside(error: unknown): error is TilewiseError {
  return isTilewiseError(error, "invalid") && error.details.option === "root";
}

/** The file of exactly that name, which may be the source itself; `undefined` if there is none. */
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
 * The file `name` of the same data set, which may be the source itself. If no file has that name: a file whose name
 * differs only in case or in the encoding of accents. `undefined` if there is no such file either.
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
