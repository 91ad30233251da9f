/**
 * Which files of the checkout are pages of the site, and where; the order is that of the side bar.
 *
 * @module
 */

/** A group of pages in the side bar; `pages` are paths in the checkout. */
export interface Group {
  readonly text: string;
  readonly pages: readonly string[];
}

/** Pages people read first, by what they want: to learn, to get something done, to look up, to understand. */
export const GROUPS: readonly Group[] = [
  { text: "Start", pages: ["README.md", "docs/four_people.md"] },
  {
    text: "Tutorials",
    pages: [
      "docs/tutorials/scans.md",
      "docs/tutorials/cells.md",
      "docs/tutorials/sky.md",
      "docs/tutorials/own.md",
      "docs/tutorials/web.md",
    ],
  },
  {
    text: "How to",
    pages: [
      "docs/how_to/scans.md",
      "docs/how_to/images.md",
      "docs/how_to/observations.md",
      "docs/how_to/bundlers.md",
      "docs/hand_over.md",
    ],
  },
  {
    text: "Coming from",
    pages: [
      "docs/coming_from/libertem.md",
      "docs/coming_from/py4dstem.md",
      "docs/coming_from/hyperspy.md",
      "docs/coming_from/dask_and_scikit_image.md",
      "docs/coming_from/fast_loader.md",
      "docs/coming_from/montblanc.md",
      "docs/coming_from/imagej.md",
    ],
  },
  {
    text: "Guides by subject",
    pages: [
      "docs/browser.md",
      "docs/udf.md",
      "docs/kernels.md",
      "docs/views.md",
      "docs/radio.md",
      "docs/observations.md",
      "docs/imaging.md",
      "docs/hypercube.md",
      "docs/providers.md",
      "docs/channels.md",
      "docs/cluster.md",
      "docs/runtimes.md",
    ],
  },
  {
    text: "Reference",
    pages: [
      "docs/command_line.md",
      "docs/analyses.md",
      "docs/formats.md",
      "docs/typescript.md",
      "docs/words.md",
      "docs/benchmarks.md",
      "docs/licences.md",
      "CHANGELOG.md",
    ],
  },
  {
    text: "Explanation",
    pages: [
      "docs/explanation.md",
      "docs/reliability.md",
      "docs/architecture.md",
      "docs/decisions/README.md",
      "CONTRIBUTING.md",
    ],
  },
];

/** Pages outside of `docs/`, and pages with another name than their file. */
const PLACES: Readonly<Record<string, string>> = {
  "README.md": "start.md",
  "CHANGELOG.md": "changelog.md",
  "CONTRIBUTING.md": "contributing.md",
  "docs/decisions/README.md": "decisions/index.md",
};

/**
 * Where a file of the checkout is in the site. Files that are no pages are shown as source.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(placeOf("docs/views.md"), "views.md");
 * assertEquals(placeOf("docs/images/open-dark.png"), "images/open-dark.png");
 * assertEquals(placeOf("examples/cube.ts"), "source/examples/cube-ts.md");
 * ```
 */
export function placeOf(path: string): string {
  const isPage = path.startsWith("docs/") && /\.(md|png|svg)$/.test(path);
  return PLACES[path] ??
    (isPage ? path.slice("docs/".length) : `source/${path.replace(/\.(\w+)$/, "-$1")}.md`);
}

/** The title of a page: its first heading, without code. */
export function titleOf(text: string): string {
  return /^# (.*)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? "";
}
