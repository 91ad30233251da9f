/**
 * How HyperSpy describes a signal, in HDF5 and in Zarr alike: a group for each dimension beside the samples, which says whether it is
 * navigation or signal. Axes with uneven steps have an array of their positions, or a function of another axis.
 *
 * ```
 * …/data  …/axis-0 {name scale offset units navigate}  …/axis-1 {name units navigate}  …/axis-1/axis
 *         …/axis-2 {name units navigate expression: "a * x ** 2", a}  …/axis-2/x {scale offset size}
 *         …/metadata/Signal {signal_type quantity}
 * ```
 *
 * @module
 */

import type { SaidAxis } from "../../dataset/said_axes.ts";
import { defined } from "../../options.ts";
import type { Ast } from "../../expr/language/parser.ts";
import type { Shape } from "../../space/shape.ts";
import { axesOfSignal, kindsBySignal, kindsByUnit } from "../../space/meaning/said_kinds.ts";

/** The attributes of the group at a path beside the samples, if it is there. */
export type BesideSamples = (path: string) => Readonly<Record<string, unknown>> | undefined;

/** How it writes that something is not known. */
const UNSET = /^(|\.|_None_|<undefined>(,<undefined>)*|t\.BaseUndefined)$/;

/** The name of an axis, if it has one. */
export function named(name: unknown): { name?: string } {
  return typeof name === "string" && !UNSET.test(name) ? { name } : {};
}

/** `[n_m^-1]` of EMD as `1/nm`, `A^-1` and `$A^{-1}$` as `1/A`; nothing for pixels. */
export function unit(units: unknown): { unit?: string } {
  if (typeof units !== "string" || UNSET.test(units)) return {};
  const text = /^\$.*\$$/.test(units) ? units.replace(/[${}]/g, "") : units; // as TeX has it
  const plain = (/^\[.*\]$/.test(text) ? text.slice(1, -1).replaceAll("_", "") : text).trim();
  if (plain === "" || /^(pixels?|px|None)$/i.test(plain)) return {};
  const [, inverse] = /^(.+)\^-1$/.exec(plain) ?? [];
  return { unit: inverse === undefined ? plain : `1/${inverse}` };
}

/** Records of three or four equal numbers are colours. What lies in front of colours without a name are rows and columns. */
export function withColours(inner: Shape, axes: readonly SaidAxis[]): SaidAxis[] {
  const isColour = inner.length === 1 && (inner[0] === 3 || inner[0] === 4);
  const all = [...axes, ...inner.map((): SaidAxis => isColour ? { kind: "colour" } : {})];
  if (all.at(-1)?.kind !== "colour") return all;
  const isPixel = (axis: SaidAxis, d: number) => d >= all.length - 3 && !(axis?.name ?? axis?.kind);
  return all.map((axis, d): SaidAxis => isPixel(axis, d) ? { ...axis, kind: "space" } : axis);
}

/** The axes of an array of `rank` dimensions, `isData` where it is called so; `undefined` if HyperSpy has not written it. */
export async function hyperspyAxes(
  beside: BesideSamples,
  rank: number,
  isData: boolean,
  positionsAt: (path: string) => Promise<number[] | undefined>,
): Promise<SaidAxis[] | undefined> {
  const groups: Readonly<Record<string, unknown>>[] = [];
  const next = () => beside(`axis-${groups.length}`);
  for (let group = next(); group; group = next()) groups.push(group);
  if (groups.length === 0 || groups.length !== rank && !isData) return undefined;
  const axes = await Promise.all(
    groups.map(async (group, d) => {
      const of = (path: string) => positionsAt(`axis-${d}/${path}`);
      return axisOf(
        group,
        await of("axis") ?? await placesOf(group, beside(`axis-${d}/x`), await of("x/axis")),
      );
    }),
  );
  if (!groups.every(({ navigate }) => typeof navigate === "boolean")) return kindsByUnit(axes);
  const signal = groups.map(({ navigate }) => !navigate);
  return kindsBySignal(axesOfSignal(axes, signal, beside("metadata/Signal")?.["signal_type"]), signal);
}

function axisOf(
  { name, scale, offset, units, size }: Readonly<Record<string, unknown>>,
  positions: number[] | undefined,
): SaidAxis {
  const number = (value: unknown) => value === undefined ? undefined : Number(value); // JSON has NaN as a text
  const own = { ...named(name), ...unit(units), ...defined({ size: number(size) }) };
  if (positions) return { ...own, positions };
  const isPlain = scale === 1 && offset === 0 && own.unit === undefined; // what is written without a calibration
  return isPlain ? own : { ...own, ...defined({ scale: number(scale), offset: number(offset) }) };
}

/** An object of attributes. */
type Group = Readonly<Record<string, unknown>>;

/** Where the samples of a functional axis lie: its expression, as SymPy has it, of the places of the axis `x`; NaN where it is not understood. */
async function placesOf(
  group: Group,
  x: Group | undefined,
  uneven: readonly number[] | undefined,
): Promise<number[] | undefined> {
  const { expression } = group;
  if (typeof expression !== "string") return undefined;
  const { scale, offset, size } = x ?? {};
  const count = Math.min(Number(size ?? group["size"] ?? 0), MOST_PLACES);
  const places = uneven ?? Array.from({ length: count }, (_, n) => Number(offset) + n * Number(scale));
  const { parse } = await import("../../expr/language/parser.ts");
  const tree = await Promise.resolve(expression).then(parse).catch(() => undefined);
  return places.map((place) => tree ? valueOf(tree, { pi: Math.PI, E: Math.E, ...group, x: place }) : NaN);
}

/** Most places that are computed. */
const MOST_PLACES = 65536;

const OPERATORS: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "**": (a, b) => a ** b,
};

const FUNCTIONS = ["sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"];

function valueOf(tree: Ast, numbers: Group): number {
  if (tree.kind === "number") return tree.value;
  if (tree.kind === "name") return Number(numbers[tree.name]);
  if (tree.kind === "unary" && tree.operator === "-") return -valueOf(tree.argument, numbers);
  if (tree.kind === "binary" && tree.operator in OPERATORS) {
    return OPERATORS[tree.operator]!(valueOf(tree.left, numbers), valueOf(tree.right, numbers));
  }
  const isKnown = tree.kind === "call" && FUNCTIONS.includes(tree.name) && tree.args.length === 1;
  return isKnown ? Math[tree.name as "sqrt"](valueOf(tree.args[0]!, numbers)) : NaN;
}
