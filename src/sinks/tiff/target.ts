/**
 * How tiled TIFF files and OME-TIFF pyramids are laid out.
 *
 * @module
 */

import type { EncoderStep } from "../../codecs/encoders/encoder.ts";
import { TilewiseError } from "../../errors.ts";
import type { OptionNames } from "../../options.ts";
import { either, must, truth } from "../../options/rules.ts";
import type { AxisFacts } from "../../space/axes.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import {
  type ChosenCodec,
  CHUNK_SINK_OPTIONS,
  type ChunkSinkOptions,
  pyramidOf,
  samplesOf,
} from "../chunks/chunk_options.ts";
import type { ArrayToStore } from "../chunks/file.ts";
import type { ChunkTarget } from "../chunks/target.ts";
import { omeXml } from "./description.ts";
import { shapeText } from "./page.ts";
import { type PageFacts, Pages } from "./pages.ts";

/**
 * Options of {@link fileSink} for TIFF.
 * @category Views
 */
export interface TiffOptions extends ChunkSinkOptions {
  /** Rows and columns of a tile, multiples of 16; one number for both. Default 256, or fewer if images are smaller. */
  readonly tile?: number | readonly [rows: number, columns: number];
  /** Whether differences of neighbours are compressed. Default true; with `none` and `packbits` it has no effect. */
  readonly predictor?: boolean;
  /** Whether to write BigTIFF. Default: if the file could be larger than 4 GiB. */
  readonly big?: boolean;
}

const isSide = (value: unknown) =>
  Number.isSafeInteger(value) && value as number > 0 && value as number % 16 === 0;

/** Their rules. */
export const TIFF_OPTIONS: OptionNames<TiffOptions> = {
  ...CHUNK_SINK_OPTIONS,
  tile: either(
    "a multiple of 16, or two of them, such as [256, 512]",
    must<number>("", isSide),
    must<readonly [number, number]>(
      "",
      (value) => Array.isArray(value) && value.length === 2 && value.every(isSide),
    ),
  ),
  predictor: truth,
  big: truth,
};

/** Compressions: their numbers in TIFF, the encoder, and whether predictors help. */
const COMPRESSIONS: Readonly<Record<string, readonly [number: number, encoder: string, predicts: boolean]>> =
  {
    none: [1, "", false],
    deflate: [8, "deflate", true],
    zstd: [50000, "Zstandard", true],
    lzw: [5, "lzw", true],
    packbits: [32773, "packbits", false],
  };

/** Names of compressions. */
export const TIFF_COMPRESSIONS: readonly string[] = Object.keys(COMPRESSIONS);

/** Samples per tile of an array, with the asked rows and columns or the usual ones. */
export function tileOf(
  shape: Shape,
  axes: readonly AxisFacts[] | undefined,
  asked: readonly [rows: number, columns: number] | undefined,
): Shape {
  if (shape.length < 2) {
    const text = `Cannot write ${
      showShape(shape)
    } samples as TIFF: it has images, of two dimensions; .npy takes any`;
    throw new TilewiseError("unsupported", text, { expected: 2, found: shape.length });
  }
  const samples = samplesOf(shape, axes);
  const inner = [...asked ?? usualTile(shape, samples), ...(samples > 1 ? [samples] : [])];
  return [...shape.slice(0, -inner.length).map(() => 1), ...inner];
}

/** Rows and columns of a tile by default, at most. */
const SIDE = 256;

/** The tile unless the user says something else: no larger than an image, as all tiles are stored whole. */
function usualTile(shape: Shape, samples: number): readonly [number, number] {
  const [rows = 1, columns = 1] = shape.slice(0, samples > 1 ? -1 : undefined).slice(-2);
  const side = (n: number) => Math.max(16, Math.min(SIDE, 16 * Math.ceil(n / 16)));
  return [side(rows), side(columns)];
}

/** How a file is made. */
interface TiffWay {
  readonly isOme: boolean;
  readonly codec: ChosenCodec;
}

/** The file of a result. */
export function tiffTarget(
  array: ArrayToStore,
  options: TiffOptions,
  { isOme, codec }: TiffWay,
): ChunkTarget {
  const { shape, dtype, chunk, stem: name } = array;
  if (sizeOf(shape) === 0) throw noPixels(shape);
  const { levels, axes, values, samples, reduction } = pyramidOf(array, options, options.levels ?? 1);
  const [rows = 1, columns = 1] = chunk.slice(samples > 1 ? -3 : -2), tile = [rows, columns] as const;
  const descriptions = isOme
    ? [omeXml({ shape, dtype, samples, axes, values, name })]
    : levels.map(({ shape }) => shapeText(shape));
  const [compression, encoder, predicts] = COMPRESSIONS[codec.name]!;
  const predictor = predicts && (options.predictor ?? true) ? predictorOf(dtype) : 1;
  const facts: PageFacts = { levels, tile, samples, dtype, compression, predictor, descriptions };
  const pages = new Pages(facts, options.big ?? couldBeBig(new Pages(facts, false), chunk, dtype));
  return {
    kind: "file",
    chunk,
    levels,
    reduction,
    steps: stepsOf(encoder, codec.level, predictor, { dtype, columns, samples }),
    sparse: false,
    isPlain: encoder === "",
    head: pages.head,
    facts: { compression, predictor, descriptions, head: pages.head },
    places: () => pages.places(),
    around: (_file, filled) => pages.around(filled),
    documents: () => [],
  };
}

function noPixels(shape: Shape): TilewiseError {
  const text = `Cannot write ${showShape(shape)} samples as TIFF: images have at least one pixel`;
  return new TilewiseError("unsupported", text, { found: showShape(shape) });
}

/** 2: differences of whole numbers; 3: of the bytes of floats. */
function predictorOf(dtype: DType): number {
  const { kind } = dtypeInfo(dtype);
  return kind === "c" ? 1 : kind === "f" ? 3 : 2;
}

/** Most bytes per byte that a compression makes: LZW has codes of up to 12 bits. */
const MOST_GROWTH = 1.5;

/** Whether 32 bits may be too few for positions. */
function couldBeBig(pages: Pages, chunk: Shape, dtype: DType): boolean {
  const tile = sizeOf([...chunk, dtypeInfo(dtype).itemSize]) * MOST_GROWTH + 64;
  return pages.head + pages.tiles * tile > 2 ** 32 - 1;
}

function stepsOf(
  encoder: string,
  level: number,
  predictor: number,
  { dtype, columns, samples }: { readonly dtype: DType; readonly columns: number; readonly samples: number },
): EncoderStep[] {
  const { itemSize } = dtypeInfo(dtype);
  const values = encoder === "packbits" ? [columns * samples * itemSize] : [level];
  return [
    ...(predictor > 1 ? [{ name: `predictor-${predictor}`, values: [itemSize, 0, columns, samples] }] : []),
    ...(encoder === "" ? [] : [{ name: encoder, values }]),
  ];
}
