/**
 * HDF5 and what is built on it: NeXus, HyperSpy, EMD, py4DSTEM, Dectris. Every array of numbers is a data set.
 *
 * @module
 */

import { Dataset } from "../../dataset/dataset.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { sizeOf } from "../../space/shape.ts";
import { arrange } from "../arrange.ts";
import type { Format, FormatInput } from "../format.ts";
import type { OpenOptions } from "../options.ts";
import { asArray, type Hdf5Array, layoutOf } from "./arrays.ts";
import { readAttributes } from "./attributes.ts";
import { axesOf, instrumentOf } from "./axes.ts";
import { Hdf5File } from "./file.ts";
import { filterName } from "../../codecs/filters/registry.ts";
import { type Found, walkFile } from "./objects.ts";

/** HDF5 files. */
export const hdf5: Format = {
  id: "hdf5",
  title: "HDF5",
  extensions: ["h5", "hdf5", "hspy", "nxs", "emd", "de5"],
  detect: ({ head }) =>
    Hdf5File.hasSignature(head)
      ? { claim: "yes", why: "has the signature of HDF5, \\x89HDF" }
      : { claim: "no", why: "has no HDF5 signature" },
  open: openHdf5,
};

async function openHdf5(input: FormatInput, options: OpenOptions): Promise<Dataset[]> {
  const file = await Hdf5File.open(input.source, options.signal);
  const found = await walkFile(file, (name) => openBeside(input, name, options.signal));
  const arrays = found.datasets.map(asArray).filter((array) => array !== undefined);
  const chosen = arrays.filter(({ dataset }) => isWanted(dataset.path, options.array));
  const opened: Dataset[] = [];
  const problems: string[] = [...found.problems];
  for (const array of chosen) {
    try {
      opened.push(await openArray(input, array, found, options));
    } catch (error) {
      if (!isTilewiseError(error, "unsupported") || chosen.length === 1) throw error;
      problems.push(error.message);
    }
  }
  if (opened.length === 0 && problems.length > 0) {
    throw new TilewiseError("unsupported", `Cannot read an array of ${input.name}: ${problems.join("; ")}`, {
      file: input.name,
    });
  }
  return opened;
}

/** The names of arrays have a slash in front, which need not be typed. */
function isWanted(path: string, asked: string | undefined): boolean {
  return asked === undefined || path === asked || path === `/${asked}`;
}

/** The file that a link names, if it lies beside this one. */
async function openBeside(
  input: FormatInput,
  name: string,
  signal?: AbortSignal,
): Promise<Hdf5File | undefined> {
  try {
    return await Hdf5File.open(await input.openSibling(name.replace(/^.*[/\\]/, "")), signal);
  } catch (error) {
    if (isTilewiseError(error, "not-found")) return undefined;
    throw error;
  }
}

async function openArray(
  input: FormatInput,
  array: Hdf5Array,
  found: Found,
  options: OpenOptions,
): Promise<Dataset> {
  const { dataset, shape, sample: { inner } } = array;
  const sig = Math.min(options.sigDims ?? 2 + inner.length, shape.length);
  const layout = await layoutOf(array, sig);
  const navShape = shape.slice(0, shape.length - sig);
  const native = { name: input.name, images: sizeOf(navShape), navShape, sigShape: layout.sigShape };
  const arranged = arrange(native, layout.chunks ? { ...options, ...noReshape(options, array) } : options);
  const parent = dataset.path.replace(/\/[^/]*$/, "") || "/";
  return new Dataset({
    source: input.source.name,
    array: options.array ?? dataset.path,
    detection: input.detection,
    navShape: arranged.navShape,
    layout: { ...layout, sigShape: arranged.sigShape },
    syncOffset: arranged.syncOffset,
    warnings: arranged.warnings,
    axes: await axesOf(array, found),
    instrument: instrumentOf(array, found),
    metadata: {
      path: dataset.path,
      storage: dataset.layout.kind,
      ...(layout.chunks ? { chunks: layout.chunks.chunk } : {}),
      filters: dataset.filters.map(({ id, name }) => filterName(id) ?? name),
      attributes: await readAttributes(dataset.file, dataset.messages),
      ...(found.groups.has(parent) ? { group: found.groups.get(parent) } : {}),
    },
  });
}

/** Frames in chunks keep their shape: another one would cut through the chunks. */
function noReshape(
  { sig }: OpenOptions,
  { dataset: { file, path }, shape }: Hdf5Array,
): Pick<OpenOptions, never> {
  const own = shape.slice(shape.length - (sig?.length ?? 0));
  if (!sig || (own.length === sig.length && own.every((n, d) => n === sig[d]))) return {};
  const text =
    `Cannot open ${path} of ${file.name} with frames of ${sig.join(" × ")}: it is stored in chunks, ` +
    `so they stay ${own.join(" × ")}`;
  throw new TilewiseError("unsupported", text, { file: file.name });
}
