/**
 * The faces of the page when the user is needed to open something: files must be given again, a server be allowed, a store be
 * chosen; or it has failed.
 *
 * @module
 */

/// <reference lib="dom" />

import { adviceFor, detailsOf } from "../open/failures.ts";
import { textButton } from "../parts/buttons.ts";
import { element } from "../parts/dom.ts";
import { message } from "../parts/messages.ts";
import type { OpeningActions } from "./opening.ts";

/** Files that an address names must be given again: an address has only their names. */
export function askForFiles(names: readonly string[], actions: OpeningActions): HTMLElement {
  const list = names.slice(0, 8).map((name) => element("li", { class: "mono" }, name));
  return face(
    element("h1", {}, names.length === 1 ? names[0] : "Your files"),
    message({
      kind: "info",
      title: names.length === 1 ? `Please choose ${names[0]} again` : "Please choose these files again",
      text:
        "Everything else is as you left it. A page keeps no files: it may read them only after you gave them. Choose the folder to see its other files too.",
      actions: [
        textButton({
          label: names.length === 1 ? "Choose the file" : "Choose the files",
          look: "primary",
          press: () => actions.choose(false),
        }, "open"),
        textButton({ label: "Choose a folder", press: () => actions.choose(true) }),
        textButton({ label: "Open something else", look: "quiet", press: () => actions.leave() }),
      ],
    }),
    names.length > 1 &&
      element("ul", {}, ...list, names.length > 8 && element("li", {}, `and ${names.length - 8} more`)),
  );
}

/** An address leads to another server: the user decides. */
export function askForServer(url: string, actions: OpeningActions): HTMLElement {
  return face(
    element("h1", {}, "Another server"),
    message({
      kind: "info",
      title: `Read from ${new URL(url, document.baseURI).host}?`,
      text: `The address of this page asks for ${
        url.slice(0, 300)
      }. That server will see that you read from it.`,
      actions: [
        textButton({ label: "Read it", look: "primary", press: () => actions.openUrl(url) }),
        textButton({ label: "Open something else", look: "quiet", press: () => actions.leave() }),
      ],
    }),
  );
}

/** Opening failed: what happened, what can be done, and maybe a form. */
export function failed(
  error: unknown,
  name: string,
  form: HTMLElement | undefined,
  actions: OpeningActions,
): HTMLElement {
  const advice = adviceFor(error);
  return face(
    element("h1", {}, name),
    message({
      kind: advice.kind,
      title: advice.title,
      text: advice.text,
      steps: advice.steps,
      details: detailsOf(error),
      actions: [
        ...(advice.again
          ? [textButton({ label: "Try again", look: "primary", press: () => actions.again() })]
          : []),
        textButton({ label: "Open something else", press: () => actions.leave() }),
      ],
    }),
    advice.stores.length > 0 && storeButtons(advice.stores, actions),
    advice.form && form,
  );
}

/** Most stores that are offered: nobody looks through more. */
const MOST_STORES = 200;

function storeButtons(stores: readonly string[], actions: OpeningActions): HTMLElement {
  const button = (path: string) =>
    element("button", { type: "button", class: "button mono", click: () => actions.openFile(path) }, path);
  return element(
    "ul",
    { class: "samples", "aria-label": "Stores" },
    ...stores.slice(0, MOST_STORES).map((path) => element("li", {}, button(path))),
  );
}

function face(...children: readonly (HTMLElement | false | undefined)[]): HTMLElement {
  return element("div", { class: "opening" }, ...children);
}
