/**
 * Exports what is seen of an image: as a picture, at full resolution, and as code. What writes files is loaded when it is asked for.
 *
 * @module
 */

/// <reference lib="dom" />

import { type ExportedFile, textFile } from "../../export/data.ts";
import { download } from "../../export/download.ts";
import type { SeenPart, SeenRecipe } from "../../export/seen.ts";
import { element } from "../../parts/dom.ts";
import type { ImageFacts, TwTiles } from "../../pictures/mod.ts";
import type { Workbench } from "../workbench.ts";
import type { OpenedImage } from "./opened_image.ts";
import { baseOf, copied, recipeOf } from "./recipe_of_seen.ts";

/** What is exported, the word of its button, and what it is. */
const FILES = [
  ["png", "Picture", "PNG as it is seen, with a scale bar"],
  ["ome.tif", "OME-TIFF", "the samples of what is seen, at full resolution"],
  ["ome.zarr.zip", "OME-Zarr", "the samples of what is seen, at full resolution, in one archive"],
] as const;
const CODE = [
  ["script", "Script", "TypeScript for Deno that makes the same samples"],
  ["command", "Command", "a line for a shell that makes the same samples; it is copied"],
] as const;

type What = typeof FILES[number][0] | typeof CODE[number][0];

/** What is exported. */
export interface SeenImage {
  readonly opened: OpenedImage;
  readonly part: SeenPart;
  readonly facts: ImageFacts;
}

/** Buttons. */
export class SeenExport {
  /** All of it. */
  readonly root: HTMLElement = element(
    "section",
    { class: "part export", "aria-label": "Export" },
    element("h2", {}, "Export what is seen"),
    this.#row("Files", FILES),
    this.#row("Code", CODE),
  );

  /** Exports what `seen` gives: the image, and which part of it. */
  constructor(
    readonly bench: () => Workbench,
    readonly picture: TwTiles,
    readonly seen: () => SeenImage | undefined,
  ) {}

  #row(label: string, all: readonly (readonly [What, string, string])[]): HTMLElement {
    const buttons = all.map(([what, word, about]) =>
      element("button", {
        type: "button",
        class: "chip",
        title: about,
        "aria-label": `${word}: ${about}`,
        click: () => void this.#export(what),
      }, word)
    );
    return element("div", { class: "chips", role: "group", "aria-label": label }, ...buttons);
  }

  async #export(what: What): Promise<void> {
    const seen = this.seen();
    if (!seen) return;
    try {
      const said = what === "command" ? await this.#copy(seen) : await this.#save(what, seen);
      this.bench().say(said);
    } catch (error) {
      this.bench().fail(error);
    }
  }

  async #save(what: Exclude<What, "command">, seen: SeenImage): Promise<string> {
    const base = this.#base;
    const file = what === "png"
      ? await this.#picture(seen, `${base}.png`)
      : what === "script"
      ? textFile(`${base}.ts`, (await import("../../export/seen.ts")).seenScript(this.#recipe(seen), base))
      : await this.#samples(seen, `${base}.${what}`);
    if (!file) return "There is no picture of it yet";
    download([file]);
    return `${file.name} saved`;
  }

  async #picture({ facts }: SeenImage, name: string): Promise<ExportedFile | undefined> {
    const picture = this.picture.picture();
    const { scaledFile } = await import("../../export/figure.ts");
    return picture && await scaledFile(picture.pixels, facts, picture.zoom, name);
  }

  async #samples({ opened, part }: SeenImage, name: string): Promise<ExportedFile> {
    const { seenArray, seenFile } = await import("../../export/seen.ts");
    return await seenFile(await seenArray(opened.source, opened.dataset, part), name);
  }

  async #copy(seen: SeenImage): Promise<string> {
    const { seenCommand } = await import("../../export/seen.ts");
    const { text } = seenCommand(this.#recipe(seen), `${this.#base}.ome.tif`);
    return await copied(text, this.#base);
  }

  get #base(): string {
    return `${baseOf(this.bench())}-part`;
  }

  #recipe({ opened, part }: SeenImage): SeenRecipe {
    return { ...recipeOf(this.bench(), opened), ...part };
  }
}
