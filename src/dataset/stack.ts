/**
 * Several data sets of one shape as one: a series, whose first axis counts them. Their samples stay where they are.
 *
 * @module
 */

import { defined } from "../options.ts";
import { TilewiseError } from "../errors.ts";
import { joinedBytes } from "../space/bytes.ts";
import type { AxisFacts, ValueFacts } from "../space/axes.ts";
import { sampleInWords } from "../space/meaning/axes.ts";
import { isSame, valuesInWords, valuesOfAll } from "../space/meaning/values.ts";
import { showShape, sizeOf } from "../space/shape.ts";
import { type Axis, StoredDataset } from "./dataset.ts";
import type { Instrument } from "./facts.ts";
import type { ChunkLayout } from "./layout/chunks.ts";
import { type FileSpan, type FrameLayout, frameLayout, framePitch, isStoredAs } from "./layout/layout.ts";
import { wholeAsChunks } from "./whole_as_chunks.ts";

/** Most relative difference of steps along an axis that counts as none. */
const ROUNDING = 1e-6;

/**
 * The series of `parts`, in their order, along a new first axis `series`. Facts that differ from part to part are left out of
 * the result; what decides where samples are must be the same. Errors: `invalid` for parts that do not agree, `unsupported` for
 * parts whose samples cannot be put together where they lie.
 */
export function stacked(parts: readonly StoredDataset[]): StoredDataset {
  const [first, ...others] = parts;
  if (!first) throw new TilewiseError("invalid", "A series needs a data set", { expected: 1, found: 0 });
  for (const other of others) mustAgree(first, other);
  const { detection, navShape, dtype, byteOrder } = first;
  const names = parts.map(({ source }) => source);
  const why = [...detection.why, `${parts.length} sources of one shape are a series`];
  const valid = validOf(parts), values = valuesOfAll(parts.map((part) => part.values), dtype);
  return new StoredDataset({
    source: others.length === 0 ? first.source : `${first.source} and ${others.length} more`,
    array: parts.every(({ array }) => array === first.array) ? first.array : "",
    detection: { ...detection, why },
    navShape: [parts.length, ...navShape],
    layout: layoutOf(parts, byteOrder, dtype),
    beside: parts.flatMap(({ beside }) => beside),
    warnings: [...new Set(parts.flatMap(({ warnings }) => warnings)), ...correctionWarning(parts)],
    axes: [newAxis(parts, values), ...first.axes.map((_, d) => axisOf(parts, d))],
    values,
    instrument: sharedFacts(parts),
    metadata: { series: names },
    filesRead: [...new Set(parts.flatMap(({ filesRead }) => filesRead))],
    ...defined({ valid }),
  });
}

/** The new axis: that of what the parts are of, such as channels, if they differ in one; else a series, with names for what differs. */
function newAxis(parts: readonly StoredDataset[], { of: shared = [] }: ValueFacts): AxisFacts {
  const own = parts.map(({ values: { of = [] } }) =>
    of.filter((axis) => !shared.some((one) => isSame(one, axis)))
  );
  const names = own.map((of) => of.map(sampleInWords).filter((word) => word !== "").join(", "));
  const [first, ...others] = own.map(([only, more]) => more ? undefined : only);
  const { name, kind, unit } = first ?? {};
  if (first && others.every((axis) => axis?.name === name && axis?.kind === kind)) {
    const all = [first, ...others as AxisFacts[]];
    if (all.every(({ names }) => names)) return { ...defined({ name, kind }), names };
    const isMeasured = all.every((axis) =>
      !axis.names && axis.unit === unit && (unit ?? axis.offset) !== undefined
    );
    if (isMeasured) {
      return {
        ...defined({ name, kind, unit }),
        positions: all.map(({ offset = 0 }) => offset),
      };
    }
  }
  return { name: nameIn(parts[0]!), kind: "series", ...(names.some((name) => name !== "") ? { names } : {}) };
}

