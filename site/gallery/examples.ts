/**
 * The examples of the gallery, and what they make.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { ROOT } from "../build/stage.ts";

/** The rooms of the gallery, in their order: folders of `examples/gallery/`. */
export const ROOMS: Readonly<Record<string, string>> = {
  scans: "Scans of electron microscopes",
  images: "Images",
  radio: "Observations of interferometers",
  own: "Your own functions, and results elsewhere",
};

const PROGRAM = fromFileUrl(new URL("program.ts", import.meta.url));

/** One example: its file is `examples/gallery/ROOM/NAME.ts`, its picture `NAME.png`. */
export interface GalleryExample {
  readonly room: string;
  readonly name: string;
  /** The file, as a path in the checkout. */
  readonly path: string;
  readonly code: string;
}

/** All examples, in the order in which they run: one of them makes what the others of its room open. */
export function galleryExamples(): GalleryExample[] {
  return Object.keys(ROOMS).flatMap((room) => {
    const folder = `examples/gallery/${room}`;
    const names = [...Deno.readDirSync(join(ROOT, folder))].map(({ name }) => name.replace(/\.ts$/, ""));
    return names.toSorted(cellsFirst).map((name) => {
      const path = `${folder}/${name}.ts`;
      return { room, name, path, code: Deno.readTextFileSync(join(ROOT, path)) };
    });
  });
}

function cellsFirst(a: string, b: string): number {
  return Number(b === "cells") - Number(a === "cells") || (a < b ? -1 : 1);
}

/** Its name as a title. */
export function titleOf({ name }: Pick<GalleryExample, "name">): string {
  const words = name.replaceAll("_", " ");
  return words[0]!.toUpperCase() + words.slice(1);
}

/** What an example is about: its first comment. */
export function aboutOf({ code }: GalleryExample): string {
  return /^\/\*\* ([\s\S]*?) \*\//.exec(code)?.[1]?.replaceAll(/\s+\* /g, " ") ?? "";
}

/** Runs all examples in an empty folder, in one process; milliseconds of each, by its path. */
export async function runGallery(folder: string): Promise<ReadonlyMap<string, number>> {
  const paths = galleryExamples().map(({ path }) => join(ROOT, path));
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", `--config=${join(ROOT, "deno.json")}`, PROGRAM, ...paths],
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  const lines = new TextDecoder().decode(stdout).trimEnd().split("\n").filter((line) => line.startsWith("{"));
  if (!success) throw new Error(`after ${lines.at(-1)}:\n${new TextDecoder().decode(stderr)}`);
  return new Map(lines.map((line) => {
    const { path, milliseconds } = JSON.parse(line) as { path: string; milliseconds: number };
    return [path.slice(ROOT.length), milliseconds];
  }));
}
