/**
 * Timing for the benches: repeated runs, their minimum and upper quartile, and tables of them.
 *
 * Never an average: on a shared machine the mean measures the neighbours.
 *
 * @module
 */

/** The seconds a piece of work took. */
export interface Timing {
  /** The fastest run. */
  readonly min: number;
  /** Three quarters of the runs were at most this slow. */
  readonly p75: number;
  /** Every run, in order. */
  readonly samples: readonly number[];
}

/** How often {@link measure} runs the work. */
export interface MeasureOptions {
  /** Timed runs, 7 unless told. */
  readonly repeats?: number;
  /** Untimed runs before, 1 unless told. */
  readonly warmup?: number;
}

/** A line of a table: what ran, how long it took and how many bytes or operations that was. */
export interface BenchRow extends Timing {
  /** What was measured, for example `sum u16`. */
  readonly name: string;
  /** Who did it: `limit`, `reference`, `plain`, `simd` or the name of a peer. */
  readonly by?: string;
  /** Workers that took part. */
  readonly workers?: number;
  /** Stored bytes that the work covers, for GB/s. */
  readonly bytes?: number;
  /** Floating-point or integer operations, for GFLOP/s. */
  readonly operations?: number;
  /** Anything else worth keeping in the record. */
  readonly [more: string]: unknown;
}

/**
 * Minimum and upper quartile of some samples.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(summarize([4, 1, 3, 2]), { min: 1, p75: 3, samples: [4, 1, 3, 2] });
 * ```
 */
export function summarize(samples: readonly number[]): Timing {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = Math.max(0, Math.ceil(sorted.length * 0.75) - 1);
  return { min: sorted[0] ?? NaN, p75: sorted[at] ?? NaN, samples };
}

/** Runs `work` a few times and times it; promises are awaited. */
export async function measure(
  work: () => unknown,
  { repeats = 7, warmup = 1 }: MeasureOptions = {},
): Promise<Timing> {
  for (let i = 0; i < warmup; i++) await work();
  const samples: number[] = [];
  for (let i = 0; i < repeats; i++) samples.push(await once(work));
  return summarize(samples);
}

/** Times several pieces of work in turns, so that a busy moment of the machine meets all of them alike. */
export async function measureTogether<Name extends string>(
  works: Readonly<Record<Name, () => unknown>>,
  { repeats = 7, warmup = 1 }: MeasureOptions = {},
): Promise<Record<Name, Timing>> {
  const entries = Object.entries(works) as [Name, () => unknown][];
  const samples = new Map<Name, number[]>(entries.map(([name]) => [name, []]));
  for (let i = -warmup; i < repeats; i++) {
    for (const [name, work] of entries) {
      const seconds = await once(work);
      if (i >= 0) samples.get(name)!.push(seconds);
    }
  }
  return Object.fromEntries([...samples].map(([name, s]) => [name, summarize(s)])) as Record<Name, Timing>;
}

async function once(work: () => unknown): Promise<number> {
  const start = performance.now();
  const result = work();
  if (result instanceof Promise) await result;
  return (performance.now() - start) / 1e3;
}

/** Billions of bytes per second of the fastest run; NaN without `bytes`. */
export function gbps(row: BenchRow): number {
  return (row.bytes ?? NaN) / row.min / 1e9;
}

/** Billions of operations a second of the fastest run; NaN without `operations`. */
export function gflops(row: BenchRow): number {
  return (row.operations ?? NaN) / row.min / 1e9;
}

/**
 * The rows as text: name, who, workers, minimum and p75 in ms, GB/s, and how many times faster than `base`.
 *
 * `base` is the row that the last column compares with; without it the column is left out.
 */
export function table(rows: readonly BenchRow[], base?: (row: BenchRow) => BenchRow | undefined): string {
  const head = ["what", "by", "workers", "min ms", "p75 ms", "GB/s", ...(base ? ["ratio"] : [])];
  const body = rows.map((row) => {
    const other = base?.(row);
    return [
      row.name,
      row.by ?? "",
      row.workers === undefined ? "" : String(row.workers),
      milliseconds(row.min),
      milliseconds(row.p75),
      row.bytes === undefined ? "" : gbps(row).toFixed(2),
      ...(base ? [other ? `${(other.min / row.min).toFixed(2)}x` : ""] : []),
    ];
  });
  return align([head, ...body]);
}

/** Cells as aligned columns; the first two to the left, the others to the right. */
export function align(cells: readonly (readonly string[])[]): string {
  const widths = (cells[0] ?? []).map((_, c) => Math.max(...cells.map((row) => row[c]?.length ?? 0)));
  const pad = (cell: string, c: number) => c < 2 ? cell.padEnd(widths[c]!) : cell.padStart(widths[c]!);
  return cells.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}

function milliseconds(seconds: number): string {
  const ms = seconds * 1e3;
  return ms.toFixed(ms < 1 ? 4 : ms < 100 ? 2 : 1);
}

/** Writes a line to standard output. */
export function print(line: string): void {
  const bytes = new TextEncoder().encode(line + "\n");
  for (let done = 0; done < bytes.length;) done += Deno.stdout.writeSync(bytes.subarray(done));
}