/** The name of the new axis; one that has it already may be there. */
function nameIn({ axes }: StoredDataset): string {
  return axes.some(({ name }) => name === "series") ? "sources" : "series";
}

/** Refuses a data set that cannot stand beside another in a series. */
function mustAgree(first: StoredDataset, other: StoredDataset): void {
  const differ = (what: string, of: (one: StoredDataset) => string): void => {
    const [expected, found] = [of(first), of(other)];
    if (expected === found) return;
    const text = `Cannot make one series of ${first.source} and ${other.source}: ${what} ${expected} and ` +
      `${found}; --each takes them one by one`;
    throw new TilewiseError("invalid", text, { file: other.source, expected, found });
  };
  differ("their shapes are", ({ navShape, sigShape }) => `${showShape(navShape)} | ${showShape(sigShape)}`);
  differ("their samples are", ({ dtype, byteOrder }) => `${byteOrder}-endian ${dtype}`);
  differ(
    "their values are",
    ({ values: { of: _, ...values } }) => [values.kind, valuesInWords(values)].join(" "),
  );
  differ("their axes are", ({ axes }) => axes.map(axisText).join(", "));
  first.axes.forEach(({ name, scale }, d) => {
    const found = other.axes[d]!.scale;
    const isEqual = scale === found || Math.abs(found! / scale! - 1) <= ROUNDING;
    if (!isEqual) differ(`their steps along ${name} are`, ({ axes }) => String(axes[d]!.scale));
  });
}

function axisText({ name, kind, unit, positions, names, upwards }: Axis): string {
  const listed = [positions && `at ${positions.join(" ")}`, names && `of ${names.join(" ")}`];
  return [name, kind && `(${kind})`, unit, upwards && "upwards", ...listed].filter((part) => part).join(" ");
}

/** What all parts say of an axis: where sample 0 is, only if they agree. */
function axisOf(parts: readonly StoredDataset[], d: number): Axis {
  const { offset, ...axis } = parts[0]!.axes[d]!;
  const isShared = parts.every(({ axes }) => axes[d]!.offset === offset);
  return isShared && offset !== undefined ? { ...axis, offset } : axis;
}

/** The facts about the microscope that all parts share. */
function sharedFacts([first, ...others]: readonly StoredDataset[]): Instrument {
  const isShared = ([name, value]: [string, unknown]) =>
    others.every(({ instrument }) =>
      JSON.stringify(instrument[name as keyof Instrument]) === JSON.stringify(value)
    );
  return Object.fromEntries(Object.entries(first!.instrument).filter(isShared));
}

/** Corrections are those of one file each. */
function correctionWarning(parts: readonly StoredDataset[]): string[] {
  const { length } = parts.filter(({ corrections }) => corrections);
  return length === 0 ? [] : [
    `The corrections that come with ${length} of the ${parts.length} sources are not applied to the series: ` +
    "they are of one source each",
  ];
}

/** Which images are valid, over all parts; `undefined` if all are. */
function validOf(parts: readonly StoredDataset[]): Uint8Array | undefined {
  if (!parts.some(({ valid }) => valid)) return undefined;
  const all = parts.map(({ valid, frames, syncOffset }) =>
    valid?.slice(syncOffset, syncOffset + frames) ?? new Uint8Array(frames).fill(1)
  );
  return joinedBytes(all);
}

/** Where the samples of all parts lie. */
function layoutOf(
  parts: readonly StoredDataset[],
  byteOrder: StoredDataset["byteOrder"],
  dtype: StoredDataset["dtype"],
): FrameLayout {
  for (const part of parts) mustBeWhole(part);
  const [{ layout: like, frames, sigShape, navShape }] = parts as [StoredDataset];
  if (parts.every(({ layout }) => isLike(layout, like))) {
    return { ...like, files: parts.flatMap((part, n) => spansOf(part, n * frames)) };
  }
  const chunks = stackedChunks(parts);
  const files = parts.flatMap(({ layout }) => layout.files);
  const images = parts.length * sizeOf(navShape);
  const own = files.map(({ source }, n) => ({
    source,
    start: n === 0 ? 0 : images,
    end: images,
    headerBytes: 0,
  }));
  return frameLayout({ files: own, sigShape, dtype, byteOrder, storage: { kind: "chunks", chunks } });
}

