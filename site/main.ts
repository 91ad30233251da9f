/**
 * Builds the site: pages of the checkout, the gallery, and the reference, with VitePress. Nothing else of Tilewise needs it.
 *
 * ```sh
 * deno task site [-o FOLDER]
 * ```
 *
 * @module
 */

import { fromFileUrl, join, resolve } from "@std/path";
import { task } from "../assembly/task.ts";
import { files } from "../tests/documentation/examples.ts";
import { configModule, type SideBarItem, THEME } from "./build/config.ts";
import { checkLinks } from "./build/links.ts";
import { GROUPS, placeOf, titleOf } from "./build/pages.ts";
import { type Entry, type Page, referenceEntries } from "./build/reference.ts";
import { ROOT, Stage } from "./build/stage.ts";
import { galleryExamples, runGallery } from "./gallery/examples.ts";
import { buildSandbox, SANDBOX } from "./sandbox/build.ts";
import { galleryPages } from "./gallery/page.ts";

const HERE = fromFileUrl(new URL("./generator/", import.meta.url));

/** Builds the site in `out`; throws where a link leads nowhere. */
export async function buildSite(out: string): Promise<void> {
  const staged = join(HERE, "staged");
  await Deno.remove(staged, { recursive: true }).catch(() => {});
  const stage = new Stage(staged);
  const pages = GROUPS.flatMap(({ pages }) => pages);
  mustBeSorted(pages);
  await stage.copy([...pages, ...files("docs/decisions")]);
  const entries = await referenceEntries();
  const reference = entries.flatMap(({ page, names }) => [page, ...names]);
  for (const { place, text } of [...reference, ...await gallery(staged)]) await stage.write(place, text);
  const { stable = [], unstable = [] } = Object.groupBy(entries, ({ promise }) => promise);
  const bar = {
    "/reference/": [groupOf("Library", stable), groupOf("Unstable", unstable)],
    "/": GROUPS.map(({ text, pages }) => ({ text, items: pages.map(itemOf) })),
  };
  await stage.write(".vitepress/config.mjs", configModule(bar, out));
  await stage.write(".vitepress/theme/index.mjs", THEME);
  await stage.write(SANDBOX.place, SANDBOX.text);
  await deno(["install", "--frozen", "--quiet"]);
  await buildSandbox(join(staged, "public"));
  await Deno.copyFile(join(ROOT, "site/build/style.css"), join(staged, ".vitepress/theme/style.css"));
  await vitepress(["build", staged]);
  await checkLinks(out);
}

/** Runs the examples, and keeps their pictures beside the pages of the gallery. */
async function gallery(staged: string): Promise<Page[]> {
  const folder = await Deno.makeTempDir({ prefix: "tilewise-gallery-" });
  try {
    const times = await runGallery(folder);
    await Deno.mkdir(join(staged, "gallery"), { recursive: true });
    for (const { name } of galleryExamples()) {
      await Deno.copyFile(join(folder, `${name}.png`), join(staged, "gallery", `${name}.png`));
    }
    return galleryPages(times);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Every page of the checkout that people read is in a group. */
function mustBeSorted(pages: readonly string[]): void {
  const found = [...files("docs")].filter((path) =>
    path.endsWith(".md") && !path.startsWith("docs/decisions/")
  );
  const missing = found.filter((path) => !pages.includes(path));
  if (missing.length > 0) throw new Error(`${missing.join(", ")}: not in a group of site/build/pages.ts`);
}

function itemOf(path: string): SideBarItem {
  const text = titleOf(Deno.readTextFileSync(join(ROOT, path)));
  return {
    text: path === "README.md" ? "Get it" : text,
    link: `/${placeOf(path).replace(/(index)?\.md$/, "")}`,
  };
}

function groupOf(text: string, entries: readonly Entry[]): SideBarItem {
  return {
    text,
    items: entries.map(({ page }) => ({ text: page.title, link: `/${page.place.replace(/\.md$/, "")}` })),
  };
}

/** Runs the generator, with the packages of its own lock file. */
async function vitepress(args: readonly string[]): Promise<void> {
  await deno(["run", "-A", "npm:vitepress", ...args]);
}

async function deno(args: readonly string[]): Promise<void> {
  const { success } = await new Deno.Command(Deno.execPath(), { args: [...args], cwd: HERE }).spawn().status;
  if (!success) throw new Error(`deno ${args.join(" ")} failed`);
}

if (import.meta.main) {
  await task("site", { output: { type: "string", short: "o" } }, async ({ output }) => {
    const out = resolve(output ?? join(ROOT, "site/dist"));
    await Deno.mkdir(out, { recursive: true });
    await buildSite(out);
    console.log(out);
  });
}
