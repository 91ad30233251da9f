/**
 * The arrays of an HDF5 file as data sets; loaded when a file is opened.
 *
 * @module
 */

import { helpersOf, scalingIn, valuesOf } from "./conventions/programs.ts";
import { StoredDataset } from "../../dataset/dataset.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { type FrameLayout, isStoredAs, storedAs } from "../../dataset/layout/layout.ts";
import { contiguous } from "../../dataset/layout/storage.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { fileDataset } from "../common/arrange.ts";
import { isMissing, isOutside } from "../common/beside.ts";
import { noSuchArray } from "../common/array_names.ts";
import type { FormatInput, Some, Wanted } from "../common/format.ts";
import { axesThatFit } from "../../dataset/said_axes.ts";
import { cfFacts, signedAs } from "../common/cf.ts";
import { defined } from "../../options.ts";
import { asStored, axesOver, scaleWarnings, splitAsSaid, splitOf } from "../common/kinds.ts";
import type { OpenOptions } from "../common/options.ts";
import { asArray, filterName, type Hdf5Array } from "./arrays/arrays.ts";
import { assemble, type Beside, besideOf } from "./arrays/assembled.ts";
import { readAttributes } from "./metadata/attributes.ts";
import { type ArrayFacts, factsOf } from "./conventions/axes.ts";
import { defaultIn, withScale } from "./conventions/nexus.ts";
import { typeWords } from "./metadata/datatype.ts";
import { openWhole, seriesOf } from "./arrays/family.ts";
import type { Hdf5File } from "./metadata/file.ts";
import { maskBeside, toldOf } from "./conventions/nexus_detector.ts";
import { MESSAGE, readMessages } from "./metadata/object_header.ts";
import { datasetOf, describe, type Found, type Problem, resolve, walkFile } from "./metadata/objects.ts";
import { isStream, STREAM_PROBLEM } from "./conventions/velox.ts";
import { withExtent } from "./arrays/virtual_extent.ts";

/** Opens the wanted arrays; those that cannot be read become warnings of the others, or the error if there are no others. */
export async function openSome(input: FormatInput, options: OpenOptions, wanted: Wanted): Promise<Some> {
  const file = await openWhole(input.source, input, options.signal);
  const beside = besideOf(input, options);
  const found = await walkFile(file, beside.openExternal);
  const known = found.datasets.map(asArray).filter((array) => array !== undefined);
  const arrays = known.filter(({ dataset }) => !isStream(dataset.path));
  const isPacked = arrays.length < known.length;
  const { stacks, others } = seriesOf(arrays);
  const all = [...stacks, ...(options.array === undefined ? others : arrays)];
  const named = all.filter(({ dataset }) => isWanted(dataset.path, options.array));
  const chosen = named.length === 0 ? await otherwiseNamed(file, options.array, beside) : named;
  if (chosen.length > 0 && isStream(chosen[0]!.dataset.path)) throw streamError(input, chosen[0]!);
  if (chosen.length === 0 && options.array !== undefined) throw notThere(input, options.array, all, found);
  const helpers = await helpersOf(all, found);
  const { largest = false, most = largest ? 1 : Infinity } = wanted;
  const sorted = largest ? bySize(chosen, helpers) : largestFirst(chosen, most, helpers);
  const meant = options.array === undefined && (largest || wanted.asSeries || most < chosen.length)
    ? await defaultOf(file, found, sorted, beside)
    : {};
  const order = meant.array ? [meant.array, ...sorted.filter((one) => one !== meant.array)] : sorted;
  const opened: StoredDataset[] = [];
  const problems = [
    ...found.problems,
    ...meant.problems ?? [],
    ...(isPacked ? [{ path: "/Data/SpectrumStream", text: STREAM_PROBLEM }] : []),
  ];
  let next = 0;
  for (; next < order.length && opened.length < most; next++) {
    const array = order[next]!;
    try {
      const one = await openArray(input, array, found, beside, options);
      opened.push(helpers.has(array) ? new StoredDataset({ ...one, auxiliary: true }) : one);
    } catch (error) {
      const isLost = isMissing(error) || isOutside(error);
      if (!isOfArray(error, array) || chosen.length === 1 || (largest && isLost)) throw error;
      problems.push({ path: array.dataset.path, text: error.message });
    }
  }
  if (largest && !beside.allowMissing && options.array === undefined && !meant.array) {
    checkLinks(input, found, order);
  }
  if (opened.length === 0 && problems.length > 0) {
    const text = `Cannot read an array of ${input.name}: ${tell(problems).join("; ")}`;
    throw new TilewiseError("unsupported", text, { file: input.name });
  }
  const left = order.slice(next).map((one) => ({
    array: one.dataset.path,
    byteLength: bytesOf(one),
    auxiliary: helpers.has(one),
  }));
  return {
    arrays: problems.length > 0 ? opened.map((one) => withProblems(one, problems)) : opened,
    left,
    ...(largest && meant.array ? { taken: "what the file says is shown first" } : {}),
    ...defined({ main: meant.array?.dataset.path }),
  };
}