/** Blank positions in the middle of a series have no image to show. */
function mustBeWhole({ source, images, frames, syncOffset }: StoredDataset): void {
  if (syncOffset >= 0 && syncOffset + frames <= images) return;
  const text =
    `Cannot make ${source} a part of a series: ${frames} positions show ${images} images from image ` +
    `${syncOffset} on, so that some are blank; give --nav`;
  throw new TilewiseError("unsupported", text, { file: source, expected: frames, found: images });
}

/** Whether frames follow each other in both layouts, and are stored in the same way. */
function isLike(layout: FrameLayout, like: FrameLayout): boolean {
  const key = ({ frameHeaderBytes, frameFooterBytes, storedBytes, storage }: FrameLayout) =>
    JSON.stringify([frameHeaderBytes, frameFooterBytes, storedBytes, storage]);
  return isStoredAs(layout, "contiguous") && isStoredAs(like, "contiguous") && key(layout) === key(like);
}

/** The files of a part, of which the shown images begin with image `first` of the series. */
function spansOf({ layout, frames, syncOffset }: StoredDataset, first: number): FileSpan[] {
  const pitch = framePitch(layout);
  return layout.files.flatMap(({ source, start, end, headerBytes }) => {
    const [from, to] = [Math.max(start, syncOffset), Math.min(end, syncOffset + frames)];
    if (from >= to) return [];
    return [{
      source,
      start: first + from - syncOffset,
      end: first + to - syncOffset,
      headerBytes: headerBytes + (from - start) * pitch,
    }];
  });
}

/** The chunks of all parts, one part after another along a new first dimension. */
function stackedChunks(parts: readonly StoredDataset[]): ChunkLayout {
  const all = parts.map((part) => wholeAsChunks(part, "make one series with"));
  const [like] = all as [ChunkLayout];
  const key = ({ chunk, order, itemSize, filters, plainEdges, clipped, fill, keyed, shards }: ChunkLayout) =>
    JSON.stringify([chunk, order, itemSize, filters, plainEdges, clipped, fill && [...fill], !keyed, shards]);
  const other = all.findIndex((one) => one.keyed || key(one) !== key(like));
  if (other >= 0) throw notAlike(parts[0]!, parts[other || 1] ?? parts[0]!);
  const cells = all.reduce((sum, { addresses }) => sum + addresses.length, 0);
  const joined = {
    addresses: new Float64Array(cells),
    sizes: new Uint32Array(cells),
    masks: new Uint32Array(all.some(({ masks }) => masks.length > 0) ? cells : 0),
    files: new Uint32Array(cells),
  };
  let [at, file] = [0, 0];
  for (const [n, { addresses, sizes, masks, files }] of all.entries()) {
    joined.addresses.set(addresses, at);
    joined.sizes.set(sizes, at);
    if (masks.length > 0) joined.masks.set(masks, at);
    for (let cell = 0; cell < addresses.length; cell++) joined.files[at + cell] = file + (files?.[cell] ?? 0);
    at += addresses.length;
    file += parts[n]!.layout.files.length;
  }
  const most = Math.max(...all.map(({ most = 0 }) => most));
  return {
    ...like,
    ...joined,
    ...(most > 0 ? { most } : {}),
    shape: [parts.length, ...like.shape],
    chunk: [1, ...like.chunk],
    ...(like.order ? { order: [0, ...like.order.map((d) => d + 1)] } : {}),
  };
}

function notAlike(first: StoredDataset, other: StoredDataset): TilewiseError {
  const text = `Cannot make one series of ${first.source} and ${other.source}: their chunks are stored in ` +
    "different ways, or by keys as those of Zarr; convert them to .npy first, or take --each";
  return new TilewiseError("unsupported", text, { file: other.source });
}
