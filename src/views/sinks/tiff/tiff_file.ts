/**
 * Sinks that write tiled TIFF files: plain ones, and OME-TIFF pyramids.
 *
 * @module
 */

import type { EncoderStep } from "../../../codecs/encoders/encoder.ts";
import { TilewiseError } from "../../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../../options.ts";
import { either, must, text, truth } from "../../../options/rules.ts";
import { type DType, dtypeInfo } from "../../../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../../../space/shape.ts";
import type { ArrayFacts } from "../../array.ts";
import type { MapPlan } from "../../map/facts.ts";
import type { ChunkSink } from "../../map/sink.ts";
import {
  axesOf,
  type ChosenCodec,
  CHUNK_SINK_OPTIONS,
  type ChunkSinkOptions,
  codecOf,
  halvedDimensions,
  samplesOf,
} from "../chunks/chunk_options.ts";
import { levelsOf } from "../chunks/levels.ts";
import type { PartsSink } from "../chunks/parts.ts";
import { reductionFor } from "../chunks/reduce.ts";
import { storePlan } from "../chunks/store.ts";
import type { ChunkTarget } from "../chunks/target.ts";
import { tilesOfChunks } from "../chunks/tiles.ts";
import { omeXml, shapeText } from "./description.ts";
import { type PageFacts, Pages } from "./pages.ts";

/**
 * Options of {@link tiffFile} and {@link omeTiffFile}.
 * @category Views
 */
export interface TiffOptions extends ChunkSinkOptions {
  /** Rows and columns of a tile, multiples of 16; one number for both. Default 256, or fewer if images are smaller. */
  readonly tile?: number | readonly [rows: number, columns: number];
  /**
   * `none`, `deflate`, `zstd`, `lzw` or `packbits`; `deflate` and `zstd` with a level behind a colon, such as `deflate:9`.
   * Default `deflate`.
   */
  readonly compression?: string;
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
    must("", isSide),
    must("", (value) => Array.isArray(value) && value.length === 2 && value.every(isSide)),
  ),
  compression: text,
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

/**
 * A tiled TIFF file at `path`, for the result of {@link mapViews}: one page per image of the last two dimensions, with the
 * sample type of the result, and BigTIFF if it could be larger than 4 GiB. With `levels` each page has smaller versions as
 * sub-directories. A last dimension of 2 to 4, named `s`, `c` or `sample`, holds the samples of a pixel.
 *
 * Tiles are computed and compressed by workers. The bytes of the file do not depend on the number of workers. The file
 * appears when it is complete and replaces an older file of that name; if the run fails, the older file is not changed.
 *
 * Errors: `invalid` for a file that is being read, `unsupported` for arrays of less than two dimensions, and errors of
 * writing.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { boxMean, mapViews, tiffFile } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: new Uint8Array(1200).fill(7), shape: [30, 40] });
 * const folder = await Deno.makeTempDir();
 * await using context = createContext({ workers: 0 });
 * await mapViews(image, boxMean(), { sink: tiffFile(`${folder}/mean.tif`, { tile: 16, levels: 2 }), context });
 * const start = await Deno.readFile(`${folder}/mean.tif`);
 * assertEquals([...start.subarray(0, 4)], [0x49, 0x49, 42, 0]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Views
 */
export function tiffFile(path: string, options: TiffOptions = {}): ChunkSink {
  return tiffSink("tiffFile()", path, { levels: 1, ...options }, false);
}

/**
 * An OME-TIFF file at `path`: as {@link tiffFile}, with OME-XML that says what the dimensions are and how large pixels are.
 * By default it is a pyramid with as many levels as needed until one fits into a tile.
 *
 * It takes two to five dimensions; those before the last two are time, channel and depth.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { localMaximum, mapViews, omeTiffFile } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: new Uint16Array(60 * 90), shape: [60, 90] });
 * const folder = await Deno.makeTempDir();
 * await using context = createContext({ workers: 0 });
 * await mapViews(image, localMaximum(), { sink: omeTiffFile(`${folder}/max.ome.tif`, { tile: 32 }), context });
 * const text = new TextDecoder().decode(await Deno.readFile(`${folder}/max.ome.tif`));
 * assertEquals(text.includes('DimensionOrder="XYZCT" Type="uint16" SizeX="90"'), true);
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Views
 */
