/**
 * Reference kernels of connected components: bits of lines, runs, and what belongs together.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";

/** Whether a sample is inside; 64-bit integers are compared exactly. */
type Inside = (address: number) => boolean;

/** `bit x = data[x] > limit`. */
export function bitsAbove(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["bits_above"] {
  const read = exact(memory, dtype, order);
  return (bits, lines, first, data, rowStride, rows, n, limit) =>
    writeBits(memory, dtype, { bits, lines, first, data, rowStride, rows, n }, (at) => read(at) > limit);
}

/** `bit x = data[x] ≠ 0`. */
export function bitsNonzero(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["bits_nonzero"] {
  const read = exact(memory, dtype, order);
  return (bits, lines, first, data, rowStride, rows, n) =>
    writeBits(
      memory,
      dtype,
      { bits, lines, first, data, rowStride, rows, n },
      (at) => Number(read(at)) !== 0,
    );
}

interface Lines {
  readonly bits: number;
  readonly lines: number;
  readonly first: number;
  readonly data: number;
  readonly rowStride: number;
  readonly rows: number;
  readonly n: number;
}

function writeBits(
  memory: WebAssembly.Memory,
  dtype: DType,
  { bits, lines, first, data, rowStride, rows, n }: Lines,
  inside: Inside,
): void {
  const { itemSize } = dtypeInfo(dtype);
  const view = new DataView(memory.buffer);
  const bytes = 8 * Math.ceil(n / 64);
  let run = first;
  view.setUint32(lines, run, true);
  for (let row = 0; row < rows; row++) {
    const line = new Uint8Array(memory.buffer, bits + row * bytes, bytes).fill(0);
    for (let x = 0; x < n; x++) {
      if (inside(data + row * rowStride + x * itemSize)) line[x >> 3]! |= 1 << (x & 7);
    }
    run += runsOf(line).length;
    view.setUint32(lines + 4 * (row + 1), run, true);
  }
}

function exact(memory: WebAssembly.Memory, dtype: DType, order: ByteOrder): (at: number) => number | bigint {
  const view = new DataView(memory.buffer);
  if (dtype === "int64") return (at) => view.getBigInt64(at, order === "little");
  if (dtype === "uint64") return (at) => view.getBigUint64(at, order === "little");
  return reader(memory, dtype, order);
}

/** Runs of a line: first place, and one past the last. */
type Runs = readonly (readonly [start: number, stop: number])[];

/** The runs of a line of bits. */
export function runsOf(line: Uint8Array): Runs {
  const runs: [number, number][] = [];
  for (let x = 0; x < 8 * line.length; x++) {
    if ((line[x >> 3]! >> (x & 7) & 1) === 0) continue;
    const last = runs.at(-1);
    if (last?.[1] === x) last[1]++;
    else runs.push([x, x + 1]);
  }
  return runs;
}

/** `out[i] = first + i`. */
export function countUp(memory: WebAssembly.Memory): KernelFamilies["count_up"] {
  const { set } = words(memory);
  return (out, n, first) => {
    for (let i = 0; i < n; i++) set(out, i, first + i);
  };
}

/** Every pair of runs that touch is joined, in the order of the places where they do. */
export function joinRuns(memory: WebAssembly.Memory): KernelFamilies["join_runs"] {
  const { get, set } = words(memory);
  const runsAt = (line: number, count: number) => runsOf(new Uint8Array(memory.buffer, line, 8 * count));
  return (parents, line, run, other, otherRun, count, diagonal) => {
    for (const [i, j] of touching(runsAt(line, count), runsAt(other, count), diagonal)) {
      const [left, right] = [root(run + i), root(otherRun + j)];
      set(parents, Math.max(left, right), Math.min(left, right));
    }
    function root(one: number): number {
      while (get(parents, one) !== one) {
        set(parents, one, get(parents, get(parents, one)));
        one = get(parents, one);
      }
      return one;
    }
  };
}

/** Pairs of runs of two lines that touch, by the place where the later one of both begins. */
function touching(mine: Runs, theirs: Runs, diagonal: number): [i: number, j: number][] {
  const pairs: { place: number; pair: [number, number] }[] = [];
  let first = 0;
  for (const [i, [start, stop]] of mine.entries()) {
    while (first < theirs.length && theirs[first]![1] + diagonal <= start) first++;
    for (let j = first; j < theirs.length && theirs[j]![0] < stop + diagonal; j++) {
      pairs.push({ place: Math.max(start, theirs[j]![0]), pair: [i, j] });
    }
  }
  return pairs.sort((a, b) => a.place - b.place).map(({ pair }) => pair);
}

/** Names of components, by their first runs. */
export function numberRuns(memory: WebAssembly.Memory): KernelFamilies["number_runs"] {
  const { get, set } = words(memory);
  return (count, runs, n, names) => {
    let known = 0;
    for (let run = 0; run < n; run++) {
      const parent = get(runs, run);
      set(runs, run, parent === run ? get(names, known++) : get(runs, parent));
    }
    set(count, 0, known);
  };
}

/** Where labels come for the first time. */
export function firstSamples(memory: WebAssembly.Memory): KernelFamilies["first_samples"] {
  const { get, set } = words(memory);
  return (out, labels, bits, rows, n) => {
    const bytes = 8 * Math.ceil(n / 64);
    let [run, known, found] = [0, 0, 0];
    for (let row = 0; row < rows; row++) {
      for (const [start] of runsOf(new Uint8Array(memory.buffer, bits + row * bytes, bytes))) {
        const label = get(labels, run++);
        if (label <= known) continue;
        known = label;
        set(out, found++, row * n + start);
      }
    }
  };
}

/** `out[x] =` the label of the run that contains `x`, or 0. */
export function paintRuns(memory: WebAssembly.Memory): KernelFamilies["paint_runs"] {
  const { get } = words(memory);
  return (out, labels, bits, n) => {
    const line = new DataView(memory.buffer, out, 4 * n);
    for (let x = 0; x < n; x++) line.setUint32(4 * x, 0, true);
    for (
      const [i, [start, stop]] of runsOf(new Uint8Array(memory.buffer, bits, 8 * Math.ceil(n / 64))).entries()
    ) {
      for (let x = start; x < stop; x++) line.setUint32(4 * x, get(labels, i), true);
    }
  };
}

/** Numbers of 32 bits in lists. */
function words(memory: WebAssembly.Memory) {
  const view = new DataView(memory.buffer);
  return {
    get: (list: number, i: number) => view.getUint32(list + 4 * i, true),
    set: (list: number, i: number, value: number) => view.setUint32(list + 4 * i, value, true),
  };
}

/** `counts[data[i] - least]++`. */
export function countValues(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["count_values"] {
  const [read, { get, set }] = [reader(memory, dtype, order), words(memory)];
  const { itemSize } = dtypeInfo(dtype);
  return (counts, bins, least, data, n) => {
    for (let i = 0; i < n; i++) {
      const bin = read(data + i * itemSize) - least;
      if (bin >= 0 && bin < bins) set(counts, bin, get(counts, bin) + 1);
    }
  };
}

/** `counts[the last bin whose edge is not above data[i]]++`. */
export function countBins(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["count_bins"] {
  const [read, edge, { get, set }] = [reader(memory, dtype, order), reader(memory, "float64"), words(memory)];
  const { itemSize } = dtypeInfo(dtype);
  return (counts, bins, edges, data, n) => {
    for (let i = 0; i < n; i++) {
      const value = read(data + i * itemSize);
      if (!(value >= edge(edges) && value <= edge(edges + 8 * bins))) continue;
      let bin = bins - 1;
      while (value < edge(edges + 8 * bin)) bin--;
      set(counts, bin, get(counts, bin) + 1);
    }
  };
}
