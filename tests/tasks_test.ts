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
