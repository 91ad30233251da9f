/**
 * A file of a section as a program of its own: `deno run -A bench/views/labels.ts [--repeats N] [--side N] [--python PYTHON]`.
 *
 * @module
 */

import { readArguments } from "../arguments.ts";
import { print } from "../timing.ts";
import { measured, sectionText } from "./measured.ts";
import type { Section } from "./section.ts";

/** Runs one section as the command line says; ends with 1 where results differ. */
export async function runAlone(section: Section, words: readonly string[] = Deno.args): Promise<void> {
  const { options: { repeats, side, python } } = readArguments(words, ["repeats", "side", "python"]);
  const found = await measured(section, {
    repeats: Number(repeats ?? 5),
    ...(side === undefined ? {} : { side: Number(side) }),
    ...(python === undefined ? {} : { python }),
  });
  print(sectionText(found));
  for (const text of found.failures) print(`differs: ${text}`);
  if (found.failures.length > 0) Deno.exit(1);
}
