/**
 * MRC files: stacks and volumes of electron microscopy, also compressed with gzip.
 *
 * Source: the MRC2014 format description of CCP-EM.
 *
 * @module
 */

import { Dataset } from "../../dataset/dataset.ts";
import type { AxisFacts } from "../../space/axes.ts";
import { BytesSource } from "../../io/source/bytes.ts";
import type { Shape } from "../../space/shape.ts";
import { arrange } from "../common/arrange.ts";
import { completeFrames } from "../common/complete.ts";
import type { Fields } from "../common/fields.ts";
import type { FormatInput } from "../common/format.ts";
import { readMrcHead } from "./head.ts";
import { HEAD_BYTES } from "./marks.ts";
import { gunzipStart } from "../common/gzip.ts";
import { isGzip } from "../common/gzip_head.ts";
import type { OpenOptions } from "../common/options.ts";
import { asItIs, type Readable, unpackedSource } from "../common/packed.ts";

export async function open(input: FormatInput, options: OpenOptions): Promise<Dataset[]> {
  const readable = isGzip(input.head) ? await unpacked(input, options.signal) : asItIs(input.source);
  const { source, size, spec } = readable;
  const { head, layout, sections: nz, mode } = await readMrcHead(source, options.signal, size);
  const { frames, warnings } = completeFrames({
    name: input.source.name,
    size,
    start: layout.files[0]!.headerBytes,
    pitch: layout.storedBytes,
    frames: nz,
  }, options);
  const whole = frames === nz ? volumesOf(head, nz) : undefined;
  const native = {
    name: input.name,
    images: frames,
    navShape: whole ?? [frames],
    sigShape: layout.sigShape,
  };
  const { navShape, sigShape, syncOffset, warnings: more } = arrange(native, options);
  return [
    new Dataset({
      source: input.source.name,
      detection: input.detection,
      navShape,
      layout: { ...layout, sigShape, files: [{ ...layout.files[0]!, source: spec, end: frames }] },
      syncOffset,
      warnings: [...readable.warnings, ...warnings, ...more],
      axes: axesIn(head, navShape.length),
      metadata: metadataOf(head, mode),
    }),
  ];
}

/** A single section is an image, unless its space group says that it is one of a volume. */
function isVolume(head: Fields): boolean {
  return head.i32(88) !== 0;
}

/** The scan: none for an image, volumes and sections for a stack of volumes (space groups 401 to 630), else sections. */
function volumesOf(head: Fields, sections: number): Shape {
  if (sections === 1 && !isVolume(head)) return [];
  const [group, each] = [head.i32(88), head.i32(36)];
  const isStack = group >= 401 && group <= 630 && each > 0 && sections % each === 0;
  return isStack ? [sections / each, each] : [sections];
}

/** Cell sizes in ångström over samples; sections have one of a volume only. */
function axesIn(head: Fields, nav: number): (AxisFacts | undefined)[] {
  const [z, y, x] = [[48, 36], [44, 32], [40, 28]].map(([cell, samples]) => {
    const scale = Number((head.f32(cell!) / head.i32(samples!) / 10).toPrecision(7)); // kept in ångström, single precision
    return Number.isFinite(scale) && scale > 0 ? { scale, unit: "nm" } : undefined;
  });
  const section = isVolume(head) ? z : undefined;
  return [...(nav === 1 ? [section] : Array.from({ length: nav }, () => undefined)), y, x];
}

function metadataOf(head: Fields, mode: number): Record<string, unknown> {
  const labels = Array.from(
    { length: Math.min(10, Math.max(0, head.i32(220))) },
    (_, i) => head.text(224 + 80 * i, 80),
  );
  return {
    mode,
    labels: labels.filter((label) => label !== ""),
    extendedHeaderBytes: head.i32(92),
    extendedHeaderType: head.text(104, 4),
  };
}

/** What a compressed file unpacks to: as much as its header promises, which is read first. */
async function unpacked(input: FormatInput, signal: AbortSignal | undefined): Promise<Readable> {
  const start = new BytesSource(await gunzipStart(input.head, HEAD_BYTES), input.source.name);
  const { layout: { files: [first], storedBytes }, sections } = await readMrcHead(start, signal, Infinity);
  return await unpackedSource(input.source, start, first!.headerBytes + sections * storedBytes, signal);
}
