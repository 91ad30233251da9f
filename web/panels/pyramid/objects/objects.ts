/**
 * Find objects: what is above a threshold after the filters, how many there are, and the table of them.
 *
 * @module
 */

/// <reference lib="dom" />

import type { ChannelAxis } from "../channel_looks.ts";
import { csvLines } from "../../../../src/analyses/mod.ts";
import { numberText } from "../../../draw/words.ts";
import type { ExportedFile } from "../../../export/data.ts";
import { textButton } from "../../../parts/buttons.ts";
import { element, setAttribute, setText } from "../../../parts/dom.ts";
import { choiceField } from "../../../parts/fields.ts";
import type { ObjectChoice } from "../../../state/state.ts";
import type { FoundObjects } from "./find_objects.ts";
import { type Column, ObjectTable, type RowKind, type TableColumns } from "./object_table.ts";

/** Whom the part tells. */
export interface ObjectsListener {
  /** Objects are looked for; undefined: no more. `done` is false while a slider moves. */
  changed(objects: ObjectChoice | undefined, done: boolean): void;
  /** An object was chosen in the table. */
  chosen(label: number): void;
  /** The table is to be saved. */
  save(): void;
  /** The command that makes the table is to be copied. */
  command(): void;
}

/** What is shown of the table: the rest leaves in files. */
function shownColumns(columns: TableColumns): Column[] {
  const area = Object.keys(columns).find((name) => name.startsWith("area (")) ?? "area";
  const wanted = [["label", "#"], [area, area === "area" ? "area (px)" : area], ["mean", "mean"], [
    "centroid_y",
    "row",
  ], ["centroid_x", "column"]] as const;
  return wanted.flatMap(([name, head]) => columns[name] ? [[head, columns[name]] as const] : []);
}

const OBJECTS: RowKind = { one: "Object", all: "Table of objects", shown: shownColumns };

/** Steps on a slider. */
const STEPS = 500;

/** Name of the file of a table. */
export function tableFile(name: string, { columns }: FoundObjects): ExportedFile {
  return { name, blob: new Blob([...csvLines(columns)], { type: "text/csv" }) };
}

/** The part of the panel. */
export class ObjectsPart {
  readonly #begin = textButton({
    label: "Find objects",
    look: "primary",
    press: () => this.listener.changed({ threshold: "otsu" }, true),
  });
  readonly #heading = element("h2", {}, "Objects");
  readonly #channel = choiceField({ label: "Look in" }, []);
  readonly #range = element("input", {
    type: "range",
    "aria-label": "Threshold: brighter than",
    input: () => this.#slid(false),
    change: () => this.#slid(true),
  });
  readonly #above = element("output");
  readonly #auto = element("input", {
    type: "checkbox",
    change: () => this.#set({ threshold: this.#auto.checked ? "otsu" : this.#found?.threshold ?? 0 }, true),
  });
  readonly #said = element("p", { class: "count", role: "status" });
  readonly #table = new ObjectTable(OBJECTS, (label) => this.listener.chosen(label));
  readonly #files = element(
    "div",
    { class: "chips", role: "group", "aria-label": "Files of the table" },
    ...[
      ["CSV", "The table as a file", () => this.listener.save()],
      [
        "Command",
        "A line for a shell that makes the same table; it is copied",
        () => this.listener.command(),
      ],
      ["Remove", "Look for no objects any more", () => this.listener.changed(undefined, true)],
    ].map(([word, about, click]) =>
      element(
        "button",
        {
          type: "button",
          class: "chip",
          title: `${about}`,
          "aria-label": `${word}: ${about}`,
          click: click as () => void,
        },
        `${word}`,
      )
    ),
  );
  readonly #steps = element(
    "div",
    { class: "path" },
    this.#channel.root,
    element(
      "label",
      { class: "slider" },
      element("span", {}, "Brighter than"),
      this.#range,
      this.#above,
    ),
    element(
      "label",
      { title: "Otsu's rule: the number that separates dark and bright samples best" },
      this.#auto,
      " Automatic threshold",
    ),
    this.#said,
    this.#table.root,
    this.#files,
  );
  /** All of it. */
  readonly root: HTMLElement = element(
    "section",
    { class: "part objects", "aria-label": "Objects" },
    this.#begin,
    this.#heading,
    this.#steps,
  );
  #choice: ObjectChoice | undefined;
  #found: FoundObjects | undefined;
  #names = "";

  /** A part without objects. */
  constructor(readonly listener: ObjectsListener) {
    this.#channel.input.addEventListener(
      "change",
      () => this.#set({ channel: Number(this.#channel.input.value) }, true),
    );
  }

  /** Shows what is looked for, among the channels of an image; `channel` is the one that is looked in. */
  show(choice: ObjectChoice | undefined, axis: ChannelAxis | undefined, channel: number): void {
    this.#choice = choice;
    this.#begin.hidden = choice !== undefined;
    this.#heading.hidden = this.#steps.hidden = choice === undefined;
    this.#channel.root.hidden = !axis;
    const names = JSON.stringify(axis?.names);
    if (names !== this.#names) {
      this.#names = names;
      const options = (axis?.names ?? []).map((name, i) => element("option", { value: i }, name));
      this.#channel.input.replaceChildren(...options);
    }
    this.#channel.input.value = `${channel}`;
    this.#auto.checked = choice?.threshold === "otsu";
    if (typeof choice?.threshold === "number") this.#showThreshold(choice.threshold);
    if (this.#found) this.#table.show(this.#found.columns, choice?.chosen);
  }

  /** The threshold is between the least and the greatest value. */
  #setRange([least, most]: FoundObjects["range"]): void {
    for (
      const [name, value] of Object.entries({ min: least, max: most, step: (most - least) / STEPS || 1 })
    ) {
      setAttribute(this.#range, name, `${value}`);
    }
  }

  /** Says what is going on, or what is wrong. */
  say(text: string): void {
    setText(this.#said, text);
  }

  /** What was found; undefined: nothing yet. */
  set found(found: FoundObjects | undefined) {
    this.#found = found;
    this.#table.root.hidden = !found || found.columns["label"]!.length === 0;
    if (!found) return;
    const count = found.columns["label"]!.length;
    this.say(count === 1 ? "1 object" : `${count} objects`);
    this.#setRange(found.range);
    this.#showThreshold(found.threshold);
    this.#table.show(found.columns, this.#choice?.chosen);
  }

  #showThreshold(value: number): void {
    this.#range.value = `${value}`;
    const text = numberText(value);
    setText(this.#above, text);
    setAttribute(this.#range, "aria-valuetext", text);
  }

  #slid(done: boolean): void {
    this.#set({ threshold: this.#range.valueAsNumber }, done);
  }

  #set(change: Partial<ObjectChoice>, done: boolean): void {
    const { chosen: _, ...choice } = this.#choice ?? { threshold: "otsu" as const };
    this.listener.changed({ ...choice, ...change }, done);
  }
}
