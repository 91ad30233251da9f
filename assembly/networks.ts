/**
 * Writes the comparators of medians of 3 × 3 and 5 × 5 samples: straight code without branches, which AssemblyScript cannot make of a
 * table.
 *
 * A comparator puts the lower of two values on its first wire and the upper on its second. The comparators of 5 × 5 are those that are
 * left of a full sort of each row, and of the samples that can be the median, after all those are removed without which every window
 * whose columns are sorted still has its median. A network that is right for zeros and ones is right for all numbers; `checkNetworks`
 * tries them all.
 *
 * @module
 */

/** Comparators: the wires of the lower and the upper value. */
type Comparators = readonly (readonly [lower: number, upper: number])[];

/** Sorts a column. */
const COLUMN: Readonly<Record<3 | 5, Comparators>> = {
  3: [[0, 1], [1, 2], [0, 1]],
  5: [[0, 3], [1, 4], [0, 2], [1, 3], [0, 1], [2, 4], [1, 2], [3, 4], [2, 3]],
};

/** The median of a window with sorted columns, whose samples are numbered row by row, and the wire where it comes out. */
const WINDOW: Readonly<Record<3 | 5, { readonly comparators: Comparators; readonly median: number }>> = {
  3: {
    comparators: [[0, 1], [1, 2], [3, 4], [4, 5], [3, 4], [6, 7], [6, 8], [2, 4], [4, 6], [2, 4]],
    median: 4,
  },
  5: {
    comparators: [
      [0, 3],
      [1, 4],
      [0, 2],
      [1, 3],
      [2, 4],
      [3, 4],
      [2, 3],
      [5, 8],
      [5, 7],
      [6, 8],
      [5, 6],
      [7, 9],
      [6, 7],
      [8, 9],
      [7, 8],
      [10, 13],
      [11, 14],
      [10, 12],
      [11, 13],
      [10, 11],
      [12, 14],
      [11, 12],
      [13, 14],
      [12, 13],
      [15, 18],
      [16, 19],
      [15, 17],
      [15, 16],
      [16, 17],
      [18, 19],
      [17, 18],
      [20, 23],
      [21, 24],
      [20, 22],
      [21, 23],
      [20, 21],
      [22, 24],
      [21, 22],
      [7, 11],
      [3, 15],
      [20, 4],
      [8, 12],
      [17, 9],
      [11, 15],
      [20, 8],
      [4, 12],
      [16, 17],
      [4, 8],
      [21, 17],
      [16, 13],
      [15, 4],
      [4, 8],
      [4, 21],
      [15, 4],
      [8, 16],
      [4, 8],
    ],
    median: 8,
  },
};

/** The source of `kernels/views/networks.ts`. */
export function networksSource(): string {
  return 'import { lower, upper } from "./order";\n' + ([3, 5] as const).map(source).join("");
}

function source(size: 3 | 5): string {
  const wires = (count: number) => Array.from({ length: count }, (_, i) => i);
  const column = code(COLUMN[size], wires(size), (i) => `v128.load(data + ${i} * rowStride)`);
  const stores = wires(size).map((i) => `  v128.store(to + ${i} * pitch, ${column.names[i]});\n`).join("");
  const { comparators, median } = WINDOW[size];
  const load = (i: number) => `v128.load(p + ${Math.floor(i / size)} * pitch, ${i % size} * sizeof<T>())`;
  const window = code(comparators, [median], load);
  return `
// @ts-ignore: decorator
@inline export function column${size}<T>(to: usize, pitch: usize, data: usize, rowStride: usize): void {
${column.lines}${stores}}

// @ts-ignore: decorator
@inline export function median${size}<T>(p: usize, pitch: usize): v128 {
${window.lines}  return ${window.names[median]};
}
`;
}

/** Lines for those outputs of comparators that `wanted` wires need, and the names of the values on all wires. */
function code(comparators: Comparators, wanted: readonly number[], load: (wire: number) => string) {
  const needed = new Set(wanted);
  const uses = comparators.toReversed().map(([low, high]) => {
    const use = { low, high, lower: needed.has(low), upper: needed.has(high) };
    if (use.lower || use.upper) needed.add(low).add(high);
    return use;
  }).toReversed();
  const names: Record<number, string> = {};
  const lines: string[] = [];
  const fetch = (wire: number) => {
    if (names[wire] !== undefined) return names[wire];
    lines.push(`  const w${wire} = ${load(wire)};\n`);
    return names[wire] = `w${wire}`;
  };
  for (const [n, use] of uses.entries()) {
    if (!use.lower && !use.upper) continue;
    const [a, b] = [fetch(use.low), fetch(use.high)];
    if (use.lower) lines.push(`  const l${n} = lower<T>(${a}, ${b});\n`);
    if (use.upper) lines.push(`  const u${n} = upper<T>(${a}, ${b});\n`);
    if (use.lower) names[use.low] = `l${n}`;
    if (use.upper) names[use.high] = `u${n}`;
  }
  return { lines: lines.join(""), names };
}

/** Fails where a network is wrong for any window of zeros and ones. */
export function checkNetworks(): void {
  for (const size of [3, 5] as const) {
    for (let ones = 0; ones < (size + 1) ** size; ones++) checkWindow(size, ones);
    for (let bits = 0; bits < 1 << size; bits++) {
      const column = Array.from({ length: size }, (_, i) => bits >> i & 1);
      const sorted = run(COLUMN[size], column);
      if (sorted.some((value, i) => i > 0 && value < sorted[i - 1]!)) {
        throw new Error(`${column} stays unsorted`);
      }
    }
  }
}

/** A window whose columns have so many ones: digits of a number. */
function checkWindow(size: 3 | 5, ones: number): void {
  const counts = Array.from({ length: size }, (_, i) => Math.floor(ones / (size + 1) ** i) % (size + 1));
  const samples = Array.from({ length: size * size }, (_, i) => {
    return Math.floor(i / size) >= size - counts[i % size]! ? 1 : 0;
  });
  const most = counts.reduce((sum, n) => sum + n, 0) > size * size / 2 ? 1 : 0;
  const { comparators, median } = WINDOW[size];
  if (run(comparators, samples)[median] !== most) throw new Error(`The median of ${samples} is wrong`);
}

function run(comparators: Comparators, samples: readonly number[]): number[] {
  const wires = [...samples];
  for (const [low, high] of comparators) {
    const [a, b] = [wires[low]!, wires[high]!];
    [wires[low], wires[high]] = [Math.min(a, b), Math.max(a, b)];
  }
  return wires;
}
