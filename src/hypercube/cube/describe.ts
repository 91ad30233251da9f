/**
 * A hypercube in words: tables of its dimensions, arrays and properties, and all about one of them.
 *
 * @module
 */

import type { MimeBundle } from "../../pictures/displayable.ts";
import type { DimensionMap, DimensionRules } from "./derive.ts";
import { type Dimension, dimension, extentSize } from "./dimension.ts";
import type { Property } from "./property.ts";
import { type ArraySchema, bytesOf } from "./schema.ts";
import { bytesText, type Table, tableHtml, tableText } from "./tables.ts";
import { TilewiseError } from "../../errors.ts";
import { inWords, nearest } from "../../options.ts";

/** The parts of a cube. */
interface Parts {
  readonly dimensions: DimensionMap;
  readonly arrays: ReadonlyMap<string, ArraySchema>;
  readonly properties: ReadonlyMap<string, Property>;
  readonly derivations: DimensionRules;
}

/** The tables of a cube, one after another. */
export function describeCube(parts: Parts): string {
  return tablesOf(parts).map(tableText).join("\n\n");
}

/** A cube in a notebook. */
export function cubeBundle(parts: Parts): MimeBundle {
  const tables = tablesOf(parts);
  return {
    "text/plain": tables.map(tableText).join("\n\n"),
    "text/html": tables.map(tableHtml).join(""),
  };
}

/** The tables of a cube; those of arrays and properties only if there are any. */
function tablesOf(parts: Parts): Table[] {
  const { arrays, properties } = parts;
  return [
    dimensionTable(parts),
    ...arrays.size > 0 ? [arrayTable(parts)] : [],
    ...properties.size > 0 ? [propertyTable(properties)] : [],
  ];
}

function dimensionTable({ dimensions, derivations }: Parts): Table {
  const rows = [...dimensions.values()].map((dim) => [
    dim.name,
    String(dim.size),
    `${dim.lower}:${dim.upper}`,
    derivations.get(dim.name)?.text ?? "",
    wordsOf(dim),
  ]);
  return { title: "Dimensions", columns: ["name", "size", "window", "follows", "description"], rows };
}

function wordsOf({ description, whole }: Dimension): string {
  return [description, whole ? "never cut" : ""].filter((part) => part !== "").join("; ");
}

function arrayTable({ arrays, dimensions }: Parts): Table {
  const sizes = [...arrays.values()].map((schema) => bytesOf(schema, dimensions));
  const rows = [...arrays.values()].map((schema, i) => [
    schema.name,
    bytesText(sizes[i]!),
    schema.dtype,
    `(${schema.shape.join(", ")})`,
    schema.role ?? "input",
    schema.units ?? "",
  ]);
  const total = ["total", bytesText(sizes.reduce((a, b) => a + b, 0)), "", "", "", ""];
  return {
    title: "Arrays",
    columns: ["name", "bytes", "dtype", "shape", "role", "units"],
    rows: [...rows, total],
  };
}

function propertyTable(properties: ReadonlyMap<string, Property>): Table {
  const rows = [...properties.values()].map(({ name, dtype, value, default: usual, description }) => [
    name,
    String(value),
    dtype,
    String(usual),
    description,
  ]);
  return { title: "Properties", columns: ["name", "value", "dtype", "default", "description"], rows };
}

/** All about the array, dimension or property with this name. */
export function describeName(parts: Parts, name: string): string {
  const { arrays, dimensions, properties } = parts;
  const array = arrays.get(name), property = properties.get(name);
  if (array) return describeArray(array, parts);
  if (property) {
    const { dtype, value, default: usual, description } = property;
    return `${name}: property of ${dtype}, ${value} (default ${usual})${description && `, ${description}`}`;
  }
  if (dimensions.has(name)) return describeDimension(dimensions.get(name)!, parts);
  return found(new Map([...dimensions, ...arrays, ...properties].map(([key]) => [key, ""])), name, "name");
}

function describeDimension(dim: Dimension, { derivations }: Parts): string {
  const rule = derivations.get(dim.name);
  const facts = [
    `${dim.name}: ${extentSize(dim)} of ${dim.size} samples, from ${dim.lower} to ${dim.upper}`,
    rule ? `its size is ${rule.text}` : "",
    wordsOf(dim),
  ];
  return facts.filter((fact) => fact !== "").join("; ");
}

