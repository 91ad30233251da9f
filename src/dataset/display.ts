/**
 * A data set in a notebook: what it is, how large, how it lies in its files.
 *
 * @module
 */

import { formatBytes } from "../space/size.ts";
import { type Shape, showShape } from "../space/shape.ts";
import type { ByteOrder, DType } from "../space/dtype.ts";
import type { Axis, Detection } from "./facts.ts";
import type { ValueFacts } from "../space/axes.ts";
import type { FrameLayout } from "./layout/layout.ts";
import { kindOf } from "./storage/kinds.ts";

/** Files of a series that are listed by name. */
const MOST_FILES = 8;

/** What is shown of a data set. */
interface Shown {
  readonly source: string;
  readonly array: string;
  readonly detection: Detection;
  readonly navShape: Shape;
  readonly sigShape: Shape;
  readonly dtype: DType;
  readonly byteOrder: ByteOrder;
  readonly layout: FrameLayout;
  readonly byteLength: number;
  readonly axes: readonly Axis[];
  readonly values: ValueFacts;
  readonly warnings: readonly string[];
}

/** A data set as a table, and as one line. */
export function datasetBundle(dataset: Shown): Readonly<Record<string, string>> {
  const rows = factsOf(dataset).map(([name, value]) =>
    `<tr><th style="text-align:left">${escape(name)}</th><td style="text-align:left">${
      escape(value)
    }</td></tr>`
  );
  return { "text/plain": String(dataset), "text/html": `<table>${rows.join("")}</table>` };
}

/** A data set in words, one line per fact. */
export function datasetText(dataset: Shown): string {
  const facts = factsOf(dataset);
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}

function factsOf(dataset: Shown): [name: string, value: string][] {
  const { source, array, detection, navShape, sigShape, dtype, byteOrder, layout, warnings } = dataset;
  const files = layout.files.slice(0, MOST_FILES).map(({ source, start, end }) =>
    `${"path" in source ? source.path : "url" in source ? source.url : source.kind} (images ${start} to ${
      end - 1
    })`
  );
  const more = layout.files.length - files.length;
  return [
    ["source", array ? `${source}, ${array}` : source],
    ["format", `${detection.format}: ${detection.why.join("; ")}`],
    ["scan", `${showShape(navShape)} positions`],
    ["frame", `${showShape(sigShape)} ${dtype}, ${byteOrder} endian`],
    [
      "size",
      `${formatBytes(dataset.byteLength)}; ${
        kindOf(layout).pitch(layout)
      } bytes from frame to frame in the file`,
    ],
    ["files", [...files, ...(more > 0 ? [`and ${more} more`] : [])].join("; ")],
    ...dataset.axes.filter(({ scale }) => scale !== undefined).map(({ name, size, scale, unit }) =>
      [`axis ${name}`, `${size} × ${scale} ${unit ?? ""}`] as [string, string]
    ),
    ["values", Object.values(dataset.values).join(", ")],
    ...warnings.map((warning) => ["warning", warning] as [string, string]),
  ];
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
