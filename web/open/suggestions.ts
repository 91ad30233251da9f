/**
 * Suggestions for facts that a file does not have: shapes of scans and frames that fit its bytes.
 *
 * @module
 */

/** Sides of frames that detectors have, the usual ones first. */
const FRAMES: readonly (readonly [number, number])[] = [
  [256, 256],
  [128, 128],
  [512, 512],
  [130, 128],
  [64, 64],
  [1024, 1024],
  [192, 192],
  [264, 264],
  [515, 515],
  [2048, 2048],
  [32, 32],
];

/** Sample types that detectors write, with their bytes. */
const TYPES: readonly (readonly [string, number])[] = [
  ["uint16", 2],
  ["float32", 4],
  ["uint8", 1],
  ["uint32", 4],
];

/** A way to read raw bytes. */
export interface RawSuggestion {
  /** Shape of a frame. */
  readonly sig: readonly [number, number];
  /** Type of the samples. */
  readonly dtype: string;
  /** Bytes before the first frame. */
  readonly headerBytes: number;
  /** Frames that there are then. */
  readonly frames: number;
  /** Shape of the scan, where the name of the file tells it. */
  readonly scan?: readonly [number, number];
}

/** Bytes of headers that raw files are known to have. */
const HEADERS = [0, 384, 512, 1024, 4096];

/**
 * Ways to read `bytes` bytes as whole frames, the likely ones first: those that the name of the file tells, then those without a
 * header before those with one, and scans that are square before others.
 */
export function suggestRaw(bytes: number, name: string = "", most: number = 6): RawSuggestion[] {
  const found: (RawSuggestion & { readonly cost: number })[] = [];
  HEADERS.forEach((headerBytes, h) =>
    FRAMES.forEach((sig, f) =>
      TYPES.forEach(([dtype, size], t) => {
        const frames = (bytes - headerBytes) / (sig[0] * sig[1] * size);
        if (!Number.isInteger(frames) || frames < 1) return;
        found.push({ sig, dtype, headerBytes, frames, cost: 8 * h + f + 2 * t + cost(frames) });
      })
    )
  );
  const others = found.sort((a, b) => a.cost - b.cost).map(({ cost: _, ...suggestion }) => suggestion);
  const told = suggestByName(bytes, name);
  const isTold = (one: RawSuggestion) => told.some((other) => keyOf(other) === keyOf(one));
  return [...told, ...others.filter((one) => !isTold(one))].slice(0, most);
}

/** What two suggestions have in common that read the same frames. */
function keyOf({ sig, dtype, headerBytes }: RawSuggestion): string {
  return `${sig} ${dtype} ${headerBytes}`;
}

/** Sample types as they are written in names. */
const WRITTEN: readonly (readonly [RegExp, string])[] = [
  [/(uint|u)8(?!\d)|8bit/i, "uint8"],
  [/(uint|u)16(?!\d)|16bit/i, "uint16"],
  [/(uint|u)32(?!\d)/i, "uint32"],
  [/(?<!u)(int|i)16(?!\d)/i, "int16"],
  [/(?<!u)(int|i)32(?!\d)/i, "int32"],
  [/(float|f)32(?!\d)|32bit/i, "float32"],
  [/(float|f)64(?!\d)/i, "float64"],
];

/** Ways that use all bytes with the shapes in a name such as `scan_3x5_96x112_float32.raw`. */
function suggestByName(bytes: number, name: string): RawSuggestion[] {
  const shapes = [...name.matchAll(/(?<!\d)(\d{1,5})\s?[x×]\s?(\d{1,5})(?!\d)/gi)]
    .map(([, a, b]): [number, number] => [Number(a), Number(b)]);
  const told = WRITTEN.filter(([pattern]) => pattern.test(name)).map(([, dtype]) => dtype);
  const types = told.length > 0 ? told : TYPES.map(([dtype]) => dtype);
  return shapes.toReversed().flatMap((sig) =>
    types.flatMap((dtype) =>
      HEADERS.flatMap((headerBytes): RawSuggestion[] => {
        const each = sig[0] * sig[1] * Number(/\d+/.exec(dtype)![0]) / 8;
        const frames = (bytes - headerBytes) / each;
        if (!Number.isInteger(frames) || frames < 1) return [];
        const scan = shapes.find((one) => one !== sig && one[0] * one[1] === frames);
        return [{ sig, dtype, headerBytes, frames, ...(scan ? { scan } : {}) }];
      })
    )
  );
}

/** How odd a scan of so many positions is. */
function cost(frames: number): number {
  if (frames === 1) return 20;
  const [rows, columns] = suggestScans(frames, 1)[0] ?? [1, frames];
  return rows === columns ? 0 : columns <= 4 * rows ? 4 : 12;
}

/**
 * Shapes of a scan with `images` images, the likely ones first: squares, then sides that are near each other; also those with one
 * row or column less, whose last images are a flyback.
 */
export function suggestScans(images: number, most: number = 5): [number, number][] {
  if (!Number.isSafeInteger(images) || images < 1) return [];
  const root = Math.floor(Math.sqrt(images));
  const shapes: [number, number][] = [];
  for (let rows = root; rows >= 1 && shapes.length < most; rows--) {
    if (images % rows !== 0) continue;
    const columns = images / rows;
    if (rows > 1 || shapes.length === 0) shapes.push([rows, columns]);
    if (rows !== columns && rows > 1) shapes.push([columns, rows]);
  }
  const isNear = root > 1 && images - root * root <= 2 * root && images !== root * root;
  const square: [number, number][] = isNear ? [[root, root]] : [];
  const [first, ...others] = shapes;
  const isGood = first !== undefined && first[1] <= 4 * first[0];
  return (isGood ? [first, ...square, ...others] : [...square, ...shapes]).slice(0, most);
}

/** A scan as it would look: one number per image in places of the scan. */
export interface ScanPreview {
  readonly rows: number;
  readonly columns: number;
  /** One number per position; NaN where there is no image. */
  readonly values: Float64Array;
}

/**
 * The image of a scan from one number per image, for any shape and sync offset, without reading anything: position `n` shows
 * image `n + syncOffset`.
 */
export function previewScan(
  perImage: ArrayLike<number>,
  [rows, columns]: readonly [number, number],
  syncOffset: number,
): ScanPreview {
  const values = new Float64Array(rows * columns).fill(NaN);
  for (let n = 0; n < values.length; n++) {
    const value = perImage[n + syncOffset];
    if (value !== undefined) values[n] = value;
  }
  return { rows, columns, values };
}
