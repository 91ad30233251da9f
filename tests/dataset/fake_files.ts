/** Data sets in memory with known samples, for tests of readers. */

import { BytesSource } from "../../src/io/source/bytes.ts";
import type { ByteSource, SourceSpec } from "../../src/io/source/source.ts";
import type { FrameLayout } from "../../src/dataset/layout/layout.ts";
import { type DType, dtypeInfo } from "../../src/space/dtype.ts";
import { type Shape, sizeOf } from "../../src/space/shape.ts";

/** How a data set in memory is laid out. */
export interface FakeInit {
  readonly sigShape: Shape;
  readonly dtype?: DType;
  /** Images and header bytes of each file. */
  readonly files: readonly { readonly images: number; readonly headerBytes?: number }[];
  readonly frameHeaderBytes?: number;
  readonly frameFooterBytes?: number;
}

/** The byte number `b` of the samples of image `image`; anything will do that tells bytes apart. */
export function sampleByte(image: number, b: number): number {
  return (image * 37 + b * 11 + (b >> 4) * 7 + 1) & 255;
}

/** A layout in C order over bytes in memory; everything that is no sample is 255. */
export function fakeLayout(init: FakeInit): FrameLayout {
  const { sigShape, dtype = "uint8", frameHeaderBytes = 0, frameFooterBytes = 0 } = init;
  const storedBytes = sizeOf(sigShape) * dtypeInfo(dtype).itemSize;
  let next = 0;
  const files = init.files.map(({ images, headerBytes = 0 }, number) => {
    const start = next;
    next += images;
    const pitch = frameHeaderBytes + storedBytes + frameFooterBytes;
    const bytes = new Uint8Array(headerBytes + images * pitch).fill(255);
    for (let i = 0; i < images; i++) {
      const at = headerBytes + i * pitch + frameHeaderBytes;
      for (let b = 0; b < storedBytes; b++) bytes[at + b] = sampleByte(start + i, b);
    }
    return {
      source: { kind: "bytes", name: `file ${number}`, bytes } as const,
      start,
      end: next,
      headerBytes,
    };
  });
  const frame = { frameHeaderBytes, frameFooterBytes, storedBytes };
  return { files, sigShape, dtype, byteOrder: "little", ...frame, storage: { kind: "contiguous" } };
}

/** What a {@link Watch} has seen. */
export interface ReadNote {
  readonly name: string;
  readonly at: number;
  readonly length: number;
}

/** Opens sources that note what is read, may answer later, and may fail. */
export class Watch {
  readonly reads: ReadNote[] = [];
  opened = 0;
  open = 0;
  mostOpen = 0;
  underWay = 0;
  /** Fails the read with this number, from 0. */
  failAt = -1;

  constructor(private readonly late: boolean = false) {}

  /** Opens bytes. */
  readonly openSource = (spec: SourceSpec): Promise<ByteSource> => {
    if (spec.kind !== "bytes") throw new Error("only bytes");
    this.opened++;
    this.mostOpen = Math.max(this.mostOpen, ++this.open);
    const inner = new BytesSource(spec.bytes, spec.name);
    return Promise.resolve({
      name: spec.name,
      size: inner.size,
      readInto: (into, at, signal) => this.#read(inner, into, at, signal),
      verify: () => inner.verify(),
      describe: () => spec,
      [Symbol.asyncDispose]: () => {
        this.open--;
        return inner[Symbol.asyncDispose]();
      },
    });
  };

  #read(inner: BytesSource, into: Uint8Array, at: number, signal?: AbortSignal): void | Promise<void> {
    const number = this.reads.length;
    this.reads.push({ name: inner.name, at, length: into.byteLength });
    const work = () => {
      if (number === this.failAt) throw new Error(`read ${number} failed`);
      inner.readInto(into, at, signal);
    };
    if (!this.late) return work();
    this.underWay++;
    // Later reads answer first.
    return new Promise<void>((resolve) => setTimeout(resolve, (7 - number % 8) / 4)).then(work)
      .finally(() => this.underWay--);
  }
}
