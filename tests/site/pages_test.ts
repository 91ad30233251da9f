/** The pages of the site: each is in a group, links are those of the site, and one that leads nowhere is found. */

import { assertEquals, assertRejects } from "@std/assert";
import { GROUPS } from "../../site/build/pages.ts";
import { checkLinks } from "../../site/build/links.ts";
import { relinked } from "../../site/build/stage.ts";
import { TILES, tilesPicture } from "../../site/pictures/tiles.ts";
import { withFolder } from "../cli/harness.ts";
import { files } from "../documentation/examples.ts";

Deno.test("every page of docs/ is in one group of the side bar", () => {
  const grouped = GROUPS.flatMap(({ pages }) => pages).filter((path) => path.startsWith("docs/"));
  const pages = [...files("docs")].filter((path) => !path.startsWith("docs/decisions/0"));
  assertEquals(grouped.toSorted(), pages.toSorted());
});

Deno.test("links of a page lead to pages of the site, and those in code stay", () => {
  const text =
    "[a](views.md#measure) [b](../src/errors.ts) ![p](images/p.svg) [`c`](../CHANGELOG.md) [d](#x) `[e](f.md)`\n";
  assertEquals(relinked("docs/udf.md", text), {
    page:
      "[a](./views.md#measure) [b](./source/src/errors-ts.md) ![p](./images/p.svg) [`c`](./changelog.md) [d](#x) `[e](f.md)`\n",
    targets: ["docs/views.md", "src/errors.ts", "docs/images/p.svg", "CHANGELOG.md"],
  });
});

Deno.test("the picture of tiles shows what plans choose; `deno run -A site/pictures/tiles.ts` renews it", async () => {
  assertEquals(await Deno.readTextFile(TILES), await tilesPicture());
});

Deno.test("a link to a page or to an anchor that is not there fails the build", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(
      `${folder}/a.html`,
      `<a href="/b.html#there">b</a><a href="#here">c</a><img alt="x">`,
    );
    await Deno.writeTextFile(`${folder}/b.html`, `<h2 id="there">x</h2><a class="k" href="c.html">c</a>`);
    const error = await assertRejects(() => checkLinks(folder), Error);
    assertEquals(error.message.split("\n").slice(1).toSorted(), [
      "a.html: #here",
      'a.html: <img alt="x">',
      "b.html: c.html",
    ]);
  });
});