/** The array that NeXus says is meant where none is chosen. */
async function defaultOf(
  file: Hdf5File,
  found: Found,
  arrays: readonly Hdf5Array[],
  { openExternal }: Beside,
): Promise<{ readonly array?: Hdf5Array; readonly problems?: readonly Problem[] }> {
  const path = await defaultIn(file, openExternal);
  if (path === undefined) return {};
  const address = await resolve(file, path, openExternal);
  const own = address === undefined ? undefined : datasetOf(found, { file, address });
  const array = arrays.find(({ dataset }) => dataset.path === path || dataset === own) ??
    arrays.find(({ dataset }) => dataset.path.startsWith(`${path}/`)); // a group without a signal
  const text =
    `What the file says is shown first, ${path}, is not an array that can be read: the largest is taken`;
  return array ? { array } : { problems: [{ path, text }] };
}

function streamError({ name }: FormatInput, { dataset: { path } }: Hdf5Array): TilewiseError {
  const text = `Cannot read ${path} of ${name}: ${STREAM_PROBLEM}`;
  return new TilewiseError("unsupported", text, { file: name, option: "array", found: path });
}

/** The largest first; arrays that describe other arrays last. */
function bySize(arrays: readonly Hdf5Array[], helpers: ReadonlySet<Hdf5Array>): Hdf5Array[] {
  return arrays.map((array) => ({ array, isHelper: helpers.has(array), size: bytesOf(array) }))
    .sort((a, b) => Number(a.isHelper) - Number(b.isHelper) || b.size - a.size)
    .map(({ array }) => array);
}

/** As they are, but the `most` largest in front of the others. */
function largestFirst(
  arrays: readonly Hdf5Array[],
  most: number,
  helpers: ReadonlySet<Hdf5Array>,
): readonly Hdf5Array[] {
  if (arrays.length <= most) return arrays;
  const front = new Set(bySize(arrays, helpers).slice(0, most));
  return [...arrays.filter((one) => front.has(one)), ...arrays.filter((one) => !front.has(one))];
}

/** Bytes of the samples; shapes may be beyond any measure. */
function bytesOf({ shape, sample }: Hdf5Array): number {
  return shape.reduce((product, n) => product * n, dtypeInfo(sample.dtype).itemSize);
}

/** An array behind a broken link may be larger than those in the file, so the user must choose an array. */
function checkLinks({ name }: FormatInput, { problems }: Found, arrays: readonly Hdf5Array[]): void {
  const lost = problems.filter(({ isLost }) => isLost);
  if (lost.length === 0) return;
  const known = arrays.slice(0, MOST_NAMES).map(({ dataset: { path } }) => `"${path}"`).join(", ");
  const text = `Cannot choose an array of ${name}: ${tell(lost).join("; ")}; say which one is meant by ` +
    `the option array (${known || "none is left"}), or leave out what is missing by the option allowMissing`;
  throw new TilewiseError("not-found", text, { file: name });
}

