/**
 * Results that the user has kept to compare them, over reloads where the browser has a folder for them.
 *
 * @module
 */

import { TITLES, wordOf } from "../../../src/analyses/mod.ts";
import type { ShownImage, ShownVectors } from "../../draw/image.ts";
import { displayOf } from "../../draw/maps.ts";
import type { PageState } from "../../state/state.ts";
import type { Workbench } from "../workbench.ts";
import { type Kept, keptFile, keptOf } from "./kept_file.ts";
import { type KeptFolder, keptFolder } from "./kept_folder.ts";

/** Most results that are kept; the oldest are forgotten. */
const MOST = 12;

const all: Kept[] = [];
const listeners = new Set<() => void>();
let made = 0;
let folder: Promise<KeptFolder | undefined> | undefined;
let restored: Promise<void> | undefined;
/** What is written, in the order in which it was asked for. */
let written: Promise<unknown> = Promise.resolve();
let isLasting = true;

/** What is kept, the oldest first. */
export function keptResults(): readonly Kept[] {
  return all;
}

/** Whether results outlive this page, as far as it is known. */
export function areLasting(): boolean {
  return isLasting;
}

/** Reads what was kept before this page was loaded, once. */
export function restoreKept(): Promise<void> {
  return restored ??= restore();
}

async function restore(): Promise<void> {
  folder = keptFolder();
  const there = await folder;
  isLasting = there !== undefined;
  const files = await there?.read().catch(() => []) ?? [];
  const known = files.flatMap((bytes) => keptOf(bytes) ?? []);
  known.sort((a, b) => numberOf(a) - numberOf(b));
  all.unshift(...known.filter(({ id }) => !all.some((kept) => kept.id === id)));
  made = Math.max(made, ...all.map(numberOf));
  tell();
}

/** What the open source is called in kept results: other files of the same names are another source. */
export function sourceOf({ store: { state: { source, open } }, version }: Workbench): string {
  return JSON.stringify([source, open, version]);
}

/** Keeps an image of the source `of`: which result of the state's analysis it is. */
export async function keep(
  image: ShownImage | ShownVectors,
  result: Kept["result"],
  state: PageState,
  of: string,
): Promise<void> {
  await restoreKept(); // so that numbers go on
  const { analysis, roi } = state;
  const id = `kept-${++made}`;
  put({
    id,
    title: titleOf(id, image, state),
    image: still(image),
    display: displayOf(image, state.scan),
    analysis,
    ...(roi ? { roi } : {}),
    result,
    of,
  });
  if (all.length > MOST) forget(all[0]!.id);
}

/** The same analysis with other values, and what came out. */
export function change(id: string, image: ShownImage | ShownVectors, state: PageState): void {
  const kept = all.find((one) => one.id === id);
  if (!kept) return;
  const { analysis } = state;
  put({ ...kept, analysis, title: titleOf(id, image, state), image: still(image) });
}

/** Forgets one. */
export function forget(id: string): void {
  const at = all.findIndex((kept) => kept.id === id);
  if (at >= 0) all.splice(at, 1);
  void inTurn((there) => there.remove(id)).catch(() => {}); // it was never written
  tell();
}

/** Calls `heard` after every change, until the returned function is called. */
export function onKept(heard: () => void): () => void {
  listeners.add(heard);
  return () => void listeners.delete(heard);
}

function put(kept: Kept): void {
  const at = all.findIndex(({ id }) => id === kept.id);
  all.splice(at < 0 ? all.length : at, at < 0 ? 0 : 1, kept);
  tell();
  void save(kept);
}

async function save(kept: Kept): Promise<void> {
  try {
    await inTurn((there) => there.write(kept.id, keptFile(kept)));
  } catch {
    isLasting = false; // the disk is full, or writing is not allowed
    tell();
  }
}

/** Does `work` in the folder, if there is one, after what was asked for before: a file is not removed while it is written. */
function inTurn(work: (folder: KeptFolder) => Promise<void>): Promise<void> {
  const done = written.then(async () => {
    const there = await folder;
    if (there) await work(there);
  });
  written = done.catch(() => {});
  return done;
}

function tell(): void {
  for (const heard of [...listeners]) heard();
}

function numberOf({ id }: Pick<Kept, "id">): number {
  return Number(id.replace("kept-", "")) || 0;
}

function titleOf(id: string, image: ShownImage | ShownVectors, { analysis, source, roi }: PageState): string {
  const of = source?.kind === "files"
    ? source.names[0]
    : source?.kind === "url"
    ? source.url.replace(/^.*\//, "")
    : source?.name;
  const how = Object.keys(analysis.values).length > 0 ? ` (${wordOf(analysis).replace(/^\w+:/, "")})` : "";
  return [
    `${numberOf({ id })}: ${image.title || TITLES[analysis.name]}${how}`,
    ...(roi ? ["region"] : []),
    ...(of === undefined ? [] : [of]),
  ].join(", ");
}

/** Whether a kept image is this one. */
export function isSameImage(kept: Kept["image"], image: Kept["image"] | undefined): boolean {
  if (!image || "y" in kept !== "y" in image) return false;
  return "y" in kept && "y" in image
    ? kept.y === image.y
    : "array" in kept && "array" in image && kept.array === image.array;
}

/** The image itself, without the result that it was cut from. */
function still(image: ShownImage | ShownVectors): ShownImage | ShownVectors {
  const { title, axes, unit, meaning } = image;
  const facts = { title, axes, ...(unit === undefined ? {} : { unit }), ...(meaning ? { meaning } : {}) };
  return "y" in image ? { ...facts, y: image.y, x: image.x } : { ...facts, array: image.array };
}
