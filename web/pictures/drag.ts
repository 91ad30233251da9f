/**
 * Drags: pointers that are captured, told once per frame, and cancelled by Escape.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Position } from "../state/state.ts";
import { perFrame } from "./element.ts";

/** What happens in a drag; places are relative to the upper left corner of the element that is given. */
export interface Drag {
  /** It moved. */
  move(place: Position): void;
  /** It ended; `cancelled` by Escape, or by the system. */
  end(cancelled: boolean, isClick: boolean): void;
}

/** Pixels that a click may move. */
const CLICK = 4;

/** Begins a drag with a pointer that was pressed on `target`. */
export function beginDrag(event: PointerEvent, target: Element, within: Element, drag: Drag): void {
  const start = placeIn(within, event);
  let isClick = true;
  const moves = perFrame((place: Position) => drag.move(place));
  const over = new AbortController();
  const end = (cancelled: boolean) => {
    if (over.signal.aborted) return;
    if (!cancelled) moves.flush();
    over.abort();
    drag.end(cancelled, isClick);
  };
  const { signal } = over;
  const mine = (heard: (event: PointerEvent) => void) => (other: Event) => {
    if (other instanceof PointerEvent && other.pointerId === event.pointerId) heard(other);
  };
  target.setPointerCapture(event.pointerId);
  target.addEventListener(
    "pointermove",
    mine((next) => {
      const place = placeIn(within, next);
      if (Math.hypot(place[0] - start[0], place[1] - start[1]) > CLICK) isClick = false;
      if (!isClick) moves.push(place);
    }),
    { signal },
  );
  target.addEventListener("pointerup", mine(() => end(false)), { signal });
  target.addEventListener("pointercancel", mine(() => end(true)), { signal });
  target.addEventListener("lostpointercapture", mine(() => end(false)), { signal });
  document.addEventListener("keydown", (key) => {
    if (key.key !== "Escape") return;
    key.preventDefault();
    key.stopPropagation();
    end(true);
  }, { signal, capture: true });
}

/** Where a pointer is, from the upper left corner of an element. */
export function placeIn(element: Element, { clientX, clientY }: MouseEvent): Position {
  const { left, top } = element.getBoundingClientRect();
  return [clientY - top, clientX - left];
}

/** What an arrow key asks for: one sample, or ten with Shift; nothing for other keys. */
export function arrowOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): Position | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const step = shiftKey ? 10 : 1;
  switch (key) {
    case "ArrowUp":
      return [-step, 0];
    case "ArrowDown":
      return [step, 0];
    case "ArrowLeft":
      return [0, -step];
    case "ArrowRight":
      return [0, step];
    default:
      return undefined;
  }
}
