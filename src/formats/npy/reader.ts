/**
 * NumPy's `.npy` files, versions 1 to 3: all numeric types, both byte orders, C and Fortran order.
 *
 * The last `sigDims` dimensions (2, or all if there are fewer) are the frame, the others the scan.
 *
 * @module
 */

import { Dataset } from "../../dataset/dataset.ts";
import { frameBytes, frameLayout, storedAs } from "../../dataset/layout/layout.ts";
import { TilewiseError } from "../../errors.ts";
import { readUpTo } from "../../io/source/source.ts";
import { sameShape, type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { arrange, splitShape } from "../common/arrange.ts";
import { cutOff } from "../common/complete.ts";
import type { FormatInput } from "../common/format.ts";
import { isNpy } from "./format.ts";
import { npyExtent, type NpyHeader, parseNpyHeader } from "./header.ts";
import type { OpenOptions } from "../common/options.ts";

/** The array of a file. */
export async function open(input: FormatInput, options: OpenOptions): Promise<Dataset[]> {
  return [await openNpy(input, options)];
}

async function openNpy(input: FormatInput, options: OpenOptions): Promise<Dataset> {
  const { header, dataStart } = await readHeader(input, options);
  const { dtype, byteOrder, shape } = header;
  const [fileNav, fileSig] = splitShape(shape, options.sigDims, input.name);
  const plain = !header.fortranOrder || shape.filter((n) => n !== 1).length <= 1; // then both orders are the same
  if (!plain) refuseReshape(fileSig, options.sig, input.name);
  const bytes = frameBytes(fileSig, dtype);
  const { images, warnings } = imagesIn(
    input,
    sizeOf(fileNav),
    bytes,
    dataStart,
    plain && options.allowTruncated,
  );
  const whole = images === sizeOf(fileNav);
  const native = { name: input.name, images, sigShape: fileSig, ...(whole ? { navShape: fileNav } : {}) };
  const { navShape, sigShape, syncOffset, warnings: more } = arrange(native, options);
  const files = [{ source: input.source.describe(), start: 0, end: images, headerBytes: dataStart }];
  const frames = frameLayout({ files, sigShape, dtype, byteOrder });
  const layout = plain ? frames : storedAs(frames, { kind: "scan-first", navShape: fileNav });
  return new Dataset({
    source: input.source.name,
    detection: input.detection,
    navShape,
    layout,
    syncOffset,
    warnings: [...warnings, ...more],
    metadata: { shape: [...shape], fortranOrder: header.fortranOrder },
  });
}

async function readHeader(
  { source, head, name }: FormatInput,
  { signal }: OpenOptions,
): Promise<{ header: NpyHeader; dataStart: number }> {
  if (!isNpy(head)) {
    const text = `Cannot read ${name} as npy: it does not begin with \\x93NUMPY`;
    throw new TilewiseError("malformed", text, { file: name, offset: 0, expected: "\\x93NUMPY" });
  }
  const { version, start, end } = npyExtent(head, name);
  if (end > source.size) {
    const text = `Cannot read ${name}: it ends inside its header, at byte ${source.size} of ${end}`;
    throw new TilewiseError("truncated", text, { file: name, expected: end, found: source.size });
  }
  const bytes = end <= head.length
    ? head.subarray(start, end)
    : await readUpTo(source, start, end - start, signal);
  const text = new TextDecoder(version === 3 ? "utf-8" : "latin1").decode(bytes);
  return { header: parseNpyHeader(text, name), dataStart: end };
}

/** Images in the file, of `promised`; `truncated` if it does not have them all, unless that is allowed. */
function imagesIn(
  { source }: FormatInput,
  promised: number,
  frame: number,
  dataStart: number,
  allowTruncated: boolean | undefined,
): { images: number; warnings: string[] } {
  const end = dataStart + sizeOf([promised, frame]);
  const surplus = source.size - end;
  if (surplus === 0) return { images: promised, warnings: [] };
  if (surplus > 0) {
    return {
      images: promised,
      warnings: [`${surplus} bytes after the last sample are not part of the array`],
    };
  }
  const complete = Math.floor((source.size - dataStart) / frame);
  const { frames, warnings } = cutOff(
    { name: source.name, size: source.size, end, complete, of: promised },
    allowTruncated,
  );
  return { images: frames, warnings };
}

/** In Fortran order the samples of a frame lie apart: another shape would mean other samples. */
function refuseReshape(fileSig: Shape, sig: Shape | undefined, file: string): void {
  if (!sig || sameShape(sig, fileSig)) return;
  const text = `Cannot open ${file} with frames of ${showShape(sig)}: it is in Fortran order, so they stay ` +
    `${showShape(fileSig)}`;
  throw new TilewiseError("unsupported", text, { file, expected: showShape(fileSig), found: showShape(sig) });
}
