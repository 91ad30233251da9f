/**
 * Ripple: a text file `.rpl` that describes a `.raw` file beside it.
 *
 * Lines are `key<tab>value`; `record-by image` means depth × height × width, `record-by vector` height × width × depth.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { frameBytes } from "../../dataset/layout/layout.ts";
import { axesThatFit } from "../../dataset/said_axes.ts";
import { TilewiseError } from "../../errors.ts";
import { fileDataset, splitShape } from "../common/arrange.ts";
import { completeFrames } from "../common/complete.ts";
import { besideAnyCase } from "../common/beside.ts";
import type { FormatInput } from "../common/format.ts";
import { splitOf } from "../common/kinds.ts";
import type { OpenOptions } from "../common/options.ts";
import { MOST_BYTES, parseFields } from "./format.ts";
import { stemOf } from "../../io/file/names.ts";
import { type ByteSource, readUpTo } from "../../io/source/source.ts";
import { type AxisFacts, type AxisKind, factsOf } from "../../space/axes.ts";
import { type ByteOrder, type DType, parseDType } from "../../space/dtype.ts";
import { kindOfUnit } from "../../space/meaning/said_kinds.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";

/** The array that a description names. */
export async function open(input: FormatInput, options: OpenOptions): Promise<StoredDataset[]> {
  return [await openRipple(input, options)];
}

async function openRipple(input: FormatInput, options: OpenOptions): Promise<StoredDataset> {
  const { name } = input;
  const bytes = await readUpTo(input.source, 0, MOST_BYTES, options.signal);
  const fields = parseFields(new TextDecoder("latin1").decode(bytes));
  const dtype = dtypeOf(fields, name);
  const { shape, keys, by } = shapeOf(fields, name);
  const { axes, warnings: problems } = axesThatFit(name, shape, rippleAxes(fields, keys, by));
  const [fileNav, fileSig] = splitShape(shape, splitOf(shape, axes, options, 2, frameOf(keys, by)).sig, name);
  const headerBytes = count(fields, "offset", name) ?? 0;
  const storedBytes = frameBytes(fileSig, dtype);
  const data = await dataOf(input);
  const promised = sizeOf(fileNav);
  const { images, warnings } = imagesIn(data, { promised, headerBytes, storedBytes }, options);
  return fileDataset(input, {
    images,
    navShape: images === promised ? fileNav : undefined,
    sigShape: fileSig,
    why: [`samples in ${data.name}`],
    layout: {
      files: [{ source: data.describe(), start: 0, end: images, headerBytes }],
      dtype,
      byteOrder: byteOrderOf(fields, name),
    },
    warnings: (given) => [...warnings, ...given.warnings, ...problems],
    axes,
    metadata: Object.fromEntries(fields),
  }, options);
}

function dtypeOf(fields: ReadonlyMap<string, string>, file: string): DType {
  const [length, type] = [count(fields, "data-length", file), fields.get("data-type")?.toLowerCase()];
  const kind = { signed: "i", unsigned: "u", float: "f" }[type ?? ""];
  const sizes = kind === "f" ? [4, 8] : [1, 2, 4, 8];
  if (kind && length && sizes.includes(length)) return parseDType(`<${kind}${length}`);
  throw wrong(
    file,
    "data-type",
    `${type} of ${length} bytes`,
    "signed, unsigned or float of 1, 2, 4 or 8 bytes",
  );
}

function byteOrderOf(fields: ReadonlyMap<string, string>, file: string): ByteOrder {
  const text = fields.get("byte-order")?.toLowerCase() ?? "dont-care";
  if (text === "dont-care" || text === "little-endian") return "little";
  if (text === "big-endian") return "big";
  throw wrong(file, "byte-order", text, "little-endian, big-endian or dont-care");
}

