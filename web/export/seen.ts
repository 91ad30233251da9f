/**
 * The part of an image that is seen, at full resolution: as an array, as files, as a command, and as a script with the same bits.
 *
 * @module
 */

import type { Dataset, NDArray } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";
import type { OpenOptions } from "@tilewise/tilewise/formats";
import type { TileSource } from "@tilewise/tilewise/web";
import { filterOf } from "../../src/analyses/mod.ts";
import { storedPieces } from "../../src/pictures/mod.ts";
import type { OpenChoices } from "../state/state.ts";
import { type Command, flagsOf, quoted } from "./code/command.ts";
import { literal } from "./code/literal.ts";
import { packageOf } from "./code/script.ts";
import type { ExportedFile } from "./data.ts";

/** What is seen of an image. */
export interface SeenPart {
  /** Rows of level 0, from the first up to, but without, the second number. */
  readonly rows: readonly [number, number];
  /** Columns, in the same way. */
  readonly columns: readonly [number, number];
  /** Position along each other dimension, by its label. */
  readonly selection: Readonly<Record<string, number>>;
  /** The dimension of which all positions are taken, such as that of channels. */
  readonly all?: { readonly label: string; readonly size: number };
}

/** What is seen, and how it is opened and filtered somewhere else. */
export interface SeenRecipe extends SeenPart {
  /** The version of Tilewise. */
  readonly version: string;
  /** Path or URL of the source. */
  readonly source: string;
  /** Whether that is only a name. */
  readonly isName: boolean;
  /** How it is opened. */
  readonly options: OpenOptions;
  /** The same as texts. */
  readonly choices: OpenChoices;
  /** Filters, as words of `tilewise map`. */
  readonly filters: readonly string[];
  /** Labels of the dimensions of the array. */
  readonly labels: readonly string[];
  /** Type of its samples. */
  readonly dtype: string;
}

/** Most bytes of a part in memory. */
const MOST = 512 * 2 ** 20;

/** The samples of a part: rows and columns of each position of `all`. Errors: `RangeError`, if they are too many for a page. */
export async function seenArray(
  source: TileSource,
  { axes }: Pick<Dataset, "axes">,
  { rows, columns, selection, all }: SeenPart,
): Promise<NDArray> {
  const [height, width] = [rows[1] - rows[0], columns[1] - columns[0]];
  const count = all?.size ?? 1;
  mustFit(count * height * width * itemSize(source.dtype));
  const planes: NDArray[] = [];
  for (let i = 0; i < count; i++) {
    const one = all ? { ...selection, [all.label]: i } : selection;
    planes.push(await source.getRaster({ rows, columns, selection: one }));
  }
  const axisOf = (label: string, start: number, size: number) =>
    croppedAxis(axes[source.labels.indexOf(label)] ?? {}, start, size);
  return {
    ...stacked(planes, [...(all ? [count] : []), height, width]),
    axes: [
      ...(all ? [axisOf(all.label, 0, count)] : []),
      axisOf("y", rows[0], height),
      axisOf("x", columns[0], width),
    ],
  };
}

function mustFit(bytes: number): void {
  if (bytes <= MOST) return;
  const text = `What is seen has ${Math.ceil(bytes / 2 ** 20)} MiB at full resolution, more than the ${
    MOST / 2 ** 20
  } MiB that a page exports. Zoom in, or use the command.`;
  throw new RangeError(text);
}

function itemSize(dtype: string): number {
  return Math.max(1, Number(/\d+$/.exec(dtype)?.[0] ?? 8) / 8);
}

function stacked(planes: readonly NDArray[], shape: readonly number[]): NDArray {
  const [{ data, dtype }] = planes as readonly [NDArray];
  const all = new (data.constructor as Uint8ArrayConstructor)(planes.length * data.length);
  planes.forEach((plane, i) => all.set(plane.data as Uint8Array, i * data.length));
  return ndarray(all as never, shape, dtype);
}

