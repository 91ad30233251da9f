/**
 * What the interfaces of options say of those that flags set: the first sentence of the comment, and the default, become
 * `src/cli/flags/option_help.ts`.
 *
 * `optionFlag("OpenOptions.level", …)` in a table of flags asks for the comment of `level` in `interface OpenOptions`.
 *
 * @module
 */

const SOURCE = new URL("../src/", import.meta.url);

/** An option of the library as a flag takes it: its interface and name, and whether the flag is in seconds. */
interface Asked {
  readonly interface: string;
  readonly option: string;
  readonly isSeconds: boolean;
}

/** The text of the file with the help of flags. */
export function optionHelpSource(note: string): string {
  const texts = [...textsBelow(SOURCE)];
  const asked = new Map<string, Asked>();
  for (const text of texts) for (const one of askedIn(text)) asked.set(`${one.interface}.${one.option}`, one);
  const rows = [...asked].toSorted(([a], [b]) => a < b ? -1 : 1).map(([key, one]) => {
    const { says, usual } = meaningOf(commentOf(texts, one), one.isSeconds);
    return `  ${JSON.stringify(key)}: ${JSON.stringify(usual === undefined ? [says] : [says, usual])},`;
  });
  return [
    "/**",
    " * What flags say of the options that they set: what it is, and its default.",
    " *",
    ` * ${note}`,
    " *",
    " * @module",
    " */",
    "",
    "/** By interface and option. */",
    "export const OPTION_HELP = {",
    ...rows,
    "} as const satisfies Readonly<Record<string, readonly [says: string, usual?: string]>>;",
    "",
  ].join("\n");
}

function* textsBelow(folder: URL): Generator<string> {
  for (
    const { name, isDirectory } of [...Deno.readDirSync(folder)].toSorted((a, b) => a.name < b.name ? -1 : 1)
  ) {
    if (isDirectory) yield* textsBelow(new URL(`${name}/`, folder));
    else if (name.endsWith(".ts")) yield Deno.readTextFileSync(new URL(name, folder));
  }
}

function* askedIn(text: string): Generator<Asked> {
  for (const [, name, option, more] of text.matchAll(/optionFlag\(\s*"(\w+)\.(\w+)"([^)]*)/g)) {
    yield { interface: name!, option: option!, isSeconds: more!.includes('"SECONDS"') };
  }
}

function commentOf(texts: readonly string[], { interface: name, option }: Asked): string {
  const start = new RegExp(`^export interface ${name}\\b.*\\{$`, "m");
  const text = texts.find((text) => start.test(text));
  const body = text?.slice(text.search(start)).split("\n}\n")[0] ?? "";
  const found = new RegExp(`/\\*\\*((?:(?!\\*/).)*)\\*/\\s*readonly ${option}\\??:`, "s").exec(body)?.[1];
  if (found === undefined) throw new Error(`no comment of ${option} in interface ${name}`);
  return found.replace(/^\s*\* ?/gm, " ").replace(/\s+/g, " ").trim();
}

/** The first sentence and the default of a comment, as lists of flags have them. */
export function meaningOf(comment: string, isSeconds = false): { says: string; usual?: string } {
  const plain = comment.replace(/\{@link (\w+)\}/g, "$1").replaceAll("`", "");
  const sentences = plain.split(/(?<=[^.]\.) (?=[A-Z])/).map((one) => one.replace(/\.$/, ""));
  const says = sentences[0]!.replace(/^Whether to /, "").replace(
    /^[A-Z](?![A-Z])/,
    (letter) => letter.toLowerCase(),
  );
  const usual = sentences.slice(1).find((one) => one.startsWith("Default"))?.replace(/^D/, "d");
  const read = isSeconds ? inSeconds : (text: string) => text;
  return { says: read(says), ...(usual === undefined ? {} : { usual: read(usual) }) };
}

/** Milliseconds as seconds. */
function inSeconds(text: string): string {
  return text.replace(/^milliseconds/, "seconds").replace(
    /\b(\d[\d ]*)000\b/,
    (_, thousands: string) => thousands.trim(),
  );
}