export function omeTiffFile(path: string, options: TiffOptions = {}): ChunkSink {
  return tiffSink("omeTiffFile()", path, { levels: "auto", ...options }, true);
}

function tiffSink(call: string, path: string, options: TiffOptions, isOme: boolean): ChunkSink {
  text(call, "path", path);
  checkOptionNames(call, options, TIFF_OPTIONS);
  const { tile: given, resume = false, axes } = options;
  const codec = codecOf(call, "compression", options.compression ?? "deflate", Object.keys(COMPRESSIONS));
  const asked = typeof given === "number" ? [given, given] as const : given;
  const tile = ({ shape, axes: own }: ArrayFacts) => {
    const samples = samplesOf(shape, axes ?? own);
    return chunkOf(shape, samples, asked ?? usualTile(shape, samples));
  };
  const place = { path, resume };
  const sink: PartsSink = {
    takes: "tiles",
    tile,
    tiles: (facts, room) => tilesOfChunks({ ...facts, chunk: tile(facts) }, room),
    target: (plan) => tiffTarget(plan, options, { path, isOme, codec, asked }),
    async store(plan, settings, earlier) {
      await storePlan(plan, settings, sink.target(plan), earlier ? { ...place, earlier } : place);
    },
  };
  return sink;
}

/** Rows and columns of a tile by default, at most. */
const SIDE = 256;

/** The tile unless the user says something else: no larger than an image, as all tiles are stored whole. */
function usualTile(shape: Shape, samples: number): readonly [number, number] {
  const [rows = 1, columns = 1] = shape.slice(0, samples > 1 ? -1 : undefined).slice(-2);
  const side = (n: number) => Math.max(16, Math.min(SIDE, 16 * Math.ceil(n / 16)));
  return [side(rows), side(columns)];
}

function chunkOf(shape: Shape, samples: number, [rows, columns]: readonly [number, number]): Shape {
  if (shape.length < 2) {
    const text = `Cannot write ${
      showShape(shape)
    } samples as TIFF: it has images, of two dimensions; .npy takes any`;
    throw new TilewiseError("unsupported", text, { expected: 2, found: shape.length });
  }
  const inner = samples > 1 ? [rows, columns, samples] : [rows, columns];
  return [...shape.slice(0, -inner.length).map(() => 1), ...inner];
}

/** How a file is made. */
interface TiffPlan {
  readonly path: string;
  readonly isOme: boolean;
  readonly codec: ChosenCodec;
  /** Rows and columns of a tile, where they were asked for. */
  readonly asked: readonly [number, number] | undefined;
}

function tiffTarget(
  plan: MapPlan,
  options: TiffOptions,
  { path, isOme, codec, asked }: TiffPlan,
): ChunkTarget {
  const { shape, dtype, values } = plan;
  const { levels: count = 1 } = options;
  const reduction = reductionFor(options.reduce, options.values ?? values, dtype);
  const axes = axesOf(options.axes, plan);
  const samples = samplesOf(shape, axes);
  const tile = asked ?? usualTile(shape, samples);
  const chunk = chunkOf(shape, samples, tile);
  if (sizeOf(shape) === 0) throw noPixels(shape);
  const levels = levelsOf(shape, chunk, halvedDimensions(shape, samples), count);
  const name = path.replace(/^.*[/\\]/, "").replace(/(\.ome)?\.tiff?$/i, "");
  const descriptions = isOme
    ? [omeXml({ shape, dtype, samples, axes, name })]
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
    steps: stepsOf(encoder, codec.level, predictor, { dtype, columns: tile[1], samples }),
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
