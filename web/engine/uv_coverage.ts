/**
 * Where the baselines of a Measurement Set lie: an image of how many rows there are in each cell of u and v.
 *
 * @module
 */

import { type Context, createContext, type Dataset, open, read } from "@tilewise/tilewise";
import { openAll, type OpenInput } from "@tilewise/tilewise/formats";

/** Most cells along each side: odd, so that the shortest baselines are in the middle of one. */
const CELLS = 257;

/** Cells per row: of few baselines more than a percentile have to be seen. */
const PER_ROW = 40;

/** Most rows of which the image is made: their places are in memory. */
const MOST_ROWS = 2 ** 22;

/** Metres per second. */
const LIGHT = 299_792_458;

/** Counts of rows, and of what. */
export interface Coverage {
  /** Rows of v, from the least one, and columns of u: counts of rows, each also as its opposite (−u, −v). */
  readonly counts: Float32Array<ArrayBuffer>;
  /** Cells along each side. */
  readonly cells: number;
  /** The sides of the image are at this distance from its middle, in the units of `uvw`. */
  readonly extent: number;
}

/**
 * Counts places in a square that holds all of them; `scale` turns those of a row into other units.
 *
 * @example One baseline, and its opposite
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { counts, extent } = coverageOf(Float64Array.of(20, -20, 3), () => 1, 3);
 * assertEquals([[...counts], extent], [[0, 0, 1, 0, 0, 0, 1, 0, 0], 30]);
 * ```
 */
export function coverageOf(
  uvw: ArrayLike<number>,
  scale: (row: number) => number,
  cells = cellsFor(uvw.length / 3),
): Coverage {
  let most = 0;
  const rows = Math.floor(uvw.length / 3);
  const at = (row: number, d: 0 | 1) => uvw[3 * row + d]! * scale(row);
  for (let row = 0; row < rows; row++) {
    const reach = Math.max(Math.abs(at(row, 0)), Math.abs(at(row, 1)));
    if (Number.isFinite(reach)) most = Math.max(most, reach);
  }
  const extent = most > 0 ? most * cells / (cells - 1) : 1; // the outermost are in the middle of a cell at the edge
  const counts = new Float32Array(cells * cells);
  const cellOf = (value: number) => Math.floor((value + extent) * cells / (2 * extent));
  for (let row = 0; row < rows; row++) {
    for (const sign of [1, -1]) {
      const [x, y] = [cellOf(sign * at(row, 0)), cellOf(sign * at(row, 1))];
      if (x >= 0 && x < cells && y >= 0 && y < cells) counts[y * cells + x]! += 1;
    }
  }
  return { counts, cells, extent };
}

function cellsFor(rows: number): number {
  return Math.min(CELLS, 2 * Math.floor(Math.sqrt(PER_ROW * rows) / 2) + 1);
}

/** The image of the baselines, if the source is a Measurement Set: in thousands of wavelengths where it has its frequencies. */
export async function uvImage(
  input: OpenInput,
  all: readonly Dataset[],
  signal: AbortSignal | undefined,
): Promise<Dataset | undefined> {
  const uvw = all.find(({ array, shape: [, three] }) => array === "UVW" && three === 3);
  const isSet = uvw && all.some(({ array }) => array === "ANTENNA1");
  if (!isSet || !(uvw.shape[0]! <= MOST_ROWS)) return undefined;
  await using context = createContext({ memory: "1GiB", workers: 0 });
  const options = { context, ...(signal ? { signal } : {}) };
  const places = (await read(uvw, [], options)).data as Float64Array;
  const frequencies = await frequenciesOf(input, all, options);
  const unit = frequencies ? "kλ" : "m";
  const { counts, cells, extent } = coverageOf(
    places,
    frequencies ? (row) => frequencies(row) / LIGHT / 1000 : () => 1,
  );
  const scale = 2 * extent / cells, offset = scale / 2 - extent;
  const axis = (name: string) => ({ name, kind: "other" as const, scale, offset, unit }); // no places in an image: those of its transform
  return await open({
    data: counts,
    shape: [cells, cells],
    name: `${uvw.source.replace(/[\\/]table\.dat$/, "")}/uv coverage`,
    axes: [{ ...axis("v"), upwards: true }, axis("u")],
    values: { kind: "amount", unit: "rows" },
  });
}

/** The reference frequency of the window of each row, unless a window has none. */
export function frequencyByRow(
  descriptions: ArrayLike<number>,
  windows: ArrayLike<number>,
  references: ArrayLike<number>,
): ((row: number) => number) | undefined {
  const of = Array.from(windows, (window) => references[window]);
  const isKnown = Array.from(descriptions).every((description) => of[description]! > 0); // some writers leave 0
  return isKnown ? (row) => of[descriptions[row]!]! : undefined;
}

/** The frequency of each row: the reference of its spectral window. */
async function frequenciesOf(
  input: OpenInput,
  all: readonly Dataset[],
  options: { readonly context: Context; readonly signal?: AbortSignal },
): Promise<((row: number) => number) | undefined> {
  const numbers = async (array: string) => {
    const found = all.find((one) => one.array === array) ??
      (await openAll(input, { array, ...(options.signal ? { signal: options.signal } : {}) }))[0]!;
    return Array.from((await read(found, [], options)).data, Number);
  };
  try {
    const [descriptions, windows, references] = await Promise.all(
      ["DATA_DESC_ID", "DATA_DESCRIPTION/SPECTRAL_WINDOW_ID", "SPECTRAL_WINDOW/REF_FREQUENCY"].map(numbers),
    );
    return frequencyByRow(descriptions!, windows!, references!);
  } catch {
    options.signal?.throwIfAborted();
    return undefined; // tables that were not given, or lack these columns: lengths stay in metres
  }
}
