/**
 * `tilewise completions`: the script with which a shell completes commands.
 *
 * @module
 */

import { type Arguments, UsageError } from "../shell/args.ts";
import { HEADS } from "../shell/heads.ts";
import { type CliIo, outJson } from "../shell/io.ts";
import { COMMON_FLAGS, type Verb, type VerbEntry } from "../shell/verb.ts";
import { bashScript, type Completed, fishScript, powershellScript, zshScript } from "./scripts.ts";

/** A shell: its script, and what to do with it. */
interface Shell {
  readonly script: (verbs: readonly Completed[]) => string;
  readonly use: string;
}

const SHELLS: Readonly<Record<string, Shell>> = {
  bash: { script: bashScript, use: "source <(tilewise completions bash) # in ~/.bashrc" },
  zsh: { script: zshScript, use: "source <(tilewise completions zsh) # in ~/.zshrc, behind compinit" },
  fish: { script: fishScript, use: "tilewise completions fish > ~/.config/fish/completions/tilewise.fish" },
  powershell: {
    script: powershellScript,
    use: "tilewise completions powershell | Out-String | Invoke-Expression # in $PROFILE",
  },
};

/** The verb, for commands with the verbs `all`. */
export function completionsOf(all: readonly VerbEntry[]): Verb {
  return {
    ...HEADS.completions,
    least: 1,
    most: 1,
    flags: [],
    words: Object.fromEntries(Object.keys(SHELLS).map((name) => [name, `for ${name}`])),
    notes: ["Completes verbs, flags, their values, analyses and filters; all else is a file."],
    examples: Object.entries(SHELLS).map(([name, { use }]) => [`tilewise completions ${name}`, use]),
    run: (args, io) => completions(args, io, all),
  };
}

async function completions(args: Arguments, io: CliIo, all: readonly VerbEntry[]): Promise<number> {
  const [name] = args.positionals as [string];
  const shell = Object.hasOwn(SHELLS, name) ? SHELLS[name] : undefined;
  if (!shell) {
    throw new UsageError(
      `there are no completions for "${name}"; write one of ${Object.keys(SHELLS).join(", ")}`,
    );
  }
  const script = `# ${shell.use}\n${shell.script(await completed(all))}`;
  if (args.has("json")) outJson(io, { shell: name, script });
  else io.out(script);
  return 0;
}

/** What is completed behind each verb, and behind `help`. */
export async function completed(all: readonly VerbEntry[]): Promise<Completed[]> {
  const verbs = await Promise.all(all.map(({ load }) => load()));
  const rows = verbs.map(({ name, summary, words = {}, flags, passed = [] }) => ({
    name,
    summary,
    words,
    flags: [...flags, ...passed, ...COMMON_FLAGS].map((flag) => ({ ...flag, help: short(flag.help) })),
  }));
  const words = Object.fromEntries(all.map(({ name, summary }) => [name, summary]));
  return [...rows, { name: "help", summary: "says what a verb does, and its flags", words, flags: [] }];
}

/** The first part of a help text: there is one line for it. */
function short(help: string): string {
  return help.split(/; |: /, 1)[0]!;
}