/** The array behind a path by which the walk through the file did not come: objects may have several names. */
async function otherwiseNamed(
  file: Hdf5File,
  asked: string | undefined,
  { openExternal }: Beside,
): Promise<Hdf5Array[]> {
  if (asked === undefined) return [];
  const address = await resolve(file, asked, openExternal);
  if (address === undefined) return [];
  const messages = await readMessages(file, address);
  if (!messages.some(({ type }) => type === MESSAGE.layout)) return [];
  const path = asked.startsWith("/") ? asked : `/${asked}`;
  const array = asArray(await describe(file, path, messages, address));
  return array ? [array] : [];
}

/** Whether an error concerns one array only, so that other arrays of the file can be read: the file is not damaged. */
function isOfArray(error: unknown, { dataset: { isExternal } }: Hdf5Array): error is TilewiseError {
  return isTilewiseError(error, "unsupported") || isMissing(error) || isOutside(error) ||
    (isExternal && isTilewiseError(error, "truncated"));
}

/** Why the array that was asked for cannot be had. */
function notThere(
  { name }: FormatInput,
  asked: string,
  arrays: readonly Hdf5Array[],
  { datasets, problems }: Found,
): TilewiseError {
  const other = datasets.find(({ path }) => isWanted(path, asked));
  if (other) {
    const text = `Cannot read ${other.path} of ${name}: its elements are ${typeWords(other.type)}; ` +
      "arrays of whole numbers, of floats of 16, 32 or 64 bits and of complex numbers can be read";
    return new TilewiseError("unsupported", text, { file: name });
  }
  const wanted = asked.startsWith("/") ? asked : `/${asked}`;
  const own = problems.filter(({ path }) => wanted === path || wanted.startsWith(`${path}/`));
  if (own.length > 0) {
    const text = `Cannot read ${wanted} of ${name}: ${tell(own).join("; ")}`;
    return new TilewiseError("unsupported", text, { file: name });
  }
  return noSuchArray(name, asked, arrays.map(({ dataset: { path } }) => path));
}

/** Names of arrays that are told. */
const MOST_NAMES = 20;

/** Problems in words, not too many. */
function tell(problems: readonly Problem[]): string[] {
  const some = problems.slice(0, MOST_PROBLEMS).map(({ text }) => text);
  const rest = problems.length - some.length;
  return rest > 0 ? [...some, `and ${rest} more such problems`] : some;
}

/** Adds to each array a warning about the arrays of the file that could not be read. */
function withProblems(dataset: StoredDataset, problems: readonly Problem[]): StoredDataset {
  return new StoredDataset({ ...dataset, warnings: [...dataset.warnings, ...tell(problems)] });
}

/** Problems that are told. */
const MOST_PROBLEMS = 8;

/** The names of arrays have a slash in front, which need not be typed. */
function isWanted(path: string, asked: string | undefined): boolean {
  return asked === undefined || path === asked || path === `/${asked}`;
}

