/**
 * Images for kernels: the calling end of `load_image`, whose pixels arrive in the memory of the kernel without a copy in between.
 *
 * | import | returns |
 * |---|---|
 * | `load_image(channel, name, nameLength, to, width, height, stride, form, facts): i32` | 0, or a negative status |
 * | `image_facts(channel, name, nameLength, facts): i32` | the same, without pixels |
 *
 * `to` is the address of the first of `height` rows of `width` pixels, which are `stride` bytes apart; the image may be smaller,
 * and begins at the first one. Form 0 is red, green, blue and alpha, a byte each; form 1 the samples as the file has them. `facts` is the
 * address, a multiple of 4, of four words: height, width, samples of a pixel, and type of a sample from 1 in the order of
 * {@link DTYPES}; 0 for none.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { oneOf } from "../../options/rules.ts";
import { type DType, DTYPES } from "../../space/dtype.ts";
import { type BusyPolicy, Caller } from "../protocol/caller.ts";
import { type ChannelLayout, Channels, MAX_NAME_BYTES } from "../protocol/channel.ts";
import { STATUS, statusError } from "../protocol/status.ts";

/** The functions that a channel can call for images. */
export const IMAGE = { load: 32, facts: 33 } as const;

/**
 * The form of loaded pixels: red, green, blue and alpha of 8 bits, or the samples of the file.
 * @category Channels
 */
export type ImageForm = "rgba8" | "native";

/** Forms of pixels. */
export const IMAGE_FORM = { rgba8: 0, native: 1 } as const satisfies Record<ImageForm, number>;

/**
 * What is known of an image.
 * @category Channels
 */
export interface ImageFacts {
  /** Rows. */
  readonly height: number;
  /** Pixels in a row. */
  readonly width: number;
  /** Samples of a pixel, as the file has them. */
  readonly samples: number;
  /** Their type. */
  readonly dtype: DType;
}

/**
 * Where pixels go: rows in the memory of the kernel.
 * @category Channels
 */
export interface ImagePlace {
  /** Address of the first row. */
  readonly offset: number;
  /** Pixels that a row has room for. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** Bytes from row to row. */
  readonly stride: number;
  /** What pixels consist of. Default `rgba8`. */
  readonly form?: ImageForm;
}

/**
 * Images for a kernel in TypeScript.
 * @category Channels
 */
export interface ImageCalls {
  /** Height, width and samples of the image in a file. Errors: typed. */
  facts(channel: number, name: string): ImageFacts;
  /** Loads the image in a file to `place`, top left first. Nothing else is written. Errors: typed; `invalid` if it does not fit. */
  load(channel: number, name: string, place: ImagePlace): ImageFacts;
}

/**
 * Images of a host that was started with the option `images`, for a kernel in TypeScript on a thread that may block.
 *
 * @param memory the memory of the channels, in which places are
 * @param layout the channels of the host
 * @category Channels
 */
export function imageCalls(
  memory: WebAssembly.Memory,
  layout: ChannelLayout,
  busy: BusyPolicy = "wait",
): ImageCalls {
  const wire = new ImageWire(memory, layout, busy);
  const asked = (name: string, status: number) => {
    if (status < 0) throw statusError(status, `load the image ${name}`);
    return wire.facts;
  };
  return {
    facts: (channel, name) => asked(name, wire.call(channel, IMAGE.facts, bytesOf(name), [])),
    load: (channel, name, { offset, width, height, stride, form = "rgba8" }) => {
      formRule("load()", "form", form);
      return asked(
        name,
        wire.call(channel, IMAGE.load, bytesOf(name), [offset, width, height, stride, IMAGE_FORM[form]]),
      );
    },
  };
}

const formRule = oneOf(...Object.keys(IMAGE_FORM));

const bytesOf = (name: string) => new TextEncoder().encode(name);

/**
 * The imports of a kernel in `memory` that loads images; see the table above.
 *
 * @param channels the memory of the channels, in which pixels arrive. Default: that of the kernel
 * @category Channels
 */
export function imageImports(
  memory: WebAssembly.Memory,
  layout: ChannelLayout,
  busy: BusyPolicy = "wait",
  channels: WebAssembly.Memory = memory,
): Readonly<Record<"load_image" | "image_facts", (...args: number[]) => number>> {
  let made: ImageWire | undefined;
  const call = (channel: number, fn: number, name: number, length: number, args: number[], facts: number) => {
    const size = memory.buffer.byteLength;
    const isInside = length >= 0 && name + length <= size && facts % 4 === 0 && facts + 16 <= size;
    if (!isInside) return -STATUS.invalid;
    const wire = made ??= new ImageWire(channels, layout, busy); // few kernels load images
    const status = wire.call(channel, fn, new Uint8Array(memory.buffer, name, length), args);
    if (facts !== 0) new Int32Array(memory.buffer, facts, 4).set(wire.words);
    return status;
  };
  return {
    load_image: (channel, name, length, to, width, height, stride, form, facts) => {
      const place = [to >>> 0, width, height, stride, form];
      return call(channel, IMAGE.load, name >>> 0, length, place, facts >>> 0);
    },
    image_facts: (channel, name, length, facts) =>
      call(channel, IMAGE.facts, name >>> 0, length, [], facts >>> 0),
  };
}

/** Calls for images, in numbers and bytes. */
class ImageWire {
  /** The facts of the latest image as words; zeros if it could not be opened. */
  words: readonly number[] = [0, 0, 0, 0];
  readonly #caller: Caller;
  readonly #channels: Channels;

  constructor(memory: WebAssembly.Memory, layout: ChannelLayout, busy: BusyPolicy) {
    this.#caller = new Caller(memory, layout, busy);
    this.#channels = new Channels(memory, layout);
  }

  /** The facts of the latest image. */
  get facts(): ImageFacts {
    const [height = 0, width = 0, samples = 0, type = 0] = this.words;
    const dtype = DTYPES[type - 1];
    if (!dtype) {
      throw new TilewiseError("corrupt", `A host says that samples have the type ${type}`, { found: type });
    }
    return { height, width, samples, dtype };
  }

  /** Calls `fn` with the name of a file: 0, or a negative status. A channel that this thread holds stays held. */
  call(channel: number, fn: number, name: Uint8Array, args: readonly number[]): number {
    this.words = [0, 0, 0, 0];
    if (name.length > MAX_NAME_BYTES) return -STATUS["name-too-long"];
    const claimed = this.#caller.acquire(channel);
    if (claimed < 0 && claimed !== -STATUS.state) return claimed;
    this.#channels.setMessage(channel, name);
    const status = this.#caller.invoke(channel, fn, args, { acquire: false, release: false, free: true });
    const hasFacts = status >= 0 || status === -STATUS["too-big"];
    if (hasFacts) this.words = [0, 1, 2, 3].map((i) => this.#channels.argument(channel, i));
    if (claimed === 0) this.#caller.release(channel);
    return Math.min(0, status);
  }
}
