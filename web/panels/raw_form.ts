/**
 * The form for a file that does not say what it is, with a preview of the scan as soon as its frames are known.
 *
 * @module
 */

/// <reference lib="dom" />

import { suggestScans } from "../open/suggestions.ts";
import { Newest } from "../state/newest.ts";
import type { OpenChoices } from "../state/state.ts";
import { type FormFacts, OpenForm } from "./open_form.ts";
import { Preview } from "./scan_preview.ts";

/** What the form needs. */
export interface RawFacts extends Pick<FormFacts, "choices" | "bytes" | "submit"> {
  /** What the file is called. */
  readonly name: string;
  /** The sum of each image with these texts. */
  perImage(choices: OpenChoices, signal: AbortSignal): Promise<ArrayLike<number>>;
}

/** Larger files are not read for a preview. */
const MOST_BYTES = 2 ** 31;

/** Milliseconds without a key before the file is read. */
const PAUSE = 400;

/** The form. */
export function rawForm({ choices, name, bytes, submit, perImage }: RawFacts): HTMLElement {
  const preview = new Preview((offset) => form.set("syncOffset", offset));
  const read = previewReader(preview, perImage);
  const form = new OpenForm({
    choices,
    name,
    bytes,
    isKnown: false,
    preview: preview.root,
    submit,
    changed: (texts) => (bytes ?? Infinity) <= MOST_BYTES && read(texts),
  });
  return form.root;
}

/** Reads again only if frames have changed; another shape of the scan is drawn from what was read. */
function previewReader(preview: Preview, perImage: RawFacts["perImage"]): (choices: OpenChoices) => void {
  const newest = new Newest();
  let known = "";
  let now: OpenChoices = {};
  const read = async (signal: AbortSignal) => {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    signal.throwIfAborted();
    return await perImage({ ...now, format: now["format"] ?? "raw" }, signal);
  };
  return (choices) => {
    now = choices;
    const { nav: _n, syncOffset: _s, ...frames } = choices;
    const key = JSON.stringify(Object.entries(frames).sort());
    if (key === known) return preview.show(choices);
    known = key;
    newest.stop();
    preview.hide();
    if (frames["sig"] === undefined || frames["dtype"] === undefined) return;
    void newest.begin(
      read,
      (values) => preview.take(values, suggestScans(values.length, 1)[0] ?? [1, values.length], now),
      () => preview.hide(), // what is wrong is said when it is opened
    );
  };
}
