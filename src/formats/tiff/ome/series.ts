/**
 * The series of an OME-TIFF: for each image of its description, where all planes lie, also in other files of the set.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { known } from "../../../dataset/facts.ts";
import type { SaidAxis } from "../../../dataset/said_axes.ts";
import { isTilewiseError, throwIfAborted, TilewiseError } from "../../../errors.ts";
import { type ByteSource, readUpTo, type SourceSpec } from "../../../io/source/source.ts";
import { sampleOf } from "../../../space/meaning/axes.ts";
import { checkedProduct } from "../../../space/shape.ts";
import { PROBE_BYTES } from "../../common/format.ts";
import { coordinatesOf } from "../../common/coordinates.ts";
import type { OpenOptions } from "../../common/options.ts";
import {
  DIMENSIONS,
  type MemberFacts,
  type Series,
  type SeriesPlane,
  type TiffImage,
} from "../series/members.ts";
import { descriptionOf, readImages, type TiffFile } from "../series/images.ts";
import { type Ome, type OmeImage, type OmeTiffData, readOme, wholeOf } from "./model.ts";

// Facts of OME-XML in the common form: axes, instrument, channels, positions.

/** The facts of `image`, whose dimensions are `dims`; there is one sample along those that are `fixed`. */
function omeFacts(
  ome: Ome,
  image: OmeImage,
  [dims, fixed]: readonly [dims: string, fixed: readonly string[]],
  warnings: readonly string[],
): MemberFacts {
  const objective = ome.objectives.get(image.objective) ?? [...ome.objectives.values()][0];
  const exposure = image.planes.map(({ facts }) => secondsOf(facts.ExposureTime, facts.ExposureTimeUnit))
    .find((one) => one !== undefined);
  const magnification = Number(objective?.get("NominalMagnification") ?? NaN);
  return {
    axes: [...dims].map((dim) => axisOf(image, dim)),
    of: fixed.map((dim) => sampleOf(axisOf(image, dim), 0)),
    instrument: known({
      magnification,
      exposure,
      acquired: image.acquired,
      detector: ome.detector,
    }),
    metadata: {
      metadata: "OME-XML",
      ...(image.name ? { name: image.name } : {}),
      ...defined({ significantBits: image.pixels.get("SignificantBits") }),
      ...channelFacts(image),
      ...positions(image),
    },
    warnings: [...warnings, ...ome.modulo],
  };
}

function axisOf(image: OmeImage, dim: string): SaidAxis {
  const { pixels, channels } = image;
  const axis = DIMENSIONS[dim]!;
  if (dim === "C") return { ...axis, names: channels.map(({ name = "" }) => name) };
  const [key, usual] = dim === "T" ? ["TimeIncrement", "s"] : [`PhysicalSize${dim}`, "µm"];
  const unit = pixels.get(`${key}Unit`) ?? usual, scale = pixels.get(key), places = placesOf(image, dim);
  const step = scale === undefined
    ? places && { ...coordinatesOf(places.values, { units: places.unit }), isRising: false }
    : { scale: Number(scale), unit, ...defined({ told: places && otherTimes(places, Number(scale), unit) }) };
  const size = wholeOf(pixels.get(`Size${dim}`), 0);
  return { ...axis, ...step, ...((dim === "Y" || dim === "X") && size > 0 ? { size } : {}) };
}

/** Places of planes. */
interface Places {
  readonly values: readonly number[];
  readonly unit: string;
}

/** What the first planes along time or z say of their places, where all of them do. */
function placesOf({ pixels, planes }: OmeImage, dim: string): Places | undefined {
  const key = dim === "T" ? "DeltaT" : "PositionZ", at = dim.toLowerCase() as "z" | "t";
  if (dim !== "T" && dim !== "Z") return undefined;
  const places = new Array<number>(wholeOf(pixels.get(`Size${dim}`), 1)).fill(NaN);
  for (const { facts, [at]: n } of planes) {
    if (Number.isNaN(places[n])) places[n] = Number(facts[key] ?? NaN);
  }
  if (!places.every(Number.isFinite) || new Set(places).size < 2) return undefined;
  const usual = dim === "T" ? "s" : "reference frame";
  return { values: places, unit: planes[0]!.facts[`${key}Unit`] ?? usual };
}

/** Tells that planes were taken at other times than steps of `scale` say, by more than half a step. */
function otherTimes({ values, unit }: Places, scale: number, ofScale: string): string | undefined {
  const step = scale * (SECONDS[ofScale] ?? NaN), each = SECONDS[unit] ?? NaN;
  const isOther = values.some((value, n) => Math.abs((value - values[0]!) * each - n * step) > step / 2);
  return isOther
    ? `steps of ${scale} ${ofScale}, but planes at other times (DeltaT), which are not used`
    : undefined;
}

/** Units of time in seconds. */
const SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  ms: 1e-3,
  µs: 1e-6,
  us: 1e-6,
  ns: 1e-9,
  min: 60,
  h: 3600,
};

