/** One command tests Tilewise: that of the README, of the task `ok`, and of the gate. */

import { assert, assertEquals } from "@std/assert";
import config from "../deno.json" with { type: "json" };
import { ELSEWHERE } from "./suite/main.ts";

const read = (path: string) => Deno.readTextFileSync(new URL(`../${path}`, import.meta.url));

Deno.test("the README, the task ok and the gate run the same tests in the same way", () => {
  assertEquals(config.tasks.ok.command, "deno task test");
  assert(/^npx -y deno@2 task test +#/m.test(read("README.md")));
  assert(/^"\$\{deno\[@\]\}" task ok$/m.test(read(".ci/run")));
});

Deno.test("what the task test leaves out are tests, which test:long or test:browser runs", () => {
  assert(ELSEWHERE.length > 10, "the first command of test:long names what takes long");
  for (const path of ELSEWHERE) assert(Deno.statSync(new URL(`../${path}`, import.meta.url)), path);
});

/** The files of tests below `folder`, by their paths from the root. */
function testsIn(folder: string): string[] {
  return [...Deno.readDirSync(new URL(`../${folder}`, import.meta.url))].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    return isDirectory ? testsIn(path) : name.endsWith("_test.ts") ? [path] : [];
  });
}

Deno.test("what draws fewer cases in the task test draws all of them in test:long", () => {
  const [, all] = config.tasks["test:long"].command.split(" && ");
  assert(all!.startsWith("TILEWISE_CASES=all deno test "));
  const fewer = testsIn("tests").filter((path) =>
    /^import \{.*\b(ALL_CASES|cases|share)\b.*\} from ".*\/suite\/cases\.ts";$/m.test(read(path))
  );
  assert(fewer.length > 20);
  assertEquals(fewer.filter((path) => !all!.split(" ").includes(path)), []);
});

/** Tasks that hand their words on: to the command line, to `deno test`, or to the last of several commands. */
const HANDED_ON = ["tilewise", "demo", "view", "test", "test:long", "test:browser", "static", "built", "ok"];

/** Programs of all other tasks, which have flags of their own. */
const PROGRAMS = Object.entries(config.tasks).filter(([name]) => !HANDED_ON.includes(name)).map(
  ([name, { command }]) => {
    const [, path] = /^deno run (?:-\S+ )+(\S+)$/.exec(command) ?? [];
    assert(path, `the task ${name} runs one program without words, or is one of HANDED_ON: ${command}`);
    return { name, path };
  },
);

Deno.test("the tasks that hand their words on are tasks", () => {
  assertEquals(HANDED_ON.filter((name) => !(name in config.tasks)), []);
});

Deno.test("a flag that a task does not know is answered in one line, and --help by what the task does", async () => {
  assert(PROGRAMS.length > 15, `${PROGRAMS.length} programs`);
  const cwd = new URL("..", import.meta.url);
  for (const { name, path } of PROGRAMS) {
    const said = async (word: string) => {
      const args = ["run", "--quiet", "-A", "--no-check", "--v8-flags=--expose-gc", path, word];
      const outcome = await new Deno.Command(Deno.execPath(), { args, cwd }).output();
      const [out, err] = [outcome.stdout, outcome.stderr].map((bytes) => new TextDecoder().decode(bytes));
      return { code: outcome.code, out: out!, err: err! };
    };
    const [wrong, help] = await Promise.all([said("--no-such-flag"), said("--help")]);
    assert(wrong.code > 0, name);
    assertEquals(wrong.err.trim().split("\n").length, 1, `${name}: ${wrong.err}`);
    assertEquals([help.code, help.err], [0, ""], name);
    assert(help.out.includes("deno task "), `${name}: ${help.out}`);
  }
});
