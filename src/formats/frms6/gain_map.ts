/**
 * Gain maps that a user names when opening FRMS6 data: MATLAB files with the variable `GainMap`, or tables as text.
 *
 * A matrix of MATLAB is the map as it is, rows are rows of the frame. A table is transposed: each of its lines is a column
 * of the frame, with semicolons between the numbers.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { type FrameLayout, frameLayout } from "../../dataset/layout/layout.ts";
import { readImage } from "../../dataset/supplied.ts";
import { TilewiseError } from "../../errors.ts";
import { BytesSource } from "../../io/source/bytes.ts";
import { openSource } from "../../io/open.ts";
import { type ByteSource, readBytes, type SourceSpec } from "../../io/source/source.ts";
import { unlessChanged } from "../../io/unchanged.ts";
import { type Shape, showShape } from "../../space/shape.ts";
import { asArray, layoutOf } from "../hdf5/arrays/arrays.ts";
import { Hdf5File } from "../hdf5/metadata/file.ts";
import { walkFile } from "../hdf5/metadata/objects.ts";
import { isMat5, type Matrix, matrixOf } from "../common/matlab.ts";
import type { OpenOptions } from "../common/options.ts";

/** Name of the variable. */
const NAME = "GainMap";
/** Most bytes of the file. */
const MOST_BYTES = 2 ** 28;

/** A gain map: its samples in memory, and a description. */
export interface GainMap {
  /** Its one image. */
  readonly layout: FrameLayout;
  /** Where it comes from. */
  readonly why: string;
  /** The file that it was read from. */
  readonly source: SourceSpec;
}

/**
 * The map that the option `gainMap` names, for frames of the shape `native`, shown as `sigShape`; nothing without the
 * option. Errors: `invalid` where it does not fit the frames, `malformed`, `truncated`, `not-found`, `unsupported`.
 */
export async function gainMapOf(
  { gainMap, http, signal }: OpenOptions,
  native: Shape,
  sigShape: Shape,
): Promise<GainMap | undefined> {
  if (gainMap === undefined) return undefined;
  await using source = await openSource(gainMap, defined({ http, signal }));
  const { rows, columns, data } = await matrixIn(source, signal);
  if (rows !== native[0] || columns !== native[1]) throw misfit(source.name, [rows, columns], native);
  const bytes = new BytesSource(littleEndian(data), source.name);
  const why = `gain map: ${source.name}`;
  return {
    why,
    source: source.describe(),
    layout: frameLayout({
      files: [{ source: bytes.describe(), start: 0, end: 1, headerBytes: 0 }],
      sigShape,
      dtype: "float64",
    }),
  };
}

/** The matrix, of a file that is still the same when all of it has been read. */
async function matrixIn(source: ByteSource, signal: AbortSignal | undefined): Promise<Matrix> {
  try {
    const matrix = await readMatrix(source, signal);
    source.recheck?.();
    return matrix;
  } catch (error) {
    throw unlessChanged(error, () => source.recheck?.());
  }
}

async function readMatrix(source: ByteSource, signal: AbortSignal | undefined): Promise<Matrix> {
  if (source.size > MOST_BYTES) {
    const text =
      `Cannot read ${source.name} as gain map: it has ${source.size} bytes, ${MOST_BYTES} is the most`;
    throw new TilewiseError("unsupported", text, {
      file: source.name,
      expected: MOST_BYTES,
      found: source.size,
    });
  }
  const head = await readBytes(source, 0, Math.min(source.size, 4096), signal);
  if (Hdf5File.hasSignature(head)) return await hdf5Matrix(source, signal);
  const bytes = await readBytes(source, 0, source.size, signal);
  if (isMat5(head)) return await matrixOf(bytes, NAME, source.name);
  return tableOf(new TextDecoder().decode(bytes), source.name);
}

/** A matrix of MATLAB 7.3; its columns are the rows of the array in the file. */
async function hdf5Matrix(source: ByteSource, signal: AbortSignal | undefined): Promise<Matrix> {
  const file = await Hdf5File.open(source, signal);
  file.checkEnd();
  const { datasets } = await walkFile(file, () => Promise.resolve(undefined));
  const found = datasets.find(({ path }) => path === `/${NAME}`);
  const array = found && asArray(found);
  if (array?.shape.length !== 2) {
    const known = datasets.map(({ path }) => path).slice(0, 20).join(", ") || "nothing";
    const text = `There is no matrix /${NAME} in ${source.name}; it has ${known}`;
    throw new TilewiseError("not-found", text, { file: source.name });
  }
  const stored = await readImage(await layoutOf(array, 2), signal);
  const [columns, rows] = array.shape as [number, number];
  const data = new Float64Array(rows * columns);
  for (let i = 0; i < data.length; i++) {
    data[(i % rows) * columns + Math.floor(i / rows)] = Number(stored.data[i]);
  }
  return { rows, columns, data };
}

/** A table with a line for each column of the map. */
function tableOf(text: string, file: string): Matrix {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n?|\n/);
  if (text.includes("\0")) {
    const problem =
      `Cannot read ${file} as gain map: it is neither a text nor a MATLAB file of version 5 or 7.3`;
    throw new TilewiseError("unsupported", problem, { file });
  }
  const table = lines.map((line, n) => numbersOf(line, n, file));
  while (table.at(-1)?.length === 0) table.pop();
  const rows = table[0]?.length ?? 0;
  const odd = table.findIndex(({ length }) => length !== rows || length === 0);
  if (rows === 0 || odd >= 0) {
    const problem = rows === 0
      ? "it begins neither as MATLAB files do, nor with a line of numbers with semicolons between them"
      : `line ${odd + 1} has ${table[odd]!.length} numbers, the first one ${rows}`;
    throw new TilewiseError("malformed", `Cannot read ${file} as gain map: ${problem}`, { file });
  }
  const columns = table.length;
  const data = Float64Array.from(
    { length: rows * columns },
    (_, i) => table[i % columns]![Math.floor(i / columns)]!,
  );
  return { rows, columns, data };
}

/** The numbers of a line. Empty fields are left out; a comma may stand for the point. */
function numbersOf(line: string, n: number, file: string): number[] {
  const fields = line.split(";").map((field) => field.trim().replace(/^"(.*)"$/, "$1")).filter((field) =>
    field !== ""
  );
  return fields.map((field) => {
    const plain = /^[^.,]*,[^.,]*$/.test(field) ? field.replace(",", ".") : field;
    if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return Number(plain);
    const shown = field.length > 40 ? `${field.slice(0, 40)}…` : field;
    const text =
      `Cannot read ${file} as gain map: line ${n + 1} has ${JSON.stringify(shown)}; a MATLAB file with ` +
      `use ${NAME}, or numbers with semicolons between them`;
    throw new TilewiseError("malformed", text, { file, line: n + 1, found: shown });
  });
}

function misfit(file: string, found: Shape, native: Shape): TilewiseError {
  const turned = found[0] === native[1] && found[1] === native[0]
    ? "; it would fit the other way round: lines of a table are columns of the frame, rows of a matrix are rows"
    : "";
  const text = `Cannot use ${file} as gain map: it is ${showShape(found)}, frames are ${
    showShape(native)
  }${turned}`;
  return new TilewiseError("invalid", text, {
    file,
    option: "gainMap",
    expected: showShape(native),
    found: showShape(found),
  });
}

function littleEndian(values: Float64Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * values.length));
  values.forEach((value, i) => view.setFloat64(8 * i, value, true));
  return new Uint8Array(view.buffer);
}