function secondsOf(value: string | undefined, unit: string = "s"): number | undefined {
  const seconds = value === undefined ? NaN : Number(value) * (SECONDS[unit] ?? NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

function channelFacts({ channels }: OmeImage): Record<string, unknown> {
  if (channels.every(({ name, facts }) => name === undefined && Object.keys(facts).length === 0)) return {};
  return { channels: channels.map(({ name, facts }) => ({ ...(name ? { name } : {}), ...facts })) };
}

/** The position of the stage for the first plane, and for the others where they differ. */
function positions({ planes }: OmeImage): Record<string, unknown> {
  const found = planes.filter(({ facts }) => facts.PositionX !== undefined || facts.PositionZ !== undefined)
    .map(({ z, c, t, facts }) => ({
      z,
      c,
      t,
      ...Object.fromEntries(Object.entries(facts).filter(([name]) => name.startsWith("Position"))),
    }));
  return found.length === 0 ? {} : { positions: found };
}

/** Opens a file that the description names. */
type OpenBeside = (path: string) => Promise<ByteSource>;

/** Most bytes of a description in a file of its own. */
export const MOST_XML: number = 64 * 2 ** 20;
/** Most planes of a series. */
const MOST_PLANES = 2 ** 22;

/** The series that the description of `file` tells. Errors: `malformed`, `unsupported`. */
export async function omeSeries(
  file: TiffFile,
  description: string,
  openBeside: OpenBeside,
  options: OpenOptions,
): Promise<Series[]> {
  const set = new FileSet(file, openBeside, options);
  const own = readOme(description);
  const ome = await described(own, set);
  const series: Series[] = [];
  for (const [i, image] of ome.images.entries()) {
    const one = await seriesOf(ome, image, `series${i}`, set, ome === own ? own.uuid : "");
    if (one) series.push(one);
  }
  return series;
}

/** The description itself, or that of the file which it names. */
async function described(ome: Ome, set: FileSet): Promise<Ome> {
  if (ome.images.length > 0 || ome.metadataFile === undefined) return ome;
  const text = await set.textOf(ome.metadataFile);
  if (text !== undefined) return readOme(text);
  return ome;
}

/** The files of a set, each opened once. */
class FileSet {
  readonly sources: SourceSpec[];
  readonly #files = new Map<string, Promise<number | undefined>>();
  readonly #pages: ReadonlyMap<number, TiffImage>[];
  /** Names of files that are not there. */
  readonly missing = new Set<string>();

  constructor(
    private readonly main: TiffFile,
    private readonly openBeside: OpenBeside,
    private readonly options: OpenOptions,
  ) {
    this.sources = [main.bytes.source.describe()];
    this.#pages = [pagesOf(main)];
    this.#files.set(baseName(main.bytes.name), Promise.resolve(0));
  }

  /** Name of the file that was opened. */
  get name(): string {
    return this.main.bytes.name;
  }

  /** Page number `page` of the file `name`. */
  async page(name: string | undefined, page: number): Promise<SeriesPlane | undefined> {
    const number = name === undefined ? 0 : await this.#number(name);
    const image = number === undefined ? undefined : this.#pages[number]!.get(page);
    return image && { image, file: number! };
  }

  /** The description in another file: XML, or a TIFF with such a description. */
  async textOf(name: string): Promise<string | undefined> {
    const source = await this.#open(name);
    if (!source) return undefined;
    const head = await readUpTo(source, 0, PROBE_BYTES, this.options.signal);
    if (head[0] === 0x3c || head[0] === 0xef) {
      return new TextDecoder().decode(await readUpTo(source, 0, MOST_XML, this.options.signal));
    }
    const { images } = await readImages(source, head, this.options.signal);
    return images[0] && await descriptionOf(images[0].directory);
  }

  #number(name: string): Promise<number | undefined> {
    const base = baseName(name);
    const known = this.#files.get(base);
    if (known) return known;
    const found = this.#add(name);
    this.#files.set(base, found);
    return found;
  }

  async #add(name: string): Promise<number | undefined> {
    const source = await this.#open(name);
    if (!source) return undefined;
    const head = await readUpTo(source, 0, PROBE_BYTES, this.options.signal);
    const file = await readImages(source, head, this.options.signal);
    this.sources.push(source.describe());
    this.#pages.push(pagesOf(file));
    return this.sources.length - 1;
  }

  async #open(name: string): Promise<ByteSource | undefined> {
    throwIfAborted(this.options.signal);
    try {
      return await this.openBeside(name);
    } catch (error) {
      if (!["not-found", "invalid", "permission"].some((code) => isTilewiseError(error, code as "invalid"))) {
        throw error;
      }
      this.missing.add(name);
      return undefined;
    }
  }
}

/** The images of the chain by their numbers. */
function pagesOf({ images }: TiffFile): Map<number, TiffImage> {
  return new Map(images.filter(({ isPage }) => isPage).map((image) => [image.page, image]));
}

