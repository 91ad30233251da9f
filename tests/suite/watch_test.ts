/** The watch over the tests sees what they make beside their folders, and nothing that others make. */

import { assertEquals } from "@std/assert";
import { ignoredForSamples } from "./samples.ts";
import { look } from "./watch.ts";

async function withCheckout(body: (root: string, around: string) => Promise<void>): Promise<void> {
  const around = await Deno.makeTempDir(), root = `${around}/main`;
  try {
    await Deno.mkdir(`${root}/tests/deep`, { recursive: true });
    await body(root, await Deno.realPath(around));
  } finally {
    await Deno.remove(around, { recursive: true });
  }
}

/** Makes a folder with these rights: 704, as tests make it, or others. */
function make(path: string, rights: number): void {
  Deno.mkdirSync(path);
  Deno.chmodSync(path, rights);
}

Deno.test({
  name: "what tests make in and around a checkout is seen, what others make is not",
  ignore: Deno.build.os === "windows", // which has no such rights
  fn: () =>
    withCheckout(async (root, around) => {
      make(`${around}/older`, 0o704);
      const before = await look(root);
      make(`${around}/of others`, 0o755);
      make(`${root}/tests/of others`, 0o700);
      assertEquals((await look(root)).since(before), []);
      make(`${around}/ma`, 0o704);
      Deno.writeTextFileSync(`${root}/tests/deep/a.npy`, "");
      Deno.chmodSync(`${root}/tests/deep/a.npy`, 0o604);
      const made = [`${around}/ma`, `${around}/main/tests/deep/a.npy`];
      assertEquals((await look(root)).since(before), made.map((path) => `Tests made ${path}`));
    }),
});

Deno.test("changed files of a checkout are seen", () =>
  withCheckout(async (root) => {
    const git = (...args: string[]) =>
      new Deno.Command("git", { args: ["-c", "user.name=a", "-c", "user.email=a@b", ...args], cwd: root })
        .output();
    Deno.writeTextFileSync(`${root}/kept`, "1");
    for (const args of [["init"], ["add", "kept"], ["commit", "-m", "Keep"]]) await git(...args);
    const before = await look(root);
    assertEquals((await look(root)).since(before), []);
    Deno.writeTextFileSync(`${root}/kept`, "2");
    assertEquals((await look(root)).since(before).length, 1);
  }));

Deno.test("tests without samples are counted by what their files read", () =>
  withCheckout((root, around) => {
    const files = {
      "direct_test.ts": 'const DATA = "../shared/data";',
      "by_way_test.ts": 'import { DATA } from "./direct_test.ts";',
      "other_test.ts": "",
    };
    for (const [name, text] of Object.entries(files)) Deno.writeTextFileSync(`${root}/tests/${name}`, text);
    const report = Object.keys(files).map((name) =>
      `<testcase name="it" classname="./tests/${name}" time="0.000" line="1" col="1">\n  <skipped/>\n</testcase>\n`
    ).join("") + `<testcase name="runs" classname="./tests/direct_test.ts">\n</testcase>`;
    assertEquals(
      ignoredForSamples(root, report).map((line) =>
        line.slice(0, 24)
      ),
      ["2 tests were ignored bec"],
    );
    Deno.mkdirSync(`${around}/shared/data`, { recursive: true });
    assertEquals(ignoredForSamples(root, report), []);
    return Promise.resolve();
  }));
