/**
 * The faces of the page while nothing is open: welcome, and busy.
 *
 * @module
 */

/// <reference lib="dom" />

import type { SampleFacts } from "../open/samples.ts";
import { textButton } from "../parts/buttons.ts";
import { element } from "../parts/dom.ts";
import { textField } from "../parts/fields.ts";
import { ProgressBar } from "../parts/progress.ts";
import type { OpenChoices } from "../state/state.ts";

/** What the faces can ask the page to do. */
export interface OpeningActions {
  /** Lets the user choose files, or a folder. */
  choose(folder: boolean): void;
  /** Opens an address, in a way that is known. */
  openUrl(url: string, open?: OpenChoices): void;
  /** Opens a sample. */
  openSample(name: string): void;
  /** Opens one of the files, or of the folders that are stores, that were given together. */
  openFile(path: string): void;
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
  { name: "pyramid", title: "Micrograph of cells", about: "2048 × 2048 pixels in four resolutions, 11 MiB" },
];

/** The formats, as people call them. */
const FORMATS = "MIB, HDF5 (NeXus, EMD, HyperSpy), DM3/DM4, SER, BLO, EMPAD, TVIPS, SEQ, K2IS, FRMS6, MRC, " +
  "TIFF and OME-TIFF, Zarr and OME-Zarr, FITS, Measurement Sets, NPY, raw frames";

/** Sources that are offered before anything is chosen. */
export interface Offers {
  /** What the command that serves the page was given; nothing, if there is none. */
  readonly served: HTMLElement | undefined;
  /** What was open before. */
  readonly recent: HTMLElement | undefined;
}

/** Nothing is open: what the page is for, and the ways to begin; `offers` are put in their places when they are known. */
export function welcome(actions: OpeningActions, offers: Promise<Offers>): HTMLElement {
  const drop = dropZone(actions);
  offers.then(({ served, recent }) => {
    if (served) drop.before(part("served-title", "Here, from the command that shows this page", served));
    if (recent) drop.after(part("recent-title", "Open before; your files must be chosen again", recent));
  }, () => {}); // it is an offer
  return element(
    "div",
    { class: "opening" },
    element(
      "header",
      {},
      element("h1", {}, "See into scans and images, in this page"),
      element(
        "p",
        { class: "lead" },
        "Drop a 4D-STEM scan, a micrograph, a slide, or an image of the sky, of any size. It is read and computed here: nothing is installed, nothing is uploaded.",
      ),
    ),
    drop,
    part(
      "samples-title",
      "No data at hand? Take a sample, drawn on the spot",
      element(
        "ul",
        { class: "samples" },
        ...SAMPLES.map((sample) => element("li", {}, sampleButton(sample, actions))),
      ),
    ),
    element("p", { class: "hint" }, `Reads ${FORMATS}.`),
  );
}

function part(id: string, title: string, ...children: readonly HTMLElement[]): HTMLElement {
  return element(
    "section",
    { "aria-labelledby": id },
    element("h2", { id, class: "part" }, title),
    ...children,
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
