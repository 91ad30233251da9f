/**
 * The worker's side of runs whose memory it does not share: memories with the same bytes at the same addresses.
 *
 * @module
 */

import type { Board } from "../activity.ts";
import { TilewiseError } from "../errors.ts";
import type { Control } from "./control.ts";
import type { Beat, OpenCopy } from "./copies.ts";
import type { MemoryRows } from "./task.ts";

/** A run on this worker. */
export interface CopiedRun {
  /** As large as that of the run; the system backs only the pages that are touched. */
  readonly memory: WebAssembly.Memory;
  /** What its tasks have counted. */
  readonly control: Control;
  /** The bytes that unfinished tasks write. */
  readonly writes: Map<number, readonly MemoryRows[]>;
}

/** The runs of a worker. */
export class CopiedRuns {
  readonly #runs = new Map<number, CopiedRun>();
  readonly #memories = new Map<number, WebAssembly.Memory>();

  /** Adds a run; `control` is its control block. Errors: `over-budget` if there is no room for its memory. */
  open({ run, memory, pages, shared }: OpenCopy, control: Control): CopiedRun {
    const opened = { memory: this.#memoryOf(memory, pages, shared), control, writes: new Map() };
    this.#runs.set(run, opened);
    return opened;
  }

  /** A run that has been opened and not closed. */
  get(run: number): CopiedRun | undefined {
    return this.#runs.get(run);
  }

  /** How many there are. */
  get count(): number {
    return this.#runs.size;
  }

  /** Takes note that a run is over. */
  close(run: number): void {
    this.#runs.delete(run);
  }

  /** The bytes that a task writes; they are asked for once. */
  takeWrites(run: number, index: number): readonly MemoryRows[] {
    const writes = this.#runs.get(run)?.writes;
    const found = writes?.get(index) ?? [];
    writes?.delete(index);
    return found;
  }

  /** Signs of life of all of them. */
  beat({ beat: board, current: activity }: Pick<Board, "beat" | "current">): Beat {
    const runs = [...this.#runs].map(([run, { control }]) => [run, control.beat, control.units] as const);
    return { kind: "beat", runs, board, ...(activity ? { activity } : {}) };
  }

  /** The memory with number `id`. Other memories that no run needs are dropped. */
  #memoryOf(id: number, pages: number, shared: boolean): WebAssembly.Memory {
    const used = new Set([...this.#runs.values()].map(({ memory }) => memory));
    for (const [other, memory] of this.#memories) {
      if (other !== id && !used.has(memory)) this.#memories.delete(other);
    }
    const memory = this.#memories.get(id) ?? newMemory(pages, shared);
    this.#memories.set(id, memory);
    return memory;
  }
}

function newMemory(pages: number, shared: boolean): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
  } catch (cause) {
    const text = `Cannot make a memory of ${pages} pages in a worker: the machine has no room for it; ` +
      "give the context less memory, or fewer workers";
    throw new TilewiseError("over-budget", text, { expected: pages }, { cause });
  }
}
