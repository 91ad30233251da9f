/** What is said of the package beside its code: versions, licences, what may be published. */

import { assert, assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { PACKAGES } from "../../src/packages.ts";
import { OLDEST } from "../../src/cli/shell/system.ts";
import { scoreLines } from "../api/score.ts";

const read = (path: string) => Deno.readTextFileSync(new URL(`../../${path}`, import.meta.url));

Deno.test("the citation has the version and the licence of deno.json", () => {
  const citation = read("CITATION.cff");
  assert(
    citation.includes(`\nversion: ${config.version}\n`) &&
      citation.includes(`\nlicense: ${config.license}\n`),
  );
  assert(read("LICENSE").includes(/ - name: (.*)/.exec(citation)![1]!));
});

Deno.test("every package that is bundled has its licence in the list", () => {
  const page = read("docs/licences.md");
  for (const specifier of Object.values(PACKAGES)) {
    const name = /^npm:([^@]+)@/.exec(specifier)![1]!;
    assert(page.includes(`| \`${name}\``), name);
  }
});

Deno.test("the page on runtimes has the oldest versions that the command accepts", () => {
  const page = read("docs/runtimes.md");
  for (const [name, version] of Object.entries(OLDEST)) {
    assert(page.includes(`| ${name} `) && page.includes(`| ${version.replace(/\.0$/, "")} `), name);
  }
});

Deno.test("the package has all points of JSR that a repository can have", async () => {
  for (const { what, points, most } of await scoreLines(false)) assertEquals(points, most, what);
});

Deno.test("the README is short, and says first how to get it in each situation", () => {
  const text = read("README.md");
  assert(new TextEncoder().encode(text).length <= 9000);
  for (
    const line of [
      "deno run -A src/cli/main.ts demo",
      "npm install ./tilewise-0.1.0.tgz",
      "jsr:@tilewise/tilewise/cli",
      "deno task compile",
    ]
  ) {
    assert(text.includes(line) && text.indexOf(line) < text.indexOf("## Six commands"), line);
  }
});
