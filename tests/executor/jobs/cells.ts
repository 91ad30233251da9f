/** Counters that tests and the tasks of their jobs share: in shared memory, or in files where processes share none. */

/** Counters by their numbers. */
export interface Cells {
  /** Counts one more; how many there were before. */
  add(cell: number): number;
  /** How many there are. */
  load(cell: number): number;
}

/** The counters of a job that was given `where`. */
export function cellsIn(where: SharedArrayBuffer | string): Cells {
  return typeof where === "string" ? inFiles(where) : inMemory(new Int32Array(where));
}

function inMemory(cells: Int32Array): Cells {
  return { add: (cell) => Atomics.add(cells, cell, 1), load: (cell) => Atomics.load(cells, cell) };
}

/** A file for each; its size counts. */
function inFiles(folder: string): Cells {
  const load = (cell: number) => {
    try {
      return Deno.statSync(`${folder}/${cell}`).size;
    } catch {
      return 0;
    }
  };
  return {
    load,
    add: (cell) => {
      Deno.writeFileSync(`${folder}/${cell}`, Uint8Array.of(1), { append: true });
      return load(cell) - 1;
    },
  };
}
