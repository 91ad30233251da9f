/**
 * The examples of the gallery that run in a page without files of a server.
 *
 * @module
 */

import { aboutOf, type GalleryExample, galleryExamples, ROOMS, titleOf } from "../gallery/examples.ts";
import type { SandboxExample } from "./client/main.ts";

/** Those that do not: they open an observation, compile a kernel, or read what they have written as a pyramid. */
const LEFT_OUT = /openObservation|kernelUdf|OME-Zarr/;

/** Whether an example runs in a page. */
export function runsInPages({ code }: GalleryExample): boolean {
  return !LEFT_OUT.test(code);
}

/** The examples as the page takes them. */
export function sandboxExamples(): SandboxExample[] {
  return galleryExamples().filter(runsInPages).map((example) => ({
    name: example.name,
    title: titleOf(example),
    room: ROOMS[example.room]!,
    about: aboutOf(example),
    code: example.code,
  }));
}
