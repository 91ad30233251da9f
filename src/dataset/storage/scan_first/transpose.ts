/**
 * Moves samples from the order of the file, pixel by pixel, to frames.
 *
 * @module
 */

/** The samples to move; strides and addresses in bytes. */
export interface Transposition {
  /** Address of the first pixel of the first image. */
  readonly src: number;
  /** From a pixel to the next. */
  readonly srcStride: number;
  /** Where the first pixel of the first image goes. */
  readonly dst: number;
  /** From an image to the next. */
  readonly dstStride: number;
  /** How many pixels; they follow each other in a frame. */
  readonly pixels: number;
  /** How many images; their samples of one pixel follow each other in the file. */
  readonly images: number;
}

/** Moves samples in one memory; made once, as it keeps views of all of it. */
export class Transposer {
  readonly #words: Uint8Array | Uint16Array | Uint32Array;
  readonly #pairs: Uint32Array;
  readonly #unit: number;
  readonly #units: number;

  /** For samples of `itemSize` bytes. */
  constructor(buffer: ArrayBufferLike, itemSize: number) {
    this.#unit = Math.min(itemSize, 4);
    this.#units = itemSize / this.#unit;
    this.#words = this.#unit === 1
      ? new Uint8Array(buffer)
      : this.#unit === 2
      ? new Uint16Array(buffer)
      : new Uint32Array(buffer);
    this.#pairs = new Uint32Array(buffer);
  }

  /** Moves the samples of `job`. */
  move(job: Transposition): void {
    const { src, srcStride, dst, dstStride, pixels, images } = job;
    const arePairs = this.#unit === 2 && pixels > 1 && images > 1 &&
      (src | srcStride | dst | dstStride) % 4 === 0;
    if (!arePairs) return this.#moveAll(job);
    const [evenPixels, evenImages] = [pixels - pixels % 2, images - images % 2];
    this.#movePairs(job, evenPixels, evenImages);
    if (evenPixels < pixels) {
      this.#moveAll({ ...job, src: src + evenPixels * srcStride, dst: dst + 2 * evenPixels, pixels: 1 });
    }
    if (evenImages < images) {
      const pixels = evenPixels;
      this.#moveAll({
        ...job,
        src: src + 2 * evenImages,
        dst: dst + evenImages * dstStride,
        pixels,
        images: 1,
      });
    }
  }

  /** Samples of two bytes, two pixels of two images at a time. */
  #movePairs({ src, srcStride, dst, dstStride }: Transposition, pixels: number, images: number): void {
    const words = this.#pairs;
    const [fromStep, toStep] = [srcStride / 4, dstStride / 4];
    for (let image = 0; image < images; image += 2) {
      let from = src / 4 + image / 2;
      let into = dst / 4 + image * toStep;
      for (const end = into + pixels / 2; into < end; into++, from += 2 * fromStep) {
        const first = words[from]!, second = words[from + fromStep]!;
        words[into] = first & 0xffff | second << 16;
        words[into + toStep] = first >>> 16 | second & 0xffff0000;
      }
    }
  }

  #moveAll({ src, srcStride, dst, dstStride, pixels, images }: Transposition): void {
    const words = this.#words, unit = this.#unit, units = this.#units;
    const step = srcStride / unit;
    for (let image = 0; image < images; image++) {
      let from = src / unit + image * units;
      let into = (dst + image * dstStride) / unit;
      for (let pixel = 0; pixel < pixels; pixel++, from += step, into += units) {
        for (let u = 0; u < units; u++) words[into + u] = words[from + u]!;
      }
    }
  }
}
