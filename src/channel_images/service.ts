/**
 * The service of images: what a runner loads to answer calls for images.
 *
 * @module
 */

import type { BackEnd } from "../channels/backends/back_end.ts";
import { filesOf } from "../channels/host/files.ts";
import type { Service, ServicePlace } from "../channels/host/services.ts";
import { MAX_NAME_BYTES } from "../channels/protocol/channel.ts";
import type { Answer, Call, Functions } from "../channels/protocol/runner.ts";
import { failure, STATUS, type StatusName } from "../channels/protocol/status.ts";
import { IMAGE, IMAGE_FORM } from "../channels/remote/images.ts";
import { textOf } from "../channels/remote/values.ts";
import { type ErrorCode, isTilewiseError, TilewiseError } from "../errors.ts";
import { dtypeInfo, DTYPES } from "../space/dtype.ts";
import { mustFit, type OpenImage, pixelSize } from "./common/image.ts";
import { isJpeg, openJpeg } from "./jpeg.ts";
import { isPng } from "./png/chunks.ts";
import { openPng } from "./png/png.ts";

// Opens an image of any known kind by its first bytes.

/** The image in the bytes of a file. Errors: `unknown-format`, `malformed`, `truncated`, `unsupported`, `over-budget`. */
export async function openImage(bytes: Uint8Array<ArrayBuffer>): Promise<OpenImage> {
  if (bytes.length === 0) {
    throw new TilewiseError("unknown-format", "Cannot load an image: the file is empty");
  }
  if (isPng(bytes)) return openPng(bytes);
  if (isJpeg(bytes)) return openJpeg(bytes);
  const { openDatasetImage } = await import("./dataset_image.ts");
  return await openDatasetImage(bytes);
}

// From rows of an image to pixels of red, green, blue and alpha, of eight bits each.

/** Writes the pixels of `row` to `out`, four bytes each. */
type ToRgba = (row: Uint8Array, out: Uint8Array) => void;

/**
 * What makes such pixels of the rows of `image`. Samples of more than 8 bits lose their lower bits, samples of fewer are spread,
 * truth values become 0 and 255. Errors: `unsupported`, for samples that are not brightness of whole numbers.
 *
 * @example Two gray pixels of 16 bits
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const image = { width: 2, height: 1, samples: 1, dtype: "uint16", bits: 16, meaning: "gray" } as const;
 * const out = new Uint8Array(8);
 * toRgba({ ...image, decode: () => {} })(Uint8Array.of(0, 1, 255, 255), out);
 * assertEquals([...out], [1, 1, 1, 255, 255, 255, 255, 255]);
 * ```
 */
export function toRgba(image: OpenImage): ToRgba {
  const { samples, meaning, width } = image;
  const eight = eightBits(image);
  const colours = meaning === "colours" ? 3 : 1;
  if (meaning === "unknown" || samples < colours || samples > colours + 1) throw notBrightness(image);
  const hasAlpha = samples > colours, last = colours - 1;
  const flip = meaning === "white is zero" ? 255 : 0;
  return (row, out) => {
    for (let x = 0; x < width; x++) {
      const from = x * samples;
      out[4 * x] = eight(row, from) ^ flip;
      out[4 * x + 1] = eight(row, from + (last >> 1)) ^ flip;
      out[4 * x + 2] = eight(row, from + last) ^ flip;
      out[4 * x + 3] = hasAlpha ? eight(row, from + colours) : 255;
    }
  };
}

/** Sample `i` of a row in eight bits. */
function eightBits(image: OpenImage): (row: Uint8Array, i: number) => number {
  const { dtype, bits } = image;
  if (dtype === "bool") return (row, i) => row[i] ? 255 : 0;
  if (dtypeInfo(dtype).kind !== "u" || bits > 16) throw notBrightness(image);
  const value = dtype === "uint8"
    ? (row: Uint8Array, i: number) => row[i]!
    : (row: Uint8Array, i: number) => row[2 * i]! | row[2 * i + 1]! << 8;
  if (bits === 8) return value;
  if (bits > 8) return (row, i) => Math.min(255, value(row, i) >> (bits - 8));
  const factor = 255 / (2 ** bits - 1);
  return (row, i) => Math.min(255, Math.round(value(row, i) * factor));
}

function notBrightness({ samples, dtype, meaning, bits }: OpenImage): TilewiseError {
  const found = `${samples} × ${dtype} of ${bits} bits${
    meaning === "unknown" ? ", whose colours are not known" : ""
  }`;
  const text = `Cannot make RGBA of pixels of ${found}; load the native samples`;
  return new TilewiseError("unsupported", text, { found });
}

// The answers of a host to calls for images: from the name of a file to pixels in the memory of the kernel.

