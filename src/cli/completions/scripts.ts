/**
 * The scripts of the shells. In all of them, words of a verb and files stand side by side, and the value of a flag that names
 * what it may be is one of these.
 *
 * @module
 */

import type { Flag } from "../shell/verb.ts";

/** What a shell completes behind a verb. */
export interface Completed {
  /** The verb. */
  readonly name: string;
  /** What it does. */
  readonly summary: string;
  /** Words that its arguments may be, beside files, and what each means. */
  readonly words: Readonly<Record<string, string>>;
  /** Its flags. */
  readonly flags: readonly Flag[];
}

/** For bash, from 3.2 on. */
export function bashScript(verbs: readonly Completed[]): string {
  const flags = new Map(verbs.flatMap((verb) => verb.flags.map((flag) => [flag.name, flag] as const)));
  const patterns = (all: readonly Flag[]) => all.flatMap(namesOf).join("|");
  const valued = [...flags.values()].filter(takesValue);
  const listed = valued.filter(({ values }) => values !== undefined);
  const list = (words: readonly string[]) => quoted(words.join("\n"));
  return [
    "_tilewise() {",
    "  local IFS=$'\\n' word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= flags= only=",
    '  if [ "$word" = "=" ]; then word=; elif [ "$before" = "=" ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi',
    "  COMPREPLY=()",
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words=${list([...verbs.map(({ name }) => name), "--help", "--version"])}`,
    '    COMPREPLY=($(compgen -W "$words" -- "$word"))',
    "    return",
    "  fi",
    "  case $before in",
    ...listed.map((flag) => `    ${patterns([flag])}) words=${list(flag.values!)} only=1 ;;`),
    `    ${patterns(valued.filter((flag) => !listed.includes(flag)))}) ;;`,
    "    *) case ${COMP_WORDS[1]} in",
    ...verbs.map(({ name, words, flags }) =>
      `      ${name}) words=${list(Object.keys(words))} flags=${
        list(flags.map(({ name }) => `--${name}`))
      } ;;`
    ),
    "    esac ;;",
    "  esac",
    "  case $only$word in -*) words=$flags only=1 ;; esac",
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '  [ "$only" ] || COMPREPLY=("${COMPREPLY[@]}" $(compgen -f -- "$word"))',
    "}",
    "complete -o filenames -F _tilewise tilewise",
    "",
  ].join("\n");
}

/** For zsh. */
export function zshScript(verbs: readonly Completed[]): string {
  const described = (words: Readonly<Record<string, string>>) =>
    Object.entries(words).map(([word, help]) => quoted(`${word}:${help}`)).join(" ");
  const one = (flag: Flag) => {
    const value = takesValue(flag)
      ? `:${escaped(flag.value!)}:${flag.values ? `(${flag.values.join(" ")})` : "_files"}`
      : "";
    const spec = `${value === "" ? "" : "="}[${escaped(flag.help)}]${value}`;
    const again = flag.multiple ? "*" : "";
    return [
      ...flag.short ? [quoted(`${again}-${flag.short}${spec.replace(/^=/, "+")}`)] : [],
      quoted(`${again}--${flag.name}${spec}`),
    ];
  };
  return [
    "#compdef tilewise",
    "_tilewise() {",
    "  local -a found",
    "  if (( CURRENT == 2 )); then",
    `    found=(${described(Object.fromEntries(verbs.map(({ name, summary }) => [name, summary])))})`,
    "    _describe verb found",
    "    return",
    "  fi",
    "  local verb=$words[2]",
    "  shift words",
    "  (( CURRENT-- ))",
    "  case $verb in",
    ...verbs.flatMap(({ name, words, flags }) => [
      `    ${name})`,
      `      found=(${described(words)})`,
      `      _arguments -s ${flags.flatMap(one).join(" ")} '*: :_tilewise_words' ;;`,
    ]),
    "  esac",
    "}",
    "_tilewise_words() {",
    "  (( $#found )) && _describe word found",
    "  _files",
    "}",
    'if [ "$funcstack[1]" = "_tilewise" ]; then _tilewise "$@"; else compdef _tilewise tilewise; fi',
    "",
  ].join("\n");
}

/** For fish, from 3 on. */
export function fishScript(verbs: readonly Completed[]): string {
  const first = verbs.map(({ name, summary }) =>
    `complete -c tilewise -f -n __tilewise_first -a ${name} -d ${fishQuoted(summary)}`
  );
  const behind = verbs.flatMap(({ name, words, flags }) => {
    const line = (rest: string, help: string) =>
      `complete -c tilewise -n '__tilewise_verb ${name}' ${rest} -d ${fishQuoted(help)}`;
    return [
      ...Object.entries(words).map(([word, help]) => line(`-a ${fishQuoted(word)}`, help)),
      ...flags.map((flag) =>
        line(
          [
            `-l ${flag.name}`,
            ...flag.short ? [`-s ${flag.short}`] : [],
            ...takesValue(flag) ? [flag.values ? `-x -a ${fishQuoted(flag.values.join(" "))}` : "-r"] : [],
          ].join(" "),
          flag.help,
        )
      ),
    ];
  });
  return [
    "function __tilewise_first",
    "  test (count (commandline -opc)) -eq 1",
    "end",
    "function __tilewise_verb",
    "  set -l before (commandline -opc)",
    "  test (count $before) -gt 1; and test $before[2] = $argv[1]",
    "end",
    ...first,
    ...behind,
    "",
  ].join("\n");
}

/** For PowerShell, from 5 on; where no word fits, it completes files by itself. */
export function powershellScript(verbs: readonly Completed[]): string {
  const text = (word: string) => `'${word.replaceAll("'", "''")}'`;
  const table = (words: Readonly<Record<string, string>>) =>
    `[ordered]@{ ${
      Object.entries(words).map(([word, help]) => `${text(word)} = ${text(help)}`).join("; ")
    } }`;
  const flags = verbs.flatMap((verb) => verb.flags);
  const listed = Object.fromEntries(flags.filter(({ values }) => values).map((flag) => [flag.name, flag]));
  return [
    "Register-ArgumentCompleter -Native -CommandName tilewise -ScriptBlock {",
    "  param($word, $ast, $cursor)",
    '  $before = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })',
    "  $words = @{}",
    `  $verbs = ${table(Object.fromEntries(verbs.map(({ name, summary }) => [name, summary])))}`,
    "  if ($before.Count -le 1) { $words = $verbs }",
    "  else {",
    "    switch ($before[-1]) {",
    ...Object.values(listed).map((flag) =>
      `      '--${flag.name}' { $words = ${
        table(Object.fromEntries(flag.values!.map((value) => [value, value])))
      } }`
    ),
    "      default {",
    "        switch ($before[1]) {",
    ...verbs.map(({ name, words, flags }) => {
      const all = Object.fromEntries(flags.map((flag) => [`--${flag.name}`, flag.help]));
      return `          '${name}' { if ($word -like '-*') { $words = ${table(all)} } else { $words = ${
        table(words)
      } } }`;
    }),
    "        }",
    "      }",
    "    }",
    "  }",
    '  $words.GetEnumerator() | Where-Object { $_.Key -like "$word*" } | ForEach-Object {',
    "    [System.Management.Automation.CompletionResult]::new($_.Key, $_.Key, 'ParameterValue', $_.Value)",
    "  }",
    "}",
    "",
  ].join("\n");
}

/** Whether the word behind a flag is its value. */
function takesValue({ value, optional }: Flag): boolean {
  return value !== undefined && !optional;
}

function namesOf({ name, short }: Flag): string[] {
  return [`--${name}`, ...short ? [`-${short}`] : []];
}

/** Text as one word of bash and zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

/** Text inside of a description of `_arguments`. */
function escaped(text: string): string {
  return text.replace(/[\\[\]:]/g, "\\$&");
}
