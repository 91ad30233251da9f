/**
 * A computation as a notebook for Deno's kernel.
 *
 * @module
 */

import { TITLES } from "../../../src/analyses/mod.ts";
import type { Recipe } from "../recipe.ts";
import { packageOf } from "./script.ts";
import { stepsOf } from "./steps.ts";

/** The notebook as JSON: one cell opens, one computes and shows, one saves. */
export function notebookOf(recipe: Recipe, from: string = packageOf(recipe)): string {
  const { imports, open, compute, save } = stepsOf(recipe, from);
  const title = TITLES[recipe.analysis.name] ?? recipe.analysis.name;
  const cells = [
    text("title", [
      `# ${title}`,
      "",
      `Of ${recipe.source}, made with the page of Tilewise ${recipe.version}.`,
    ]),
    code("open", [...imports, "", ...open, "scan"]),
    code("compute", [...compute, "results"]),
    code("save", save),
  ];
  const metadata = {
    kernelspec: { display_name: "Deno", language: "typescript", name: "deno" },
    language_info: { name: "typescript", file_extension: ".ts", mimetype: "text/x.typescript" },
  };
  return JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1) + "\n";
}

function text(id: string, lines: readonly string[]) {
  return { cell_type: "markdown", id, metadata: {}, source: sourceOf(lines) };
}

function code(id: string, lines: readonly string[]) {
  return { cell_type: "code", id, metadata: {}, execution_count: null, outputs: [], source: sourceOf(lines) };
}

/** Lines as notebooks have them: each but the last one ends with a line break. */
function sourceOf(lines: readonly string[]): string[] {
  return lines.map((line, i) => i < lines.length - 1 ? `${line}\n` : line);
}