/** Sizes in the order of the file, and their keys; a missing size, or 0, means that there is no such dimension. */
function shapeOf(
  fields: ReadonlyMap<string, string>,
  file: string,
): { readonly shape: Shape; readonly keys: readonly string[]; readonly by: string } {
  const by = fields.get("record-by")?.toLowerCase() ?? "dont-care";
  if (!["image", "vector", "dont-care"].includes(by)) {
    throw wrong(file, "record-by", by, "image, vector or dont-care");
  }
  const all = by === "vector" ? ["height", "width", "depth"] : ["depth", "height", "width"];
  const keys = all.filter((key) => count(fields, key, file));
  const shape = keys.map((key) => count(fields, key, file)!);
  if (shape.length > 0) return { shape, keys, by };
  throw wrong(file, "width", fields.get("width") ?? "nothing", "a size from 1");
}

function count(fields: ReadonlyMap<string, string>, key: string, file: string): number | undefined {
  const text = fields.get(key);
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (Number.isSafeInteger(value)) return value;
  throw wrong(file, key, text, "a count");
}

/** The raw file: the one with the same name, `.raw` or else `.bin`, or the second one that was given. */
async function dataOf(input: FormatInput): Promise<ByteSource> {
  const stem = stemOf(input.name), wanted = `${stem}.raw`;
  const found = await besideAnyCase(input, wanted) ?? await besideAnyCase(input, `${stem}.bin`);
  if (found ?? input.given[1]) return (found ?? input.given[1])!;
  const text =
    `Cannot open ${input.name}: there is no ${wanted} or .bin beside it; open both as a list, header first`;
  throw new TilewiseError("not-found", text, { file: wanted });
}

/** Images in the raw file, and what the user should know of it. */
function imagesIn(
  { name, size }: ByteSource,
  { promised, headerBytes, storedBytes }: { promised: number; headerBytes: number; storedBytes: number },
  options: OpenOptions,
): { images: number; warnings: string[] } {
  const surplus = size - headerBytes - sizeOf([promised, storedBytes]);
  if (surplus > 0) {
    return { images: promised, warnings: [`${surplus} bytes at the end of ${name} are not described`] };
  }
  const file = { name, size, start: headerBytes, pitch: storedBytes, frames: promised };
  const { frames, warnings } = completeFrames(file, options);
  return { images: frames, warnings };
}

function wrong(file: string, key: string, found: string, expected: string): TilewiseError {
  return new TilewiseError("malformed", `Cannot read ${file}: ${key} is ${found}, expected ${expected}`, {
    file,
    key,
    expected,
    found,
  });
}

/** The axes of the dimensions `keys`, by the record kind `by`. */
function rippleAxes(
  fields: ReadonlyMap<string, string>,
  keys: readonly string[],
  by: string,
): AxisFacts[] {
  return keys.map((key) => {
    const number = (name: string) => {
      const text = fields.get(name);
      return text ? Number(text) : undefined;
    };
    const perChannel = key === "depth" ? number("ev-per-chan") : undefined;
    const unit = fields.get(`${key}-units`) ?? (perChannel === undefined ? undefined : "eV");
    const scale = number(`${key}-scale`) ?? perChannel;
    return factsOf({
      name: fields.get(`${key}-name`),
      kind: kindOf(key, by, kindOfUnit(unit)),
      scale,
      offset: scale === undefined ? undefined : number(`${key}-origin`),
      unit,
    });
  });
}

/** The dimensions of a record; `undefined` where the file does not say it, or has no such dimension. */
function frameOf(keys: readonly string[], by: string): number[] | undefined {
  const frame = [...keys.keys()].filter((d) => (keys[d] === "depth") === (by === "vector"));
  return by === "dont-care" || frame.length === 0 ? undefined : frame;
}

/** Spectra (`vector`) are those of a scan along width and height; images (`image`) follow each other along the depth. */
function kindOf(key: string, by: string, unit: ReturnType<typeof kindOfUnit>): AxisKind | undefined {
  const known = unit === "length" ? undefined : unit;
  if (by === "vector") return key === "depth" ? known ?? "energy" : "scan";
  if (by !== "image") return known;
  return known ?? (key === "depth" ? "series" : "space");
}