function baseName(name: string): string {
  return name.replace(/[?#].*$/, "").replace(/^.*[/\\]/, "");
}

/** Sizes of an image along its dimensions, of which the first letter is the slowest. */
interface Dims {
  readonly order: readonly ("Z" | "C" | "T")[];
  readonly size: Readonly<Record<"Z" | "C" | "T", number>>;
}

async function seriesOf(
  ome: Ome,
  image: OmeImage,
  name: string,
  set: FileSet,
  uuid: string,
): Promise<Series | undefined> {
  const told = image.channels[0]?.samples ?? 1;
  const first = await placed(image, told, name, set, uuid);
  const samples = first.there?.facts.samples ?? told;
  // the page is right: writers count the samples of a pixel as channels, or call pages samples
  const isOther = samples !== told && sizeC(image) % samples === 0;
  const { dims, planes, there } = isOther ? await placed(image, samples, name, set, uuid) : first;
  if (!there) return undefined;
  const shape = dims.order.map((dim) => dims.size[dim]);
  const isWide = shape.map((n) => n > 1);
  const letters = dims.order.filter((_, d) => isWide[d]).join("");
  const missing = planes.filter((plane) => !plane).length;
  const used = usedFiles(planes, set.sources);
  const inImage = there.facts.samples > 1 ? "YXS" : "YX";
  return {
    name,
    navShape: shape.filter((_, d) => isWide[d]),
    planes: used.planes,
    sources: used.sources,
    facts: omeFacts(
      ome,
      image,
      [`${letters}${inImage}`, dims.order.filter((_, d) => !isWide[d])],
      missing === 0 ? [] : [missingText(name, missing, planes.length, set)],
    ),
  };
}

/** The planes of an image whose pages have `samples` samples per pixel, and the first page that is there. */
async function placed(image: OmeImage, samples: number, name: string, set: FileSet, uuid: string) {
  const dims = dimsOf(image, samples);
  const shape = dims.order.map((dim) => dims.size[dim]);
  const count = checkedProduct(shape, `the series ${name} of ${set.name}`);
  if (count > MOST_PLANES) throw tooMany(set.name, name, count);
  const planes = await planesOf(image, dims, count, set, uuid);
  return { dims, planes, there: planes.find((plane) => plane)?.image };
}

/** Channels of an image, samples of a pixel included. */
function sizeC({ pixels }: OmeImage): number {
  return Math.max(1, wholeOf(pixels.get("SizeC"), 1));
}

function missingText(name: string, missing: number, count: number, { missing: files }: FileSet): string {
  const names = [...files].slice(0, 8).map((one) => `"${one}"`).join(", ");
  const why = files.size > 0 ? `: ${files.size} files are not beside it, such as ${names}` : "";
  return `${missing} of the ${count} planes of ${name} are not there${why}; they are marked as invalid`;
}

function tooMany(file: string, name: string, found: number): TilewiseError {
  const text = `Cannot read ${name} of ${file}: it has ${found} planes; ${MOST_PLANES} is the most`;
  return new TilewiseError("unsupported", text, { file, expected: MOST_PLANES, found });
}

function dimsOf(image: OmeImage, samples: number): Dims {
  const { pixels } = image;
  const asked = (pixels.get("DimensionOrder") ?? "XYZCT").slice(2);
  const order = [...new Set(`${asked}ZCT`)].filter((dim) => "ZCT".includes(dim))
    .reverse() as ("Z" | "C" | "T")[];
  const size = (dim: string) => Math.max(1, wholeOf(pixels.get(`Size${dim}`), 1));
  const channels = sizeC(image);
  const inC = samples > 1 && channels % samples === 0 ? channels / samples : channels;
  return { order, size: { Z: size("Z"), C: inC, T: size("T") } };
}

/** The planes in row-major order; `undefined` where none is told, or its file is missing. */
async function planesOf(
  { data }: OmeImage,
  { order, size }: Dims,
  count: number,
  set: FileSet,
  uuid: string,
): Promise<(SeriesPlane | undefined)[]> {
  const planes: (SeriesPlane | undefined)[] = Array.from({ length: count }, () => undefined);
  const all: readonly OmeTiffData[] = data.length > 0 ? data : [{ ifd: 0, first: { Z: 0, C: 0, T: 0 } }];
  for (const { ifd, first, count: own = count, file: named, uuid: of = "" } of all) {
    const file = of !== "" && of === uuid ? undefined : named; // it may have another name now
    const start = order.reduce((flat, dim) => flat * size[dim] + Math.min(first[dim], size[dim] - 1), 0);
    for (let i = 0; i < own && start + i < count; i++) {
      const plane = await set.page(file, ifd + i);
      if (!plane && file === undefined) break; // behind the last page
      planes[start + i] ??= plane;
    }
  }
  return planes;
}

/** The planes with the numbers of the files that hold any. */
function usedFiles(
  planes: readonly (SeriesPlane | undefined)[],
  sources: readonly SourceSpec[],
): { planes: (SeriesPlane | undefined)[]; sources: SourceSpec[] } {
  const used = [...new Set(planes.flatMap((plane) => plane ? [plane.file] : []))].sort((a, b) => a - b);
  const number = new Map(used.map((file, i) => [file, i]));
  return {
    planes: planes.map((plane) => plane && { ...plane, file: number.get(plane.file)! }),
    sources: used.map((file) => sources[file]!),
  };
}
