/**
 * What is open, and why it was understood so; its shape of the scan and sync offset can be changed with a preview.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Dataset } from "@tilewise/tilewise";
import type { Session } from "../engine/session.ts";
import { openDialog } from "../parts/dialogs.ts";
import { type Child, element } from "../parts/dom.ts";
import type { OpenChoices } from "../state/state.ts";
import { OpenForm } from "./open_form.ts";
import { Preview } from "./scan_preview.ts";
import type { ListedSource } from "./page/source_list.ts";

/** What the sheet needs. */
export interface SheetFacts {
  readonly session: Session;
  readonly choices: OpenChoices;
  /** One number per image of the file, in their order, for the preview; it may take a while. */
  readonly perImage: (signal: AbortSignal) => Promise<ArrayLike<number>>;
  submit(choices: OpenChoices): void;
  /** Other files that were given together with it, and what else the command that serves the page was given. */
  readonly others: Promise<readonly ListedSource[]>;
}

/** Most characters of a fact from a header that are shown. */
const MOST = 400;

/** Opens the sheet. */
export function openSourceSheet(facts: SheetFacts): void {
  const { session: { dataset, datasets }, choices, submit } = facts;
  const preview = new Preview((offset) => form.set("syncOffset", offset));
  const form = new OpenForm({
    choices,
    images: dataset.images,
    isKnown: true,
    arrays: datasets.map(({ array }) => array),
    submit(texts) {
      dialog.close();
      submit(texts);
    },
    changed: (texts) => preview.show(texts),
  });
  const others = otherSources(facts, () => dialog.close());
  const dialog = openDialog(
    "What is open",
    element(
      "div",
      { class: "sections" },
      section("", factsList(mainFacts(dataset))),
      section(
        "Why",
        element("ul", { class: "why" }, ...dataset.detection.why.map((why) => element("li", {}, why))),
      ),
      dataset.warnings.length > 0 &&
        section(
          "Warnings",
          element("ul", {}, ...dataset.warnings.map((warning) => element("li", {}, warning))),
        ),
      others,
      section("Scan", preview.root, form.root),
      metadataSection(dataset),
    ),
  );
  const reading = new AbortController();
  dialog.addEventListener("close", () => reading.abort());
  facts.perImage(reading.signal).then(
    (values) => preview.take(values, dataset.navShape, form.choices),
    () => preview.hide(),
  );
}

/** What else can be opened. */
function otherSources({ others }: SheetFacts, close: () => void): HTMLElement {
  const root = section("Also here");
  root.hidden = true;
  Promise.all([others, import("./page/source_list.ts")]).then(([all, { sourceList }]) => {
    if (all.length === 0) return;
    const closing = all.map((one) => ({
      ...one,
      press: () => {
        close();
        one.press();
      },
    }));
    root.append(sourceList("Other sources", closing));
    root.hidden = false;
  }, () => {}); // it is an offer
  return root;
}

function section(title: string, ...children: readonly Child[]): HTMLElement {
  return element("section", {}, title !== "" && element("h3", {}, title), ...children);
}

function factsList(facts: readonly (readonly [string, string])[]): HTMLElement {
  return element(
    "dl",
    { class: "facts-list" },
    ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
  );
}

function mainFacts(dataset: Dataset): [string, string][] {
  const { source, array, detection, navShape, sigShape, dtype, images, syncOffset, byteLength } = dataset;
  return [
    ["Name", array ? `${source}, array ${array}` : source],
    ["Format", detection.format],
    ["Scan", navShape.length > 0 ? navShape.join(" × ") : "none"],
    ["Pattern", `${sigShape.join(" × ")} ${dtype}`],
    ["Images", `${images}${syncOffset ? `, sync offset ${syncOffset}` : ""}`],
    ["Samples", bytesText(byteLength)],
    ...Object.entries(dataset.instrument).map(([name, value]): [string, string] => [name, `${value}`]),
  ];
}

function metadataSection({ metadata }: Dataset): HTMLElement | false {
  const facts = Object.entries(metadata).slice(0, 200);
  if (facts.length === 0) return false;
  const text = (value: unknown) =>
    (typeof value === "string" ? value : JSON.stringify(value) ?? "").slice(0, MOST);
  return element(
    "section",
    {},
    element(
      "details",
      {},
      element("summary", {}, `From its headers (${Object.keys(metadata).length})`),
      factsList(facts.map(([name, value]) => [name.slice(0, 80), text(value)])),
    ),
  );
}

/** Bytes for people. */
export function bytesText(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  const power = Math.max(0, Math.min(4, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** power;
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}
