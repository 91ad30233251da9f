/**
 * Tables as text and as HTML, and short texts of byte counts.
 *
 * @module
 */

import { escapeHtml } from "../../pictures/displayable.ts";

/** A table: names of the columns, and rows of texts. */
export interface Table {
  /** What it is about. */
  readonly title: string;
  /** Names of the columns. */
  readonly columns: readonly string[];
  /** Its rows. */
  readonly rows: readonly (readonly string[])[];
}

/** A table as lines of text, its columns aligned. */
export function tableText({ title, columns, rows }: Table): string {
  const lines = [columns, ...rows];
  const widths = columns.map((_, c) => Math.max(...lines.map((line) => line[c]!.length)));
  const shown = lines.map((line) =>
    `  ${line.map((cell, c) => cell.padEnd(widths[c]!)).join("  ")}`.trimEnd()
  );
  return [title, ...shown].join("\n");
}

/** A table as HTML. */
export function tableHtml({ title, columns, rows }: Table): string {
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${
      cells.map((cell) => `<${tag} style="text-align:left">${escapeHtml(cell)}</${tag}>`).join("")
    }</tr>`;
  return `<table><caption style="text-align:left"><b>${escapeHtml(title)}</b></caption>${row(columns, "th")}${
    rows.map((cells) => row(cells, "td")).join("")
  }</table>`;
}

const UNITS = ["B", "KB", "MB", "GB", "TB", "PB"] as const;

/**
 * Bytes in steps of 1024, with one decimal place, as tables of cubes show them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([bytesText(655515712), bytesText(33554447623744), bytesText(8)], ["625.1MB", "30.5TB", "8.0B"]);
 * ```
 */
export function bytesText(bytes: number): string {
  let unit = 0;
  while (bytes >= 1023.95 && unit < UNITS.length - 1) { // 1023.95 would be shown as 1024.0
    bytes /= 1024;
    unit++;
  }
  return `${bytes.toFixed(1)}${UNITS[unit]}`;
}
