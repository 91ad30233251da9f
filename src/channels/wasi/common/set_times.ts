/**
 * The times that a program has set, and reads again.
 *
 * @module
 */

import type { NodeFacts, NodeTimes } from "../../backends/back_end.ts";
import type { ByteFiles } from "./byte_files.ts";

/**
 * The times that one program has set. Runtimes set times less finely than programs ask for them (Deno by milliseconds, Node by
 * microseconds). A program that sets a time and reads it finds what it has set, as long as the file keeps what became of it.
 */
export class SetTimes {
  readonly #set = new Map<bigint, { readonly asked: NodeTimes; readonly found: NodeTimes }>();

  /** What a name stands for, with the times that the program has set. */
  factsOf(files: ByteFiles, name: string, follow = true): NodeFacts | number {
    const facts = files.stat(name, follow);
    const set = typeof facts === "number" ? undefined : this.#set.get(facts.number);
    if (typeof facts === "number" || !set) return facts;
    const { times } = facts, { asked, found } = set;
    const accessed = times.accessed === found.accessed ? asked.accessed : times.accessed;
    const modified = times.modified === found.modified ? asked.modified : times.modified;
    return { ...facts, times: { ...times, accessed, modified } };
  }

  /** Notes what a program has set. */
  note({ number, times }: NodeFacts, asked: NodeTimes): void {
    if (number !== 0n) this.#set.set(number, { asked, found: times });
  }
}
