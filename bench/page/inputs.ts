/**
 * What both viewers are given: an image of three channels as OME-TIFF, and folders of pages of others on the server.
 *
 * @module
 */

import { fileSink } from "../../src/views/sinks/registry.ts";
import { join } from "@std/path";
import { open } from "../../mod.ts";
import { ndarray } from "../../src/entries/arrays.ts";
import { copySamples } from "../../src/entries/unstable/views.ts";
import { mapViews } from "../../src/entries/views.ts";
import { host } from "../../tests/browser/setup/server.ts";

/** Levels by which samples are brighter than a ground, per channel, row and column. */
export type Light = (c: number, y: number, x: number) => number;

/** Channels of the image. */
const NAMES = ["DAPI", "GFP", "Cy5"];

/** The bytes of an OME-TIFF with tiles of 256, and a level for each halving down to less than a tile. */
export async function threeChannels(side: number, light: Light): Promise<Uint8Array> {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "cells.ome.tif");
  const data = new Uint16Array(3 * side * side);
  for (let i = 0; i < data.length; i++) {
    data[i] = 200 + light(Math.floor(i / side / side), Math.floor(i / side) % side, i % side);
  }
  const places = ["y", "x"].map((name) => ({ name, kind: "space", scale: 0.325, unit: "µm" }) as const);
  const axes = [{ name: "c", kind: "channel", names: NAMES }, ...places] as const;
  const array = await open({ ...ndarray(data, [3, side, side], "uint16"), axes });
  const levels = Math.max(1, Math.ceil(Math.log2(side / 256)) + 1);
  await mapViews(array, copySamples(), { sink: fileSink(path, { tile: 256, levels }) });
  const bytes = await Deno.readFile(path);
  await Deno.remove(folder, { recursive: true });
  return bytes;
}

/** Serves a built page; the path of its `index.html`. */
export async function hostFolder(name: string, folder: string): Promise<string> {
  for await (const { name: file, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, file);
    if (isDirectory) await hostFolder(`${name}/${file}`, path);
    else host(`${name}/${file}`, await Deno.readFile(path));
  }
  return `/hosted/${name}/index.html`;
}
