/**
 * Messages: what happened, what can be done about it, and the details for those who ask.
 *
 * @module
 */

/// <reference lib="dom" />

import { element } from "./dom.ts";
import { icon } from "./icons.ts";

/** What a message says. */
export interface MessageFacts {
  readonly kind: "info" | "warn" | "bad";
  /** What happened, in a few words. */
  readonly title: string;
  /** What happened, in a sentence or two. */
  readonly text?: string;
  /** What can be done, one step each. */
  readonly steps?: readonly string[];
  /** The error as the library has it. */
  readonly details?: string;
  /** Buttons. */
  readonly actions?: readonly HTMLElement[];
  /** Called when the message is closed; absent: it cannot be. */
  close?(): void;
}

/** The message as an element. Errors are read out at once, other messages when there is a pause. */
export function message(
  { kind, title, text, steps = [], details, actions = [], close }: MessageFacts,
): HTMLElement {
  const button = close && element("button", {
    type: "button",
    class: "button quiet square small",
    "aria-label": "Close this message",
    click: close,
  }, icon("close"));
  return element(
    "div",
    { class: `message ${kind === "info" ? "" : kind}`, role: kind === "bad" ? "alert" : "status" },
    icon(kind === "info" ? "info" : "warning"),
    element(
      "div",
      {},
      element("h2", {}, title),
      !!text && element("p", {}, text),
      steps.length > 0 && element("ul", { class: "do" }, ...steps.map((step) => element("li", {}, step))),
      !!details && element("details", {}, element("summary", {}, "Details"), element("pre", {}, details)),
    ),
    button ?? element("span"),
    actions.length > 0 && element("div", { class: "actions" }, ...actions),
  );
}
