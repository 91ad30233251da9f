/**
 * What a source or sink must know about its array, as text: for users who write one, and for the end of every error
 * about one.
 *
 * @module
 */

import { checkOptionNames, type OptionNames } from "../../options.ts";
import { truth } from "../../options/rules.ts";
import { type Shape, showShape } from "../../space/shape.ts";
import type { ArraySchema, Extent, Hypercube } from "../cube/cube.ts";
import type { Stride } from "../cube/iterate.ts";

/**
 * Options of the help of a context.
 * @category Hypercubes
 */
export interface HelpOptions {
  /** Whether to add the tables of the whole cube. Default false. */
  readonly cube?: boolean;
}

const HELP_NAMES: OptionNames<HelpOptions> = { cube: truth };

/** What the text is made from. */
export interface HelpFacts {
  /** The name of the array. */
  readonly name: string;
  /** Its schema. */
  readonly schema: ArraySchema;
  /** Its sizes in the tile. */
  readonly shape: Shape;
  /** Its ranges in the whole problem. */
  readonly extents: readonly Extent[];
  /** The cube with its window on the tile. */
  readonly cube: Hypercube;
  /** The tiled dimensions. */
  readonly strides: readonly Stride[];
  /** Who supplies it. */
  readonly provider: string;
}

/** The text. */
export function helpText(facts: HelpFacts, options: HelpOptions = {}): string {
  checkOptionNames("help()", options, HELP_NAMES);
  return [
    summary(facts),
    ...sizes(facts),
    ...iteration(facts),
    `  supplied by: ${facts.provider}`,
    ...(options.cube ? [String(facts.cube)] : []),
  ].join("\n");
}

/** The array in one line. */
function summary({ name, schema, extents, cube }: HelpFacts): string {
  const axes = schema.shape.map((axis, d) => {
    const [lower, upper] = extents[d]!;
    if (typeof axis === "number") return `${axis}`;
    const { size, description } = cube.dimension(axis);
    return `${axis} ${lower} to ${upper} of ${size}${description && ` (${description})`}`;
  });
  const { description, units, dtype } = schema;
  const what = [description, units && `in ${units}`].filter((part) => part).join(", ");
  return `${name}: ${dtype} of [${axes.join("; ")}]${what && `: ${what}`}`;
}

function sizes({ schema, shape, extents, cube }: HelpFacts): string[] {
  const whole = schema.shape.map((axis) => typeof axis === "number" ? axis : cube.dimension(axis).size);
  return [
    `  abstract shape: ${schema.shape.join(" × ") || "scalar"}`,
    `  global shape: ${showShape(whole)}`,
    `  local shape: ${showShape(shape)}`,
    `  lower extents: ${extents.map(([lower]) => lower).join(", ") || "none"}`,
    `  upper extents: ${extents.map(([, upper]) => upper).join(", ") || "none"}`,
  ];
}

function iteration({ cube, strides }: HelpFacts): string[] {
  const steps = strides.map(([name, extent]) => `${name} of ${cube.dimension(name).size} by ${extent}`);
  return [`  iteration: ${steps.join(", ") || "one tile"}`];
}
