/**
 * Results that the user has kept to compare them.
 *
 * @module
 */

import { TITLES, wordOf } from "../../../src/analyses/mod.ts";
import type { ShownImage, ShownVectors } from "../../draw/image.ts";
import { displayOf } from "../../draw/maps.ts";
import type { Display, PageState } from "../../state/state.ts";

/** A kept result. */
export interface Kept {
  /** Tells it from the others. */
  readonly id: string;
  /** What it is, and of what. */
  readonly title: string;
  /** Its numbers, which no run changes any more. */
  readonly image: ShownImage | ShownVectors;
  /** How it was shown. */
  readonly display: Display;
}

/** Most results that are kept; the oldest are forgotten. */
const MOST = 12;

const all: Kept[] = [];
const listeners = new Set<() => void>();
let made = 0;

/** What is kept, the oldest first. */
export function keptResults(): readonly Kept[] {
  return all;
}

/** Keeps an image. */
export function keep(image: ShownImage | ShownVectors, state: PageState): Kept {
  const { analysis, source, roi } = state;
  const of = source?.kind === "files"
    ? source.names[0]
    : source?.kind === "url"
    ? source.url.replace(/^.*\//, "")
    : source?.name;
  const how = Object.keys(analysis.values).length > 0 ? ` (${wordOf(analysis).replace(/^\w+:/, "")})` : "";
  const title = [
    `${made + 1}: ${image.title || TITLES[analysis.name]}${how}`,
    ...(roi ? ["region"] : []),
    ...(of === undefined ? [] : [of]),
  ].join(", ");
  const kept = { id: `kept-${++made}`, title, image: still(image), display: displayOf(image, state.scan) };
  all.push(kept);
  if (all.length > MOST) all.shift();
  tell();
  return kept;
}

/** Forgets one. */
export function forget(id: string): void {
  const at = all.findIndex((kept) => kept.id === id);
  if (at >= 0) all.splice(at, 1);
  tell();
}

/** Calls `heard` after every change, until the returned function is called. */
export function onKept(heard: () => void): () => void {
  listeners.add(heard);
  return () => void listeners.delete(heard);
}

function tell(): void {
  for (const heard of [...listeners]) heard();
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
  const { title, axes, unit } = image;
  const facts = { title, axes, ...(unit === undefined ? {} : { unit }) };
  return "y" in image ? { ...facts, y: image.y, x: image.x } : { ...facts, array: image.array };
}