async function openArray(
  input: FormatInput,
  stored: Hdf5Array,
  found: Found,
  beside: Beside,
  options: OpenOptions,
): Promise<StoredDataset> {
  const isVirtual = stored.dataset.layout.kind === "virtual";
  const whole = isVirtual ? await withExtent(stored, beside.openSource) : stored;
  const said = await readAttributes(whole.dataset.file, whole.dataset.messages);
  const array = { ...whole, sample: { ...whole.sample, dtype: signedAs(whole.sample.dtype, said) } };
  const { dataset, shape, sample: { inner } } = array;
  const { problems, frame, isBlueFirst, ...facts } = await tryFacts(array, found);
  const split = splitOf(
    shape,
    facts.axes,
    options,
    2 + inner.length,
    facts.axes.length > 0 ? frame : undefined,
  );
  const sig = Math.min(split.sig, shape.length);
  checkSeries(array, found, beside);
  const { layout: own, warnings } = await assemble(array, sig, beside);
  const layout = isBlueFirst ? redFirst(own) : own;
  const navShape = shape.slice(0, shape.length - sig);
  const native = { images: sizeOf(navShape), navShape, sigShape: layout.sigShape };
  const parent = dataset.path.replace(/\/[^/]*$/, "") || "/";
  const { DIMENSION_LIST: _scales, REFERENCE_LIST: _arrays, ...attributes } = said; // addresses
  const scaled = await withScale(dataset, attributes, found);
  const signal = found.groups.get(`${parent}/metadata/Signal`);
  const opened = fileDataset(input, {
    ...facts,
    ...native,
    array: options.array ?? dataset.path,
    keepsFrames: isStoredAs(layout, "contiguous") ? undefined : "it is stored in chunks",
    layout,
    warnings: [
      ...warnings,
      ...problems,
      ...(isBlueFirst && layout === own ? ["Colours are shown as they are stored: blue, green, red"] : []),
      ...maskWarnings(input.source.name, found, dataset),
      ...await toldOf(found, dataset.path),
      ...scaleWarnings(scalingIn(scaled, signal)),
      ...cfFacts(attributes, layout.dtype).warnings,
    ],
    ...valuesOf(layout.dtype, scaled, signal),
    axes: (given) => ({ axes: facts.axes.length === 0 ? [] : axesOver(given, native, facts.axes) }),
    metadata: {
      path: dataset.path,
      storage: dataset.layout.kind,
      ...(isStoredAs(layout, "chunks") ? { chunks: layout.storage.chunks.chunk } : {}),
      filters: dataset.filters.map(({ id, name }) => filterName(id) ?? name),
      attributes,
      ...(found.groups.has(parent) ? { group: found.groups.get(parent) } : {}),
    },
  }, asStored(options, split));
  return await splitAsSaid(opened, split, options);
}

/** Pixels with red first, of samples that were stored with blue first; as they are where their frames are chunks, or no whole pixels. */
function redFirst(layout: FrameLayout): FrameLayout {
  const channels = layout.sigShape.at(-1);
  if (channels === undefined || !isStoredAs(layout, "contiguous")) return layout;
  return storedAs(layout, contiguous({ id: "bgra", params: { channels } }));
}

/** Refuses a series with a broken link: frames after it would get the numbers of other frames. */
function checkSeries(
  { parts, dataset: { path, file } }: Hdf5Array,
  found: Found,
  { allowMissing }: Beside,
): void {
  if (!parts || allowMissing) return;
  const lost = found.problems.filter((one) => one.path.replace(/_\d{6}$/, "") === path);
  if (lost.length === 0) return;
  const text = `Cannot read the series ${path} of ${file.name}: ${tell(lost).join("; ")}; ` +
    "with the option allowMissing the others are shown as one stack";
  throw new TilewiseError("not-found", text, { file: file.name });
}

/** Facts about an array from the file; samples can be read without them. */
async function tryFacts(
  array: Hdf5Array,
  found: Found,
): Promise<ArrayFacts & { readonly problems: readonly string[] }> {
  try {
    const { axes: said, ...others } = await factsOf(array, found);
    const { path, file } = array.dataset;
    const { axes, warnings } = axesThatFit(`${path} of ${file.name}`, array.shape, said);
    return { ...others, axes, problems: warnings };
  } catch (error) {
    if (!isTilewiseError(error) || error.code === "aborted") throw error;
    return { axes: [], instrument: {}, problems: [`Axes and instrument are not known: ${error.message}`] };
  }
}

/** Says that a mask of bad pixels is there: it is not applied, as its pixels may have any value. */
function maskWarnings(name: string, found: Found, dataset: Hdf5Array["dataset"]): string[] {
  const mask = maskBeside(found, dataset);
  if (mask === undefined) return [];
  return [
    `The mask of bad pixels, array ${mask}, is not applied, so that they are counted: give it to the run as the ` +
    `option excluded; a command takes it as ${name}#${mask}`,
  ];
}