/** The answers of a runner whose files are those of `backEnd`. */
function imageAnswers(backEnd: BackEnd): Functions {
  const answerWith =
    (load: (call: Call, image: OpenImage) => Promise<number> | number): Answer => async (call) => {
      try {
        const image = await openImage(await wholeFile(backEnd, nameOf(call)));
        noteFacts(call, image);
        return await load(call, image);
      } catch (error) {
        return statusOf(error);
      }
    };
  return new Map<number, Answer>([
    [IMAGE.load, (call) => {
      const place = placeOf(call); // the facts of the image take the place of these numbers
      return place ? answerWith((_, image) => decode(call, image, place))(call) : -STATUS.invalid;
    }],
    [IMAGE.facts, answerWith(() => 0)],
  ]);
}

/** Rows in the memory of the kernel. */
interface RowsInMemory {
  readonly offset: number;
  readonly width: number;
  readonly height: number;
  readonly stride: number;
  readonly form: number;
}

/** The place that a kernel names; `undefined` for numbers that can be none. */
function placeOf(call: Call): RowsInMemory | undefined {
  const [offset, width, height, stride, form] = [0, 1, 2, 3, 4].map((i) => call.arg(i)) as Numbers;
  const areCounts = [offset, width, height, stride].every((n) => Number.isSafeInteger(n) && n >= 0);
  const isForm = form === IMAGE_FORM.rgba8 || form === IMAGE_FORM.native;
  return areCounts && isForm ? { offset, width, height, stride, form } : undefined;
}

type Numbers = [number, number, number, number, number];

/** Writes the pixels of an image to its place: 0, or a negative status. Only pixels of the image are written. */
async function decode(call: Call, image: OpenImage, place: RowsInMemory): Promise<number> {
  const { buffer } = call.channels.memory, { offset, stride } = place;
  const isRgba = place.form === IMAGE_FORM.rgba8, pixel = isRgba ? 4 : pixelSize(image);
  const row = place.width * pixel, last = Math.max(0, place.height - 1) * stride;
  if ((place.height > 1 && stride < row) || offset + last + row > buffer.byteLength) return -STATUS.invalid;
  if (image.width > place.width || image.height > place.height) return -STATUS["too-big"];
  const convert = isRgba ? toRgba(image) : undefined;
  const memory = new Uint8Array(buffer), bytes = image.width * pixel;
  await image.decode((y, samples) => {
    const at = offset + y * stride;
    if (convert) convert(samples, memory.subarray(at, at + bytes));
    else memory.set(samples, at);
  });
  call.moved(bytes * image.height);
  return 0;
}

function noteFacts(call: Call, { height, width, samples, dtype }: OpenImage): void {
  const facts = [height, width, samples, DTYPES.indexOf(dtype) + 1];
  facts.forEach((fact, i) => call.channels.setArgument(call.channel, i, fact));
}

/** The name of the file; the limit of names holds for kernels that write the length themselves. */
function nameOf(call: Call): string {
  const length = Math.max(0, Math.min(call.nameLength, MAX_NAME_BYTES));
  const bytes = new Uint8Array(call.channels.memory.buffer, call.name, length);
  const name = textOf(new Uint8Array(bytes));
  if (name !== undefined && name !== "" && !name.includes("\0")) return name;
  throw new TilewiseError("invalid", "Cannot load an image: its name is not UTF-8, or empty");
}

/** All bytes of a file. */
async function wholeFile(backEnd: BackEnd, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const file = await backEnd.open(name, "r");
  try {
    const size = await backEnd.size(file);
    mustFit(size, name);
    const bytes = new Uint8Array(size);
    const got = await backEnd.read(file, bytes, 0, size, 0);
    return bytes.subarray(0, got);
  } finally {
    await backEnd.close(file);
  }
}

const STATUSES: Readonly<Partial<Record<ErrorCode, StatusName>>> = {
  "invalid": "invalid",
  "not-found": "not-found",
  "not-a-file": "is-directory",
  "permission": "permission",
  "io": "io",
  "truncated": "malformed",
  "malformed": "malformed",
  "unsupported": "unsupported",
  "unknown-format": "unknown-format",
  "over-budget": "too-big",
  "overflow": "too-big",
};

/** The negative status for what a back end or a decoder throws. */
function statusOf(error: unknown): number {
  const status = isTilewiseError(error) ? STATUSES[error.code] : undefined;
  return status ? -STATUS[status] : failure(error);
}

/** The answers of a runner; image files are found as other files of the host are. */
export async function imageService(_shared: undefined, { memory, layout }: ServicePlace): Promise<Service> {
  return { functions: imageAnswers(await filesOf(memory, layout)) };
}
