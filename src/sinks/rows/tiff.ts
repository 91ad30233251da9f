/**
 * Writes TIFF stacks: a page a frame, not compressed, each beside its samples, so that any can be written by itself.
 *
 * ```
 * head      header, shape of the array
 * page      tags, samples in one strip; samples of other pages begin at other places, and nothing else differs
 * ```
 * Of a few tiny pages the tags of all come first.
 *
 * @module
 */

import { roundUp } from "../../memory/arena.ts";
import { joinedBytes } from "../../space/bytes.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { checkedProduct, type Shape, sizeOf } from "../../space/shape.ts";
import { targetNamed } from "../registry.ts";
import { Directories, putDirectory, tagOf } from "../tiff/directory.ts";
import { pageTags, shapeText, tiffKeeps } from "../tiff/page.ts";
import { cannotHold, plainLayout, type RowTarget, type WrittenLayout } from "./layout.ts";

/** A stack of pages; BigTIFF where 4 GiB are not enough. */
export const tiffStack: RowTarget = {
  ...targetNamed("tiff"),
  keeps: tiffKeeps(({ shape }) => Math.max(0, shape.length - 2)),
  layout(frames) {
    const { nav, sig, dtype } = frames;
    const isRow = nav.length === 0 && sig.length < 2; // an array of its own
    if (sig.length !== 2 && !isRow) throw cannotHold(frames, "TIFF", "images");
    return stackOf(nav, isRow ? [1, sig[0] ?? 1] : [sig[0]!, sig[1]!], [...nav, ...sig], dtype);
  },
};

const MOST_CLASSIC = 2 ** 32 - 1;
/** The tag of the place of the samples. */
const OFFSETS = 273;

/** The layout of pages of a `size`: a classic file, or a big one, with addresses of 64 bits. */
function stackOf(
  nav: Shape,
  size: readonly [height: number, width: number],
  shape: Shape,
  dtype: DType,
  big = false,
): WrittenLayout {
  const directories = new Directories(big), text = shapeText(shape), count = sizeOf(nav);
  const frame = checkedProduct([...size, dtypeInfo(dtype).itemSize], "a page");
  const description = { count: text.length, place: directories.header };
  const form = directories.formOf(pageTags(
    { size, dtype, samples: 1, compression: 1, predictor: 1, isSmaller: false, description },
    [
      { tag: OFFSETS, type: "place", values: { count: 1 } },
      tagOf(278, "long", size[0]), // rows of the strip
      tagOf(279, "place", frame),
    ],
  ));
  const head = directories.head(roundUp(directories.header + text.length, 8));
  head.set(text, directories.header);
  const headerBytes = form.bytes.length, footerBytes = frame % 2; // directories lie at even places
  const pitch = headerBytes + frame + footerBytes;
  if (!big && head.length + count * pitch > MOST_CLASSIC) return stackOf(nav, size, shape, dtype, true);
  const directory = (i: number, step: number, samples: number) => {
    const at = head.length + i * step, bytes = new Uint8Array(headerBytes);
    const values = new Map([[OFFSETS, { list: [samples], first: 0 }]]);
    putDirectory(form, { at, next: i + 1 < count ? at + step : 0, values }, new DataView(bytes.buffer), 0);
    return bytes;
  };
  if (isOneRun(count, frame, pitch)) {
    const samples = head.length + count * headerBytes;
    const all = Array.from({ length: count }, (_, i) => directory(i, headerBytes, samples + i * frame));
    return plainLayout(joinedBytes([head, ...all]));
  }
  const header = (i: number) => directory(i, pitch, head.length + i * pitch + headerBytes);
  return { ...plainLayout(head), headerBytes, footerBytes, header };
}

/**
 * Whether tifffile takes the samples of all pages for one run behind the first directory, and reads directories as samples: it
 * does so where all samples would lie in front of the second directory. They become one run then.
 */
function isOneRun(count: number, frame: number, pitch: number): boolean {
  return count > 1 && count * frame <= pitch;
}