function describeArray(schema: ArraySchema, parts: Parts): string {
  const { name, dtype, shape, role = "input", tags = [], units, description, default: usual } = schema;
  const sizes = (size: (dim: Dimension) => number) =>
    shape.map((axis) => typeof axis === "number" ? axis : size(parts.dimensions.get(axis)!)).join(" × ") ||
    "scalar";
  const own = [...new Set(shape)].flatMap((axis) =>
    typeof axis === "string" ? [`  ${describeDimension(parts.dimensions.get(axis)!, parts)}`] : []
  );
  return [
    `${name}: ${role}${description ? `, ${description}` : ""}${units ? `, in ${units}` : ""}`,
    `  dtype ${dtype}, shape (${shape.join(", ")})`,
    `  whole problem ${sizes(({ size }) => size)}, window ${sizes(extentSize)}, ${
      bytesText(bytesOf(schema, parts.dimensions))
    }`,
    ...usual === undefined ? [] : [`  default ${typeof usual === "number" ? usual : "by a function"}`],
    ...tags.length === 0 ? [] : [`  tags ${tags.join(", ")}`],
    ...own,
  ].join("\n");
}

/** What a cube has that another one has not, or has otherwise: a line per dimension, array and property. */
export function differencesOf(parts: Parts, other: Parts): string[] {
  const before = new Set(linesOf(other));
  return linesOf(parts).filter((line) => !before.has(line));
}

function linesOf({ dimensions, arrays, properties }: Parts): string[] {
  return [
    ...[...dimensions.values()].map(({ name, lower, upper, size, description }) =>
      `${name}: ${lower} to ${upper} of ${size}${description && ` (${description})`}`
    ),
    ...[...arrays.values()].map(({ name, shape, dtype, role = "input" }) =>
      `${name}: ${shape.join(" × ") || "scalar"} ${dtype}, ${role}`
    ),
    ...[...properties.values()].map(({ name, dtype, value }) => `${name}: ${value}, ${dtype}`),
  ];
}

/**
 * Dimensions of a query: names, each alone or several in one text with `,`, `:`, `;` or a space between them, and numbers,
 * which stand for fixed sizes.
 * @category Hypercubes
 */
export type DimensionQuery = readonly (string | number)[];

/**
 * The dimensions of a query, in its order; a number is a dimension of this size.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { dimension } from "@tilewise/tilewise/unstable/hypercube";
 * const dims = new Map(["a", "b"].map((name) => [name, dimension(name, 3)]));
 * assertEquals(asked(dims, ["a, b", 4]).map(({ size }) => size), [3, 3, 4]);
 * ```
 */
export function asked(dims: DimensionMap, query: DimensionQuery): Dimension[] {
  return query.flatMap((item) => {
    if (typeof item === "number") return [dimension("fixed", item)];
    if (typeof item === "string") return unpacked(item).map((name) => found(dims, name, "dimension"));
    throw noName(item, "dimension", [...dims.keys()]);
  });
}

/** The names in a text. */
export function unpacked(names: string): string[] {
  return names.split(/[\s,:;]+/).filter((name) => name !== "");
}

/** What a map has under a name; the error names the nearest known one. */
export function found<V>(map: ReadonlyMap<string, V>, name: string, kind: string): V {
  const value = map.get(name);
  if (value !== undefined) return value;
  throw noName(name, kind, [...map.keys()]);
}

function noName(name: unknown, kind: string, known: readonly string[]): TilewiseError {
  const near = typeof name === "string" ? nearest(name, known) : undefined;
  const hint = known.length === 0 ? "there are none" : `known are ${known.join(", ")}`;
  const shown = typeof name === "string" ? `"${name}"` : inWords(name);
  const text = `There is no ${kind} ${shown}; ${hint}${
    near === undefined ? "" : `; did you mean "${near}"?`
  }`;
  return new TilewiseError("invalid", text, { found: typeof name === "string" ? name : inWords(name) });
}