/** What is known of the samples from `start` on, `size` of them. */
function croppedAxis(axis: Partial<Dataset["axes"][number]>, start: number, size: number) {
  const { name, kind, scale, offset = 0, unit, positions, names, upwards } = axis;
  const facts = {
    name,
    kind,
    scale,
    unit,
    upwards,
    offset: scale === undefined ? undefined : offset + start * scale,
    positions: positions?.slice(start, start + size),
    names: names?.slice(start, start + size),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** The file `name` with an array: its ending says the format. */
export async function seenFile(array: NDArray, name: string): Promise<ExportedFile> {
  return { name, blob: new Blob(await storedPieces(array, name)) };
}

/** The command that makes the same samples. */
export function seenCommand(recipe: SeenRecipe, name: string): Pick<Command, "text" | "words"> {
  const { source, filters, dtype, choices } = recipe;
  const operations = filters.length > 0 ? filters : [`convert:dtype=${dtype}`];
  const box = ["--axes", "all", "--box", boxOf(recipe)];
  const words = ["map", ...operations, source, ...flagsOf(choices), ...box, "-o", name];
  return { text: ["tilewise", ...words].map(quoted).join(" "), words };
}

/** The axes that flags choose one position of. */
const FLAGS: readonly (readonly [flag: string, is: (axis: Dataset["axes"][number]) => boolean])[] = [
  ["channel", ({ kind }) => kind === "channel"],
  ["time", ({ kind }) => kind === "time"],
  ["z", ({ name }) => name === "z"],
];

/** The command that makes the table of objects of one image. */
export function objectsCommand(
  recipe: Omit<SeenRecipe, "rows" | "columns"> & Pick<Dataset, "axes">,
  threshold: number | "otsu",
  name: string,
): string {
  const { source, filters, choices, labels, axes, selection } = recipe;
  const chosen = labels.flatMap((label, d) => {
    if (/^[yx]$/.test(label) || axes[d]!.size < 2) return [];
    return [{ flag: FLAGS.find(([, is]) => is(axes[d]!))?.[0], at: selection[label] ?? 0 }];
  });
  const isPlain = chosen.every(({ flag }) => flag !== undefined);
  const [rows, columns] = ["y", "x"].map((label) => [0, axes[labels.indexOf(label)]!.size] as const);
  const which = isPlain
    ? chosen.flatMap(({ flag, at }) => [`--${flag}`, `${at}`])
    : ["--axes", "all", "--box", boxOf({ ...recipe, rows: rows!, columns: columns! })];
  const operations = isPlain && chosen.length > 0 ? filters.map((word) => ofOneImage(word, labels)) : filters;
  const words = [
    "map",
    ...operations,
    `measure:threshold=${threshold}`,
    source,
    ...flagsOf(choices),
    ...which,
    "-o",
    name,
  ];
  return ["tilewise", ...words].map(quoted).join(" ");
}

/** The same filter over one image of a stack, which has rows and columns only: `0x0x2x2` is `2` there. */
function ofOneImage(word: string, labels: readonly string[]): string {
  return word.replace(/=([\d.]+(?:x[\d.]+)+)/g, (all, text: string) => {
    const parts = text.split("x");
    if (parts.length !== labels.length) return all;
    const [y, x] = ["y", "x"].map((label) => parts[labels.indexOf(label)]);
    return y === x ? `=${y}` : `=${y}x${x}`;
  });
}

/** `start:stop` for each dimension of the array. */
function boxOf(
  { labels, rows, columns, selection, all }: Pick<
    SeenRecipe,
    "labels" | "rows" | "columns" | "selection" | "all"
  >,
): string {
  return labels.map((label) => {
    if (label === "y") return rows.join(":");
    if (label === "x") return columns.join(":");
    if (label === all?.label) return `0:${all.size}`;
    const at = selection[label] ?? 0;
    return `${at}:${at + 1}`;
  }).join(",");
}

/** The script that makes the same samples, one file for each position of `all`. */
export function seenScript(recipe: SeenRecipe, base: string, from: string = packageOf(recipe)): string {
  const { source, isName, options, rows, columns, selection, all } = recipe;
  const operations = recipe.filters.map((word) => filterOf(word));
  const names = [...new Set(operations.map(({ operation }) => operation))].toSorted();
  const { signal: _, ...plain } = options;
  const given = Object.keys(plain).length > 0 ? `, ${literal(plain)}` : "";
  const filters = operations.length > 0 ? `, { filters: [${operations.map(callOf).join(", ")}] }` : "";
  const net = /^https?:/i.test(source) ? " --allow-net" : "";
  const at = [...Object.entries(selection), ...(all ? [[all.label, "i"]] : [])];
  const image = `{ ${at.map(([label, position]) => `${key(`${label}`)}: ${position}`).join(", ")} }`;
  const request = literal({ rows, columns, selection }, (value) => value === selection ? image : undefined);
  const save = (name: string) => `await save(await tiles.getRaster(${request}), ${name});`;
  return [
    `// Made with the page of Tilewise ${recipe.version}: what is seen of the image, at full resolution.`,
    `// deno run --allow-read --allow-write${net} ${base}.ts`,
    `import { open, save } from "${from}";`,
    ...(names.length > 0 ? [`import { ${names.join(", ")} } from "${from}/views";`] : []),
    `import { tileSource } from "${from}/web";`,
    "",
    `const image = await open(${JSON.stringify(source)}${given});${
      isName ? " // write the path of your file here" : ""
    }`,
    `await using tiles = await tileSource(image${filters});`,
    ...(all
      ? [`for (let i = 0; i < ${all.size}; i++) {`, `  ${save(`\`${base}-\${i}.npy\``)}`, "}"]
      : [save(`"${base}.npy"`)]),
    "",
  ].join("\n");
}

function key(label: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(label) ? label : JSON.stringify(label);
}

/** The call that makes an operation. */
function callOf({ operation, params }: ReturnType<typeof filterOf>): string {
  const { text, ...rest } = params as Readonly<Record<string, unknown>>;
  const first = operation === "viewExpression" ? [literal(text)] : [];
  const others = first.length > 0 ? rest : params;
  return `${operation}(${
    [...first, ...(Object.keys(others as object).length > 0 ? [literal(others)] : [])].join(", ")
  })`;
}
