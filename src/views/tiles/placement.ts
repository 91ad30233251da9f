/**
 * The memory of a session: places for views, slots for tiles, slabs for loaders; and what a user holds of it.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Lease } from "../../memory/arena.ts";
import type { Leases } from "../../runner/leases.ts";
import type { LoadingMemory } from "./memory.ts";

/** The places of everything. */
export interface TilePlacement {
  /** For views; the cache may exchange one for a slot of the same size. */
  readonly places: readonly Lease[];
  /** For tiles. */
  readonly slots: Lease[];
  /** For loaders, one per worker. */
  readonly slabs: readonly Lease[];
  /** The memory. */
  readonly memory: WebAssembly.Memory;
}

/** Takes all memory of a session. */
export function placed(leases: Leases, memory: LoadingMemory): TilePlacement {
  const placement = {
    places: leases.many(memory.views, memory.view, "a view"),
    slots: leases.many(memory.tiles, memory.tile, "a tile"),
    slabs: leases.many(memory.loader > 0 ? memory.workers : 0, memory.loader, "a loader of tiles"),
    memory: leases.arena.memory,
  };
  leases.many(memory.copies > 0 ? 1 : 0, memory.copies, "copies of workers");
  return placement;
}

/** A view that a user holds: it is returned after `users` calls of `release`. */
export class HeldView implements Lease {
  #left: number;

  /** Bytes of `lease`, which belongs to the session: `returned` is called after the last release. */
  constructor(
    private readonly lease: Lease,
    readonly byteLength: number,
    readonly label: string,
    readonly generation: number,
    private readonly users: number,
    private readonly returned: () => void,
  ) {
    this.#left = users;
  }

  /** Address of the first sample. */
  get offset(): number {
    if (this.#left === 0) throw this.#stale("use");
    return this.lease.offset;
  }

  /** The samples. */
  bytes(): Uint8Array {
    if (this.#left === 0) throw this.#stale("use");
    return this.lease.bytes().subarray(0, this.byteLength);
  }

  /** Returns it, for one of its users. */
  release(): void {
    if (this.#left === 0) throw this.#stale("return");
    if (--this.#left === 0) this.returned();
  }

  /** Returns it for one of its users, unless all have returned it. */
  [Symbol.dispose](): void {
    if (this.#left > 0) this.release();
  }

  /** Ends it: the session is over. */
  end(): void {
    this.#left = 0;
  }

  #stale(verb: string): TilewiseError {
    const { label, generation, users } = this;
    const times = users === 1 ? "" : ` ${users} times`;
    const text =
      `Cannot ${verb} ${label} (generation ${generation}): it has been returned${times} already, or its ` +
      "reader has been closed";
    return new TilewiseError("lease", text, { generation });
  }
}
