/**
 * Raises fences in the arenas of a thread, for tests.
 *
 * @module
 */

import { FencedCuts, FencedRoom } from "./fenced_room.ts";
import { fencesOf } from "./fences.ts";
import { type Fencing, useFencing } from "../../src/memory/fencing.ts";

let fencesNew = false;

/** Makes all later arenas of this thread have fences; so do the ranges that workers cut from their memory. */
export function fenceNewArenas(): void {
  fencesNew = true;
  useFencing(FENCING);
}

/** What fences do. */
export const FENCING: Fencing = {
  module: import.meta.url,
  pages: (pages) => {
    const room = 3 * pages + 512;
    return fencesNew && 2 * room < 65536 ? 2 * room : pages;
  },
  room: (memory, start) => new FencedRoom(memory, start),
  cuts: (memory, offset) => FencedCuts.of(memory, offset),
  of: fencesOf,
  bytes: () => fencesNew ? 64 : 0,
};
