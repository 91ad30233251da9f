/**
 * The help texts: of the command, and of each verb with examples.
 *
 * @module
 */

import { COMMON_FLAGS, type Flag, type Verb, type VerbHead } from "./verb.ts";

/** The help of `tilewise` itself. */
export function mainHelp(verbs: readonly VerbHead[]): string {
  const width = Math.max(...verbs.map(({ name, usage }) => name.length + usage.length));
  return [
    "Tilewise computes on arrays larger than memory, tile by tile.",
    "",
    "Usage: tilewise VERB …",
    "",
    ...verbs.map(({ name, usage, summary }) => `  ${`${name} ${usage}`.padEnd(width + 3)}${summary}`),
    "",
    `Flags of every verb: ${
      COMMON_FLAGS.map(({ name }) => `--${name}`).join(", ")
    }; --version shows the version.`,
    'Try "tilewise demo", or "tilewise VERB --help" for flags and examples.',
    "",
  ].join("\n");
}

/** The help of one verb. */
export function verbHelp(verb: Verb): string {
  return [
    `${verb.summary[0]!.toUpperCase()}${verb.summary.slice(1)}.`,
    "",
    `Usage: ${["tilewise", verb.name, verb.usage, "[flags]"].filter((word) => word).join(" ")}`,
    "",
    ...flagLines([...verb.flags, ...COMMON_FLAGS]),
    ...(verb.notes ? [...verb.notes, ""] : []),
    verb.examples.length === 1 ? "Example:" : "Examples:",
    ...verb.examples.flatMap(([command, meaning]) => [`  ${command}`, `      ${meaning}`]),
    "",
  ].join("\n");
}

/** Fewest letters beside a name; in narrower terminals lines stay whole. */
const LEAST_BESIDE = 20;

/**
 * A help text for a terminal: longer lines go on below their explanation. Commands, which people copy, stay whole.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(wrapped("  --at INDEX   one frame of a scan, as 3,5", 38), "  --at INDEX   one frame of a scan, as\n               3,5");
 * ```
 */
export function wrapped(text: string, columns: number): string {
  return text.split("\n").map((line) => {
    const indent = /^ *(?:\S.*?\S? {2,})?/.exec(line)![0].length;
    if (line.length <= columns || columns - indent < LEAST_BESIDE || /^ *tilewise /.test(line)) return line;
    const rows = line.slice(indent).match(RegExp(`\\S.{0,${columns - indent - 1}}(?= |$)|\\S+`, "g"))!;
    return line.slice(0, indent) + rows.join(`\n${" ".repeat(indent)}`);
  }).join("\n");
}

function valueText(value: string | undefined, optional: boolean | undefined): string {
  if (value === undefined) return "";
  return optional ? `[=${value}]` : ` ${value}`;
}

/** The flags under their headings, in the order in which these come first. */
function flagLines(flags: readonly Flag[]): string[] {
  const heads = flags.map(({ name, short, value, optional }) =>
    `${short ? `-${short}, ` : ""}--${name}${valueText(value, optional)}`
  );
  const width = Math.max(...heads.map((head) => head.length));
  const lines = new Map<string, string[]>();
  for (const [i, { group = "Flags", help }] of flags.entries()) {
    const line = `  ${heads[i]!.padEnd(width + 2)}${help}`;
    lines.set(group, [...lines.get(group) ?? [], line]);
  }
  return [...lines].flatMap(([group, those]) => [`${group}:`, ...those, ""]);
}
