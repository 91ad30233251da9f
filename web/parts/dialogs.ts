/**
 * Dialogs over the page, and small panels beside the button that opens them.
 *
 * @module
 */

/// <reference lib="dom" />

import { type Child, element } from "./dom.ts";
import { icon } from "./icons.ts";

/** Opens a dialog; it is removed when it is closed, and the focus returns to where it was. */
export function openDialog(title: string, ...body: readonly Child[]): HTMLDialogElement {
  const before = document.activeElement;
  const close = element("button", {
    type: "button",
    class: "button quiet square",
    "aria-label": "Close",
    click: () => dialog.close(),
  }, icon("close"));
  const heading = element("h2", { id: "dialog-title" }, title);
  const dialog = element(
    "dialog",
    { "aria-labelledby": "dialog-title" },
    element("header", {}, heading, close),
    element("div", { class: "body" }, ...body),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // the backdrop
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** A small panel that a button opens and closes; `fill` makes its contents when it is first opened. */
export function popover(button: HTMLButtonElement, label: string, fill: () => readonly Child[]): HTMLElement {
  const panel = element("div", { class: "popover", role: "dialog", "aria-label": label, popover: "auto" });
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => {
    if (panel.childElementCount === 0) {
      panel.append(...fill().filter((child) => child !== undefined && child !== false));
    }
    panel.togglePopover();
  });
  panel.addEventListener("toggle", (event) => {
    const isOpen = (event as ToggleEvent).newState === "open";
    button.setAttribute("aria-expanded", `${isOpen}`);
    if (!isOpen) return;
    place(panel, button);
    panel.querySelector<HTMLElement>("input, select, button")?.focus();
  });
  return panel;
}

/** Below the button, inside of the window. */
function place(panel: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const left = Math.max(12, Math.min(at.right - width, innerWidth - width - 12));
  const below = at.bottom + 6;
  const top = below + height > innerHeight - 12 ? Math.max(12, at.top - height - 6) : below;
  Object.assign(panel.style, {
    position: "fixed",
    inset: "auto",
    left: `${left}px`,
    top: `${top}px`,
    margin: "0",
  });
}
