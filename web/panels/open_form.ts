/**
 * The form for facts that a file does not have: shapes, sample type, headers, and which image is the first of the scan.
 *
 * @module
 */

/// <reference lib="dom" />

import { readOptions, shapeText } from "../open/options.ts";
import { suggestRaw, suggestScans } from "../open/suggestions.ts";
import { element } from "../parts/dom.ts";
import { choiceField, type Field, textField } from "../parts/fields.ts";
import type { OpenChoices } from "../state/state.ts";

/** What is known when the form is made. */
export interface FormFacts {
  /** Texts so far. */
  readonly choices: OpenChoices;
  /** Size of the only file. */
  readonly bytes?: number | undefined;
  /** Its name, which may tell shapes. */
  readonly name?: string;
  /** Images in the file, if it could be opened. */
  readonly images?: number | undefined;
  /** Whether the file says itself how its samples are stored: then only the scan is asked for. */
  readonly isKnown: boolean;
  /** Names of arrays to choose from. */
  readonly arrays?: readonly string[];
  /** Opens it with these texts. */
  submit(choices: OpenChoices): void;
  /** What is shown above the button. */
  readonly preview?: HTMLElement;
  /** Hears of every change that could be right, for a preview. */
  changed?(choices: OpenChoices): void;
}

const TYPES = ["uint8", "uint16", "uint32", "int16", "int32", "float32", "float64"] as const;

/** The form. */
export class OpenForm {
  /** The form as an element. */
  readonly root: HTMLFormElement;
  readonly #fields: Readonly<Record<string, Field>>;
  readonly #facts: FormFacts;
  #choices: OpenChoices;

  /** Makes the fields that are of use. */
  constructor(facts: FormFacts) {
    this.#facts = facts;
    this.#choices = facts.choices;
    this.#fields = { ...this.#scanFields(), ...(facts.isKnown ? {} : this.#rawFields()) };
    this.root = element(
      "form",
      {
        class: "card",
        novalidate: true,
        submit: (event: SubmitEvent) => this.#submit(event),
      },
      element(
        "div",
        { class: "body sections" },
        this.#suggestions(),
        element("div", { class: "form-grid" }, ...Object.values(this.#fields).map(({ root }) => root)),
        facts.preview,
        element(
          "div",
          { class: "actions" },
          element("button", { class: "button primary", type: "submit" }, facts.isKnown ? "Apply" : "Open"),
        ),
      ),
    );
  }

  /** The texts of now. */
  get choices(): OpenChoices {
    return this.#choices;
  }

  /** Puts a text into a field, as if it were typed. */
  set(name: string, text: string): void {
    const field = this.#fields[name];
    if (field) field.input.value = text;
    this.#change(name, text);
  }

  #text(name: string): string {
    return this.#facts.choices[name] ?? "";
  }

  #scanFields(): Record<string, Field> {
    const field = (name: string, label: string, hint: string, attributes = {}) =>
      textField(
        { label, hint, value: this.#text(name), changed: (text) => this.#change(name, text) },
        attributes,
      );
    const { arrays = [] } = this.#facts;
    return {
      ...(arrays.length > 1
        ? {
          array: choiceField(
            {
              label: "Array",
              hint: "The file has several",
              value: this.#text("array"),
              changed: (text) => this.#change("array", text),
            },
            [
              ["", "The largest"],
              ...arrays.map((name): [string, string] => [name, name || "(without a name)"]),
            ],
          ),
        }
        : {}),
      nav: field("nav", "Shape of the scan", "Rows × columns, such as 256×256", {
        placeholder: "as in the file",
      }),
      syncOffset: field("syncOffset", "Images to skip first", "Negative: positions before the first image", {
        inputmode: "numeric",
        placeholder: "0",
      }),
    };
  }

  #rawFields(): Record<string, Field> {
    const field = (name: string, label: string, hint: string, placeholder: string) =>
      textField({ label, hint, value: this.#text(name), changed: (text) => this.#change(name, text) }, {
        placeholder,
      });
    return {
      sig: field("sig", "Shape of a pattern", "Rows × columns of the detector", "256×256"),
      dtype: choiceField(
        {
          label: "Samples",
          hint: "How a number is stored",
          value: this.#text("dtype"),
          changed: (text) => this.#change("dtype", text),
        },
        [["", "Choose …"], ...TYPES.map((type): [string, string] => [type, type])],
      ),
      byteOrder: choiceField(
        {
          label: "Byte order",
          hint: "Big: some cameras and FPGAs",
          value: this.#text("byteOrder") || "little",
          changed: (text) => this.#change("byteOrder", text),
        },
        [["little", "little"], ["big", "big"]],
      ),
      headerBytes: field(
        "headerBytes",
        "Bytes before the first pattern",
        "A header at the start of the file",
        "0",
      ),
      frameHeaderBytes: field(
        "frameHeaderBytes",
        "Bytes before each pattern",
        "A header of every pattern",
        "0",
      ),
      frameFooterBytes: field("frameFooterBytes", "Bytes after each pattern", "EMPAD: 1024", "0"),
    };
  }

  /** What fits the size of the file; a press fills the fields in. */
  #suggestions(): HTMLElement | false {
    const { bytes, images, isKnown, name } = this.#facts;
    const chips = isKnown
      ? suggestScans(images ?? 0).map((shape) => this.#chip(shape.join(" × "), { nav: shapeText(shape) }))
      : suggestRaw(bytes ?? 0, name).map(({ sig, dtype, headerBytes, frames, scan: told }) => {
        const [scan = told] = told ? [] : suggestScans(frames, 1);
        const label = `${scan ? `${scan.join(" × ")} of ` : ""}${sig.join(" × ")} ${dtype}${
          headerBytes ? ` after ${headerBytes} bytes` : ""
        }`;
        return this.#chip(label, {
          sig: shapeText(sig),
          dtype,
          headerBytes: headerBytes ? `${headerBytes}` : "",
          ...(scan ? { nav: shapeText(scan) } : {}),
        });
      });
    if (chips.length === 0) return false;
    const what = isKnown ? `Fits ${images} images` : "Fits the size of the file";
    return element(
      "section",
      {},
      element("h3", { class: "hint" }, what),
      element("div", { class: "chips" }, ...chips),
    );
  }

  #chip(label: string, texts: Readonly<Record<string, string>>): HTMLElement {
    return element("button", {
      type: "button",
      class: "chip",
      click: () => {
        for (const [name, text] of Object.entries(texts)) this.set(name, text);
      },
    }, label);
  }

  #change(name: string, text: string): void {
    this.#choices = Object.fromEntries(
      Object.entries({ ...this.#choices, [name]: text }).filter(([, value]) => value.trim() !== ""),
    );
    if (this.#check()) this.#facts.changed?.(this.#choices);
  }

  /** Says what is wrong, field by field. */
  #check(): boolean {
    const { wrong } = readOptions(this.#choices);
    for (const [name, field] of Object.entries(this.#fields)) field.wrong(wrong[name]);
    return Object.keys(wrong).length === 0;
  }

  #submit(event: SubmitEvent): void {
    event.preventDefault();
    if (!this.#check()) return this.root.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    const { isKnown } = this.#facts;
    const isRaw = !isKnown && this.#choices["dtype"] !== undefined && this.#choices["sig"] !== undefined;
    this.#facts.submit(
      isRaw ? { ...this.#choices, format: this.#choices["format"] ?? "raw" } : this.#choices,
    );
  }
}
