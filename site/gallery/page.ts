/**
 * The front of the site: all examples with their pictures, and a page for each with its code.
 *
 * @module
 */

import { fenced } from "../build/stage.ts";
import type { Page } from "../build/reference.ts";
import { runsInPages } from "../sandbox/examples.ts";
import { aboutOf, type GalleryExample, galleryExamples, ROOMS, titleOf } from "./examples.ts";

/** What the front says before the pictures. */
const FRONT = `# Arrays larger than memory, tile by tile

Scans of electron microscopes, large images, observations of interferometers: computed in a fixed amount of
memory, in the terminal, in programs and in web pages, with nothing to install but Deno. [Get it](./start.md),
or begin with an example, also [in this browser](./sandbox.md). Each is a whole program; its picture is what it makes. They open what
\`tilewise demo --scan 48x48 --side 64 -o scan\` and \`tilewise demo radio -o radio\` write.
`;

/** The front, and a page per example. */
export function galleryPages(times: ReadonlyMap<string, number>): Page[] {
  const examples = galleryExamples();
  const rooms = Object.entries(ROOMS).map(([room, title]) => {
    const cells = examples.filter((example) => example.room === room).map(cellOf);
    return `## ${title}\n\n<div class="gallery">\n${cells.join("\n")}\n</div>\n`;
  });
  const text = `---\noutline: false\naside: false\n---\n\n${FRONT}\n${rooms.join("\n")}`;
  return [{ place: "index.md", title: "Gallery", text }, ...examples.map((one) => pageOf(one, times))];
}

function cellOf(example: GalleryExample): string {
  const { name } = example;
  return `<a href="./gallery/${name}.html"><img src="./gallery/${name}.png" alt="" loading="lazy">${
    titleOf(example)
  }</a>`;
}

function tryIt(example: GalleryExample): string {
  return runsInPages(example)
    ? `\n<a href="../sandbox.html?example=${example.name}">Change it and run it in this browser</a>\n`
    : "";
}

function pageOf(example: GalleryExample, times: ReadonlyMap<string, number>): Page {
  const { name, path, code } = example;
  const text = `---\noutline: false\n---\n\n# ${titleOf(example)}\n\n${
    aboutOf(example)
  }\n\n<img class="picture" src="./${name}.png" alt="What the program makes">\n\n${
    fenced(path, code)
  }\nFile: \`${path}\`. It took ${
    times.get(path)
  } ms, with start of its workers and compilation where it is the first that needs them.\n${tryIt(example)}`;
  return { place: `gallery/${name}.md`, title: titleOf(example), text };
}
