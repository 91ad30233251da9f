/**
 * The service of images: what a runner loads to answer calls for images.
 *
 * @module
 */

import type { BackEnd } from "../channels/backends/back_end.ts";
import { filesOf } from "../channels/host/files.ts";
import type { Service, ServicePlace } from "../channels/host/services.ts";
import type { Answer, Call, Functions } from "../channels/protocol/call.ts";
import { MAX_NAME_BYTES } from "../channels/protocol/channel.ts";
import { failure, STATUS, type StatusName } from "../channels/protocol/status.ts";
import { IMAGE, IMAGE_DTYPES, IMAGE_FORM } from "../channels/remote/images.ts";
import { textOf } from "../channels/remote/values.ts";
import { type ErrorCode, isTilewiseError, TilewiseError } from "../errors.ts";
import { mustFit, type OpenImage, pixelSize } from "./common/image.ts";
import { openImage } from "./open_image.ts";
import { toRgba } from "./pixels.ts";

// The answers of a host to calls for images: from the name of a file to pixels in the memory of the kernel.

/** The answers of a runner whose files are those of `backEnd`. */
export function imageAnswers(backEnd: BackEnd): Functions {
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
  const facts = [height, width, samples, IMAGE_DTYPES.indexOf(dtype) + 1];
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
