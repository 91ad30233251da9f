/**
 * What HyperSpy's files say of a signal, in HDF5 and in Zarr alike: axes, title, version of the format.
 *
 * @module
 */

import type { AxisFacts, AxisKind } from "../space/axes.ts";

import { defined } from "../options.ts";
import { axesOfSignal, kindsBySignal } from "../space/meaning/said_kinds.ts";
import type { Shape } from "../space/shape.ts";
import { type ArrayToWrite, scanDimensions } from "./array.ts";
import { type DescribedArray, type Keeps, MEASURED } from "./losses.ts";

/** Version of the format. */
const VERSION = "3.3";

/** What they keep of the description of an array. */
export const HYPERSPY_KEEPS: Keeps = {
  axes: { ...MEASURED, signal: true },
  kinds: hyperspyKinds,
  scan: "said",
  values: ["unit"],
};

/** Attributes by name; whole numbers are bigints. */
type Attributes = Readonly<Record<string, string | number | bigint | boolean>>;

/** Attributes of the file, and of the groups of a signal but that of its samples; `positions` where steps are not even. */
export interface HyperspySignal {
  readonly file: Attributes;
  /** Name of the group of the signal in `Experiments`. */
  readonly name: string;
  /** Attributes of groups inside it, by path. */
  readonly groups: Readonly<Record<string, Attributes>>;
}

/** What is said of a signal, of which so many dimensions are navigation. */
export function hyperspySignal(
  shape: Shape,
  nav: number,
  axes: readonly AxisFacts[] = [],
  { stem, values }: Pick<ArrayToWrite, "stem" | "values">,
): HyperspySignal {
  const all = shape.map((size, d) => [`axis-${d}`, axisOf(size, axes[d] ?? {}, d < nav)] as const);
  return {
    file: { file_format: "HyperSpy", file_format_version: VERSION },
    name: stem.replaceAll("/", "-") || "signal",
    groups: {
      ...Object.fromEntries(all),
      metadata: {},
      "metadata/General": { title: stem },
      "metadata/Signal": {
        signal_type: axes.slice(nav).find(({ signal }) => signal)?.signal ?? "",
        ...(values?.unit ? { quantity: `Intensity (${values.unit})` } : {}),
      },
      original_metadata: {},
      learning_results: {},
    },
  };
}

/** How many dimensions are navigation, unless it is said: of vectors, whose components have names, these are the signal. */
export function navigationOf(array: Pick<ArrayToWrite, "shape" | "nav" | "axes">): number {
  const { nav = Infinity, shape, axes = [] } = array;
  if (nav <= shape.length) return nav;
  const last = axes[shape.length - 1], isVector = last?.kind === undefined && last?.names !== undefined;
  if (isVector) return shape.length - 1;
  return Math.max(scanDimensions(array), axes.findIndex(({ kind }) => kind !== "scan"));
}

/** What readers take the axes of a signal for. */
function hyperspyKinds(array: DescribedArray): (AxisKind | undefined)[] {
  const { axes = [] } = array, nav = navigationOf(array);
  const said = axes.map((axis) => {
    const { kind: _kind, signal: _signal, name: _name, ...facts } = axis;
    return { ...facts, ...defined({ name: nameOf(axis) }) };
  });
  const isSignal = axes.map((_, d) => d >= nav);
  const type = axes.slice(nav).find(({ signal }) => signal)?.signal;
  return kindsBySignal(axesOfSignal(said, isSignal, type), isSignal).map(({ kind }) => kind);
}

/** How data sets call axes of which nothing is known, by their places. */
const USUAL = /^(nav\d+|sig\d+|k?[zyx]|k)$/;

/** The name of an axis; one that only stands for its place says nothing. */
function nameOf({ name, kind }: AxisFacts): string | undefined {
  return kind === undefined && USUAL.test(name ?? "") ? undefined : name;
}

function axisOf(size: number, axis: AxisFacts, navigate: boolean): Attributes {
  const { scale = 1, offset = 0, unit, positions } = axis, name = nameOf(axis);
  const own = { ...(name ? { name } : {}), ...(unit ? { units: unit } : {}), navigate, is_binned: false };
  if (positions) return { _type: "DataAxis", ...own };
  return { _type: "UniformDataAxis", ...own, size: BigInt(size), scale, offset };
}
