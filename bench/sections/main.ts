/**
 * Runs sections as `deno task bench --set views` and `--set decode` do: prints what they find, and keeps it.
 *
 * @module
 */

import { record } from "../record.ts";
import { print } from "../timing.ts";
import { measured, sectionText } from "./measured.ts";
import type { SectionOptions } from "./section.ts";
import { type SectionEntry, SECTIONS } from "./table.ts";

/** What `bench/main.ts` was told. */
export interface SectionsOptions extends Omit<SectionOptions, "folder"> {
  /** The set. */
  readonly set: SectionEntry["set"];
  /** Sections by name; all of the set unless told. */
  readonly names?: readonly string[];
  /** Whether the rows are kept. */
  readonly keep: boolean;
}

/** Runs the sections of a set; the texts say where results differ. */
export async function benchSections({ set, names, keep, ...options }: SectionsOptions): Promise<string[]> {
  const failures: string[] = [];
  for (const { name, load } of chosen(set, names)) {
    const title = `${set} ${name}`;
    try {
      const found = await measured(await load(), options);
      print(`\n${title}\n${sectionText(found)}`);
      failures.push(...found.failures);
      if (keep && found.rows.length > 0) await record(title, found.rows);
    } catch (error) {
      failures.push(`${title}: ${error}`);
    }
  }
  return failures;
}

function chosen(set: SectionEntry["set"], names: readonly string[] | undefined): readonly SectionEntry[] {
  const all = SECTIONS.filter((entry) => entry.set === set);
  const unknown = names?.filter((name) => !all.some((entry) => entry.name === name)) ?? [];
  if (unknown.length > 0) {
    const known = all.map(({ name }) => name).join(", ");
    throw new Error(`Cannot run ${unknown.join(", ")}: the sections of ${set} are ${known}`);
  }
  return all.filter(({ name }) => names?.includes(name) ?? true);
}
