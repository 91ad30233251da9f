/**
 * Places in memory by name. What takes no bytes has no place: asking for its address is an error, not address 0.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";

/** Addresses of parts of memory, by name. */
export interface Places<S extends string = string> {
  /** The address of a part; an error if it has no bytes. */
  at(name: S): number;
}

/** The places of parts of so many bytes; `take` gives the address of each that has any. */
export function placesOf<S extends string>(
  bytes: Readonly<Record<S, number>>,
  take: (bytes: number, name: string) => number,
): Places<S> {
  const found = new Map<string, number>();
  for (const [name, size] of Object.entries<number>(bytes)) if (size > 0) found.set(name, take(size, name));
  return {
    at(name) {
      const pointer = found.get(name);
      if (pointer !== undefined) return pointer;
      throw new TilewiseError("corrupt", `There is no memory for ${name}: none was asked for in the plan`);
    },
  };
}
