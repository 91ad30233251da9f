/**
 * Raw frames: samples without a description, which the user gives; also packed bits and several files as one.
 *
 * @module
 */

import { bitsDType, packedBytes } from "../../codecs/bit_sizes.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { type FileSpan, frameBytes, type FrameLayout, framePitch } from "../../dataset/layout/layout.ts";
import { contiguous, type ContiguousStorage } from "../../dataset/layout/storage.ts";
import { cannot, TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { type ByteOrder, type DType, dtypeInfo, parseDType } from "../../space/dtype.ts";
import { byteCount } from "../../space/rules.ts";
import { checkedProduct, type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { fileDataset, wanted } from "../common/arrange.ts";
import type { FormatInput } from "../common/format.ts";
import type { OpenOptions } from "../common/options.ts";

/** How the samples of a frame are stored. */
type StoredFrame = Pick<FrameLayout<ContiguousStorage>, "dtype" | "byteOrder" | "storedBytes" | "storage">;

/** The frames of one file or several, as the options say what they are. */
export function open(input: FormatInput, options: OpenOptions): Promise<StoredDataset[]> {
  return Promise.resolve([openRaw(input, options)]);
}

function openRaw(input: FormatInput, options: OpenOptions): StoredDataset {
  const { name } = input;
  if (!options.sig) throw missing(name, "sig", "the shape of a frame, as in { sig: [256, 256] }");
  const sigShape = wanted(options.sig, "sig", name);
  const frame: FrameLayout<ContiguousStorage> = {
    ...storageOf(sigShape, options, name),
    files: [],
    sigShape,
    frameHeaderBytes: bytesOption(options.frameHeaderBytes, "frameHeaderBytes"),
    frameFooterBytes: bytesOption(options.frameFooterBytes, "frameFooterBytes"),
  };
  const { files, warnings } = spansOf(input.given, frame, options);
  const images = files.at(-1)!.end;
  return fileDataset(input, { images, sigShape, layout: { ...frame, files }, warnings }, options);
}

function storageOf(sigShape: Shape, options: OpenOptions, file: string): StoredFrame {
  const { bits, bitOrder = "lsb" } = options;
  const given = options.dtype === undefined ? undefined : parseDType(options.dtype);
  if (bits !== undefined && !(given && bits === 8 * dtypeInfo(given).itemSize)) {
    return packedStorage(sigShape, bits, bitOrder, given, file);
  }
  if (!given) throw missing(file, "dtype", 'the type of its samples, as in { dtype: "uint16" }');
  const byteOrder = byteOrderOf(options);
  return { dtype: given, byteOrder, storedBytes: frameBytes(sigShape, given), storage: contiguous() };
}

function packedStorage(
  sigShape: Shape,
  bits: number,
  bitOrder: "lsb" | "msb",
  given: DType | undefined,
  file: string,
): StoredFrame {
  if (!Number.isSafeInteger(bits) || bits < 1 || bits > 32) {
    const text = `Cannot open ${file} with samples of ${bits} bits; they can have 1 to 32`;
    throw new TilewiseError("invalid", text, { file, option: "bits", found: bits });
  }
  const dtype = bitsDType(bits);
  if (given && given !== dtype) {
    const text = `${bits} bits unpack to ${dtype}, not to ${given}; leave out the option dtype`;
    throw cannot("open", file, "invalid", text, { option: "dtype", expected: dtype, found: given });
  }
  const storage = contiguous({ id: "bits", params: { bits, bitOrder } });
  return { dtype, byteOrder: "little", storedBytes: packedBytes(sigShape, bits), storage };
}

/** The byte order of the option, or of a mark such as in `>u2`; they must not contradict each other. */
function byteOrderOf({ dtype, byteOrder }: OpenOptions): ByteOrder {
  const mark = /^\s*([<>])/.exec(dtype ?? "")?.[1];
  const marked = mark === undefined ? undefined : mark === ">" ? "big" : "little";
  if (marked && byteOrder && marked !== byteOrder) {
    const text = `Cannot read ${dtype} as ${byteOrder} endian: the mark says ${marked}; say it once`;
    throw new TilewiseError("invalid", text, { option: "byteOrder", expected: marked, found: byteOrder });
  }
  return byteOrder ?? marked ?? "little";
}

function bytesOption(value: number | string | undefined, what: string): number {
  return byteCount("open()", what, value ?? 0, 0);
}

/** Which images each file has. */
function spansOf(
  sources: readonly ByteSource[],
  frame: FrameLayout<ContiguousStorage>,
  options: OpenOptions,
): { files: FileSpan[]; warnings: string[] } {
  const headerBytes = bytesOption(options.headerBytes, "headerBytes");
  const pitch = framePitch(frame);
  const [files, warnings]: [FileSpan[], string[]] = [[], []];
  for (const source of sources) {
    const body = source.size - headerBytes;
    const images = Math.max(0, Math.floor(body / pitch));
    if (images * pitch !== body || images === 0) {
      const last = source === sources.at(-1);
      if (!(options.allowTruncated && last && images > 0)) throw misfit(source, headerBytes, frame, options);
      const rest = body - images * pitch;
      warnings.push(`${source.name} ends inside a frame: ${rest} bytes after image ${images} are not shown`);
    }
    const start = files.at(-1)?.end ?? 0;
    files.push({ source: source.describe(), start, end: start + images, headerBytes });
  }
  return { files, warnings };
}

/** The error for a file that is not a whole number of frames: what it has, and what would fit. */
function misfit(
  { name, size }: ByteSource,
  headerBytes: number,
  frame: FrameLayout<ContiguousStorage>,
  { nav }: OpenOptions,
): TilewiseError {
  const pitch = framePitch(frame);
  const body = Math.max(0, size - headerBytes);
  const [images, rest] = [Math.floor(body / pitch), body % pitch];
  const { sigShape, dtype } = frame;
  const parts = [
    `Cannot read ${name} as frames of ${showShape(sigShape)} ${dtype}: it has ${size} bytes` +
    `${
      headerBytes ? `, ${headerBytes} of them header` : ""
    }; a frame takes ${pitch}, so that ${images} frames ` +
    `leave ${rest} bytes over`,
  ];
  if (nav) parts.push(`a scan of ${showShape(nav)} takes ${checkedProduct([...nav, pitch], "a scan")} bytes`);
  const hints = fitting(body, rest, images, headerBytes, frame, nav);
  if (hints.length > 0) parts.push(`what would fit: ${hints.join(", or ")}`);
  return new TilewiseError("truncated", parts.join("; "), {
    file: name,
    expected: nav ? headerBytes + sizeOf(nav) * pitch : headerBytes + Math.max(1, images) * pitch,
    found: size,
    frameBytes: pitch,
    completeFrames: images,
    remainder: rest,
  });
}

function fitting(
  body: number,
  rest: number,
  images: number,
  headerBytes: number,
  frame: FrameLayout<ContiguousStorage>,
  nav: Shape | undefined,
): string[] {
  const hints: string[] = [];
  if (images > 0 && rest <= 2 ** 16) hints.push(`headerBytes ${headerBytes + rest}`);
  const itemSize = nav && !frame.storage.codec ? body / sizeOf([...nav, ...frame.sigShape]) : 0;
  if ([1, 2, 4, 8, 16].includes(itemSize)) hints.push(`a dtype of ${itemSize} bytes`);
  if (images > 0) hints.push(`allowTruncated for the ${images} complete frames`);
  return hints;
}

function missing(file: string, option: string, what: string): TilewiseError {
  return new TilewiseError("invalid", `Cannot open ${file} as raw frames without ${what}`, { file, option });
}
