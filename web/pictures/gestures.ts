/**
 * Zoom and pan by wheel, pinch, drag and keyboard.
 *
 * @module
 */

/// <reference lib="dom" />

import { type Look, panned, type Size, zoomed } from "../draw/look.ts";
import type { Position } from "../state/state.ts";
import { arrowOf, placeIn } from "./drag.ts";

/** What gestures know, and what they change. */
export interface GestureHost {
  /** What is seen. */
  look(): Look;
  /** Size on the screen. */
  screen(): Size;
  /** Size of the image. */
  size(): Size;
  /** Another part is seen; undefined: all of it, whatever its size. */
  show(look: Look | undefined): void;
  /** A pointer was pressed beside all handles; true if it is used for something else. */
  pressed(event: PointerEvent): boolean;
}

/** Factor per key press. */
const STEP = 1.5;

/** Share of the screen that an arrow key moves. */
const MOVE = 0.1;

/** Listens on `stage`, which can have the focus. */
export function listenToGestures(stage: HTMLElement, host: GestureHost): void {
  const pointers = new Map<number, Position>();
  const zoom = (factor: number, place: Position) =>
    host.show(zoomed(host.look(), host.screen(), host.size(), factor, place));
  const pan = (down: number, right: number) =>
    host.show(panned(host.look(), host.screen(), host.size(), down, right));
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const speed = event.ctrlKey ? 0.01 : 0.002; // a pinch on a touch pad has small steps
    zoom(Math.exp(-event.deltaY * lines * speed), placeIn(stage, event));
  }, { passive: false });
  stage.addEventListener("dblclick", () => host.show(undefined));
  stage.addEventListener("pointerdown", (event) => {
    if (event.button > 1) return;
    if (pointers.size === 0 && event.button === 0 && !event.shiftKey && host.pressed(event)) return;
    stage.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, placeIn(stage, event));
    if (event.button === 1) event.preventDefault();
  });
  stage.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = placeIn(stage, event);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, now);
    if (other) pinch(before, now, other);
    else pan(now[0] - before[0], now[1] - before[1]);
  });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
    stage.addEventListener(name, (event) => void pointers.delete(event.pointerId));
  }
  stage.addEventListener("keydown", (event) => onKey(event));

  function pinch(before: Position, now: Position, other: Position): void {
    const distance = (one: Position) => Math.max(1, Math.hypot(one[0] - other[0], one[1] - other[1]));
    zoom(distance(now) / distance(before), other);
  }

  function onKey(event: KeyboardEvent): void {
    if (event.target !== stage) return;
    const { width, height } = host.screen();
    const arrow = arrowOf(event);
    const factor = { "+": STEP, "=": STEP, "-": 1 / STEP, "_": 1 / STEP }[event.key];
    if (arrow) pan(-Math.sign(arrow[0]) * MOVE * height, -Math.sign(arrow[1]) * MOVE * width);
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (factor !== undefined) zoom(factor, [height / 2, width / 2]);
    else if (event.key === "0" || event.key === "Home") host.show(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
