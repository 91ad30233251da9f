/**
 * The five walks in `docs/architecture.md` are true: each function that they name is called in that run, for the first time in that
 * order. The functions are traced: files that have some are replaced by copies in which each says that it is called.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { toFileUrl } from "@std/path";
import { pathOf } from "../observations/expected.ts";
import { withFolder } from "../cli/harness.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string) => Deno.readTextFileSync(new URL(path, ROOT));

/** A function, and its file below `src/`. */
interface Step {
  readonly name: string;
  readonly file: string;
}

/** The walks: for each title its steps, in order. A file that is not named is that of the step before. */
function walks(): Map<string, Step[]> {
  const [, section] = /\n## Five walks\n([\s\S]*?)\n## /.exec(read("docs/architecture.md")) ?? [];
  assert(section, "docs/architecture.md has five walks");
  return new Map(
    section.split("\n### ").slice(1).map((part) => {
      const [title, ...lines] = part.split("\n");
      const found = [...lines.join(" ").matchAll(/`(#?\w+)`\s+\(`([\w/]+\.ts)`\)/g)];
      return [title!, found.map(([, name, file]) => ({ name: name!, file: file! }))];
    }),
  );
}

/** Where the body of a function begins in lines as `deno fmt` writes them; none: -1. */
function bodyOf(lines: readonly string[], name: string): number {
  const head = RegExp(
    String.raw`^( *)(?:export |static |private |override )*(?:async )?(?:function\*? |\*)?${name}(?:<.*)?\(`,
  );
  for (const [i, line] of lines.entries()) {
    const found = head.exec(line);
    if (!found) continue;
    const end = [
      i,
      ...lines.keys().filter((j) => j > i && lines[j]!.startsWith(`${found[1]})`)).take(1),
    ].find((j) => /[^({<|&] \{$/.test(lines[j]!) && !/\(\{$/.test(lines[j]!));
    if (end !== undefined && !/^ *(?:if|for|while|return)\b/.test(line)) return end;
  }
  return -1;
}

/** A copy of a file elsewhere, in which the functions say that they are called. */
function traced(file: string, names: ReadonlySet<string>): string {
  const url = new URL(`src/${file}`, ROOT);
  const lines = Deno.readTextFileSync(url).split("\n");
  for (const name of names) {
    const at = bodyOf(lines, name);
    assert(at >= 0, `${file} has no function ${name}`);
    lines[at] += ` Reflect.get(globalThis, "called")?.(${JSON.stringify(`${name} ${file}`)});`;
  }
  return lines.join("\n")
    .replaceAll("import.meta.url", JSON.stringify(url.href))
    .replace(
      /(from |import |import\(|resolve\()"(\.\.?\/[^"]+)"/g,
      (_, head, to) => `${head}"${new URL(to, url)}"`,
    );
}

/** What is said goes to a file, in the order of all threads. */
const tracer = (log: string) => `
const say = (text) => Deno.writeTextFileSync(${JSON.stringify(log)}, text + "\\n", { append: true });
globalThis.called = say;
globalThis.walk = (title) => say("# " + title);
`;

/** Files of the steps, replaced. */
async function importMap(folder: string, steps: readonly Step[]): Promise<string> {
  const names = Map.groupBy(steps, ({ file }) => file);
  const { imports } = JSON.parse(read("deno.json"));
  const whole = Object.entries(imports as Record<string, string>).map(([name, to]) =>
    [name, to.startsWith(".") ? new URL(to, ROOT).href : to] as const
  );
  const entries: Record<string, string> = Object.fromEntries(whole);
  for (const [file, of] of names) {
    const copy = `${folder}/${file.replaceAll("/", "+")}`;
    const text = traced(file, new Set(of.map(({ name }) => name)));
    await Deno.writeTextFile(copy, `import "./tracer.js"; ${text}`);
    entries[new URL(`src/${file}`, ROOT).href] = toFileUrl(copy).href;
  }
  for (const [name, to] of whole) entries[name] = entries[to] ?? to;
  const path = `${folder}/import_map.json`;
  await Deno.writeTextFile(path, JSON.stringify({ imports: entries }));
  return path;
}

/** The calls of each run, in order, each once. */
async function calls(folder: string, steps: readonly Step[]): Promise<Map<string, string[]>> {
  const log = `${folder}/calls.txt`;
  await Deno.writeTextFile(`${folder}/tracer.js`, tracer(log));
  const map = await importMap(folder, steps);
  const program = new URL("walks_program.ts", import.meta.url).pathname;
  const args = [
    "run",
    "-A",
    "--no-check",
    "--quiet",
    `--import-map=${map}`,
    program,
    folder,
    pathOf("small.ms"),
  ];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  assert(success, new TextDecoder().decode(stderr));
  const runs = (await Deno.readTextFile(log)).split("# ").slice(1).map((run) => run.trimEnd().split("\n"));
  return new Map(runs.map(([title, ...called]) => [title!, [...new Set(called)]]));
}

Deno.test("each walk names functions that its run calls, in that order", async () => {
  const all = walks();
  assert(
    all.size === 5 && all.values().every((steps) => steps.length >= 8),
    "five walks, 8 steps or more each",
  );
  await withFolder(async (folder) => {
    const called = await calls(folder, [...all.values()].flat());
    for (const [title, steps] of all) {
      const named = steps.map(({ name, file }) => `${name} ${file}`);
      assertEquals(called.get(title)?.filter((call) => named.includes(call)), named, title);
    }
  });
});
