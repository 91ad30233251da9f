/**
 * The faces of the page while nothing is open: welcome, busy, asking for something, failed.
 *
 * @module
 */

/// <reference lib="dom" />

import { adviceFor, detailsOf } from "../open/failures.ts";
import type { SampleFacts } from "../open/samples.ts";
import { textButton } from "../parts/buttons.ts";
import { element } from "../parts/dom.ts";
import { textField } from "../parts/fields.ts";
import { message } from "../parts/messages.ts";
import { ProgressBar } from "../parts/progress.ts";

/** What the faces can ask the page to do. */
export interface OpeningActions {
  /** Lets the user choose files, or a folder. */
  choose(folder: boolean): void;
  /** Opens an address. */
  openUrl(url: string): void;
  /** Opens a sample. */
  openSample(name: string): void;
  /** Opens one of several stores in the folder that was given. */
  openStore(path: string): void;
  /** Stops what is being opened. */
  cancel(): void;
  /** Opens the same again. */
  again(): void;
  /** Goes back to the welcome. */
  leave(): void;
}

/** The samples that the welcome offers; those of `open/samples.ts`, which is loaded when one is drawn. */
const SAMPLES: readonly SampleFacts[] = [
  { name: "crystal", title: "4D-STEM scan", about: "64 × 64 patterns of 128 × 128 pixels, 128 MiB" },
  { name: "crystal-small", title: "Small 4D-STEM scan", about: "64 × 64 patterns of 64 × 64 pixels, 32 MiB" },
  { name: "pyramid", title: "Image with a pyramid", about: "2048 × 2048 cells in four resolutions, 11 MiB" },
];

/** The formats, as people call them. */
const FORMATS = "MIB, HDF5 (NeXus, EMD, HyperSpy), DM3/DM4, SER, BLO, EMPAD, TVIPS, SEQ, K2IS, FRMS6, MRC, " +
  "TIFF and OME-TIFF, Zarr and OME-Zarr, npy, FITS, raw frames";

/** Nothing is open: what the page is for, and the ways to begin. */
export function welcome(actions: OpeningActions): HTMLElement {
  return element(
    "div",
    { class: "opening" },
    element(
      "header",
      {},
      element("h1", {}, "See into a scan, in this page"),
      element(
        "p",
        { class: "lead" },
        "Drop a 4D-STEM scan or a large image of any size. It is read and computed here: nothing is installed, nothing is uploaded.",
      ),
    ),
    dropZone(actions),
    element(
      "section",
      { "aria-labelledby": "samples-title" },
      element(
        "h2",
        { id: "samples-title", class: "part" },
        "No data at hand? Take a sample, drawn on the spot",
      ),
      element(
        "ul",
        { class: "samples" },
        ...SAMPLES.map((sample) => element("li", {}, sampleButton(sample, actions))),
      ),
    ),
    element("p", { class: "hint" }, `Reads ${FORMATS}.`),
  );
}

function dropZone(actions: OpeningActions): HTMLElement {
  const address = textField({ label: "Or the address of a file" }, {
    type: "url",
    inputmode: "url",
    placeholder: "https://…/scan.mib",
    name: "url",
  });
  const form = element(
    "form",
    {
      class: "address",
      novalidate: true,
      submit: (event: SubmitEvent) => {
        event.preventDefault();
        const url = address.input.value.trim();
        const problem = urlProblem(url);
        address.wrong(problem);
        if (problem === undefined) actions.openUrl(url);
        else address.input.focus();
      },
    },
    address.root,
    element("button", { class: "button", type: "submit" }, "Open address"),
  );
  return element(
    "section",
    { class: "drop", "aria-label": "Open" },
    element(
      "p",
      {},
      "Drop files or a folder anywhere on this page, or choose them. Files that belong together go together.",
    ),
    element(
      "div",
      { class: "actions" },
      textButton(
        { label: "Choose files", look: "primary", key: "o", press: () => actions.choose(false) },
        "open",
      ),
      textButton({ label: "Choose a folder", press: () => actions.choose(true) }),
    ),
    form,
  );
}

/** What is wrong with an address that was typed. */
export function urlProblem(text: string): string | undefined {
  if (text === "") return "Type the address of a file first";
  const url = URL.canParse(text, document.baseURI) ? new URL(text, document.baseURI) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return "An address begins with https:// or http://";
  if (url.username || url.password) return "Leave the password out: addresses are shown, stored and shared";
  return undefined;
}

function sampleButton({ name, title, about }: SampleFacts, actions: OpeningActions): HTMLElement {
  return element(
    "button",
    { type: "button", class: "button", click: () => actions.openSample(name) },
    title,
    element("small", {}, about),
  );
}

/** Something is being opened. */
export class Busy {
  /** The face. */
  readonly root: HTMLElement;
  readonly #bar: ProgressBar;
  readonly #text = element("p", { class: "hint" });

  /** Begins without a share: nobody knows it yet. */
  constructor(name: string, actions: OpeningActions) {
    this.#bar = new ProgressBar(`Opening ${name}`);
    this.root = element(
      "div",
      { class: "opening" },
      element(
        "div",
        { class: "busy", "aria-busy": "true" },
        element("h1", {}, `Opening ${name}`),
        this.#bar.root,
        this.#text,
        element(
          "div",
          { class: "actions" },
          textButton({ label: "Cancel", key: "Escape", press: () => actions.cancel() }),
        ),
      ),
    );
  }

  /** Shows how far it is, and with what. */
  show(text: string, share?: number): void {
    this.#bar.show(share);
    this.#text.textContent = text;
  }
}

/** Files that an address names must be given again: an address has only their names. */
export function askForFiles(names: readonly string[], actions: OpeningActions): HTMLElement {
  const list = names.slice(0, 8).map((name) => element("li", { class: "mono" }, name));
  return face(
    element("h1", {}, names.length === 1 ? names[0] : "Your files"),
    message({
      kind: "info",
      title: names.length === 1 ? `Please choose ${names[0]} again` : "Please choose these files again",
      text:
        "Everything else is as you left it. A page keeps no files: it may read them only after you gave them.",
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
    element("button", { type: "button", class: "button mono", click: () => actions.openStore(path) }, path);
  return element(
    "ul",
    { class: "samples", "aria-label": "Stores" },
    ...stores.slice(0, MOST_STORES).map((path) => element("li", {}, button(path))),
  );
}

function face(...children: readonly (HTMLElement | false | undefined)[]): HTMLElement {
  return element("div", { class: "opening" }, ...children);
}
