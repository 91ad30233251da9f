/** Completions in the shells themselves: those that are not installed are left out, bash always runs. */

import { assert, assertEquals } from "@std/assert";
import { VERBS } from "../../src/cli/main.ts";
import { completed } from "../../src/cli/completions/completions.ts";
import { cli, withFolder } from "./harness.ts";

/** What is typed, and the words that must be among those offered; `not`: words that must not. */
const TYPED: readonly {
  readonly line: string;
  readonly has: readonly string[];
  readonly not?: readonly string[];
}[] = [
  { line: "tilewise inf", has: ["info"], not: ["run"] },
  { line: "tilewise run haa", has: ["haadf"], not: ["bf"] },
  { line: "tilewise run ha", has: ["hall one.mib", "haadf"] },
  { line: "tilewise run bf --syn", has: ["--sync-offset"], not: ["--nav"] },
  { line: "tilewise map gau", has: ["gaussian"] },
  { line: "tilewise map gaussian a.npy --border re", has: ["reflect"], not: ["wrap", "result.npy"] },
  { line: "tilewise info a.mib --format m", has: ["mib", "mrc"], not: ["npy"] },
  { line: "tilewise info res", has: ["result.npy"] },
  { line: "tilewise submit slurm run --shar", has: ["--shards"] },
  { line: "tilewise submit slurm run --colorm", has: ["--colormap"] },
  { line: "tilewise completions po", has: ["powershell"] },
  { line: "tilewise help stat", has: ["stats", "status"] },
];

/** The words that a shell offers for the last word of each line, in `folder`. */
type Offers = (lines: readonly string[], folder: string) => Promise<readonly string[][]>;

const SCRIPTS = {
  bash: (line: string) => `t ${line}`,
  fish: (line: string) => `complete -C ${JSON.stringify(line)}; echo ---`,
};

async function shell(
  program: string,
  script: string,
  folder: string,
  args: readonly string[] = [],
): Promise<string> {
  const { stdout, stderr } = await new Deno.Command(program, {
    args: [...args, "-c", script],
    cwd: folder,
    env: { HOME: folder },
  }).output();
  assertEquals(new TextDecoder().decode(stderr), "");
  return new TextDecoder().decode(stdout);
}

const blocks = (text: string) =>
  text.split("---\n").slice(0, -1).map((block) => block.split("\n").filter((line) => line !== ""));

const OFFERS: Readonly<Record<"bash" | "zsh" | "fish", Offers>> = {
  bash: async (lines, folder) => {
    const ask =
      't() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tilewise; printf \'%s\\n\' "${COMPREPLY[@]}" ---; }';
    return blocks(
      await shell("bash", ["source ./script", ask, ...lines.map(SCRIPTS.bash)].join("\n"), folder),
    );
  },
  fish: async (lines, folder) => {
    const text = await shell("fish", ["source ./script", ...lines.map(SCRIPTS.fish)].join("\n"), folder, [
      "--no-config",
    ]);
    return blocks(text).map((offered) => offered.map((line) => line.split("\t", 1)[0]!));
  },
  zsh: async (lines, folder) => {
    // a terminal of its own, in which what is offered is printed in place of being shown
    const inside = [
      "PROMPT= RPROMPT=; setopt no_beep; zstyle ':completion:*' list-prompt ''; LISTMAX=10000",
      "autoload -U compinit && compinit -u -d ./dump && source ./script",
      "compadd() {",
      '  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return $?; fi',
      '  typeset -a __hits; builtin compadd -A __hits "$@"',
      "  builtin compadd \"$@\"; printf '%s\\n' $__hits >> ./offered",
      "}",
      "ask() { _main_complete; compstate[insert]= ; compstate[list]=; echo --- >> ./offered }",
      "zle -C ask complete-word ask; bindkey '^I' ask; bindkey '^U' kill-whole-line; touch ready",
    ].join("\n");
    await Deno.writeTextFile(`${folder}/inside`, inside);
    const outside = [
      "zmodload zsh/zpty; zpty shell zsh -f -i",
      "zpty -w shell 'source ./inside'",
      "repeat 600; do [[ -e ready ]] && break; sleep 0.05; done",
      ...lines.map((line, n) =>
        `zpty -w -n shell $'\\x15'${
          JSON.stringify(line)
        }$'\\t'; repeat 600; do [[ $(grep -c -e --- offered 2>/dev/null) -gt ${n} ]] && break; sleep 0.05; done`
      ),
      "zpty -d shell; cat offered",
    ].join("\n");
    return blocks(await shell("zsh", outside, folder, ["-f"]));
  },
};

async function isInstalled(program: string): Promise<boolean> {
  try {
    return (await new Deno.Command(program, { args: ["-c", "exit"], stderr: "null" }).output()).success;
  } catch {
    return false;
  }
}

for (const [name, offers] of Object.entries(OFFERS)) {
  const ignore = name !== "bash" && !await isInstalled(name);
  Deno.test({ name: `completions in ${name}`, ignore }, () =>
    withFolder(async (folder) => {
      for (const file of ["result.npy", "hall one.mib"]) await Deno.writeTextFile(`${folder}/${file}`, "");
      await Deno.writeTextFile(`${folder}/script`, (await cli(["completions", name])).out);
      const found = await offers(TYPED.map(({ line }) => line), folder);
      assertEquals(found.length, TYPED.length);
      for (const [i, { line, has, not = [] }] of TYPED.entries()) {
        const offered = found[i]!.map((word) => word.replaceAll("\\ ", " "));
        assertEquals(
          [...has, ...not].filter((word) => offered.includes(word)).toSorted(),
          has.toSorted(),
          `${line}: ${offered}`,
        );
      }
    }));
}

Deno.test("every verb and every flag is in every script, and a text in quotes ends where it should", async () => {
  const verbs = await completed(VERBS);
  assertEquals(verbs.map(({ name }) => name), [...VERBS.map(({ name }) => name), "help"]);
  for (const name of ["bash", "zsh", "fish", "powershell"]) {
    const { code, out } = await cli(["completions", name]);
    assertEquals(code, 0);
    for (const { name: verb, flags } of verbs) {
      assert(out.includes(verb));
      for (const flag of flags) {
        assert(
          out.includes(name === "fish" ? `-l ${flag.name} ` : `--${flag.name}`),
          `${name}: ${flag.name}`,
        );
      }
    }
    const inQuotes = out.replace(name === "powershell" ? /''/g : /\\['\\]/g, "").split("\n").slice(1);
    if (name !== "bash") assertEquals(inQuotes.filter((line) => line.split("'").length % 2 === 0), []);
  }
});

Deno.test("flags of one name have the same values in all verbs: scripts know them by their names", async () => {
  const known = new Map<string, string>();
  for (const { name, values } of (await completed(VERBS)).flatMap(({ flags }) => flags)) {
    const text = values?.join() ?? "";
    if (text === "") continue;
    assertEquals(known.get(name) ?? text, text, name);
    known.set(name, text);
  }
  assert(known.size > 5);
});

Deno.test("a shell that is unknown is named", async () => {
  const { code, err } = await cli(["completions", "tcsh"]);
  assertEquals([code, err], [
    2,
    'tilewise: there are no completions for "tcsh"; write one of bash, zsh, fish, powershell\n',
  ]);
});
