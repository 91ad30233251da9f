/**
 * The part of the rail that exports: the shown result as a file, and the computation as code.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Answer } from "../../engine/session.ts";
import { displayOfAll } from "../../draw/drawn.ts";
import { displayOf } from "../../draw/maps.ts";
import type { Shown } from "../../draw/numbers.ts";
import { readOptions } from "../../open/options.ts";
import { answers, type Chosen, chosenIn, eachOf, imagesOf } from "./result_list.ts";
import type { Workbench } from "../workbench.ts";
import { openDialog } from "../../parts/dialogs.ts";
import { element, setText } from "../../parts/dom.ts";
import { commandOf } from "../../export/code/command.ts";
import { notebookOf } from "../../export/code/notebook.ts";
import { scriptOf } from "../../export/code/script.ts";
import { arrayFiles, type ExportedFile, textFile } from "../../export/data.ts";
import { download } from "../../export/download.ts";
import { figureFile } from "../../export/figure.ts";
import { makeRecipe } from "../../export/make_recipe.ts";
import { pictureFile } from "../../export/picture.ts";
import { fileName, type Recipe } from "../../export/recipe.ts";

/** What can be exported: the word of the button, and what it is. */
const DATA = [
  ["figure", "PNG figure", "with colour bar and scale bar"],
  ["png", "PNG", "one pixel per value, in the colours of the page"],
  ["npy", "NPY", "all numbers of the result, for NumPy"],
  ["tif", "TIFF", "all numbers of the result"],
  ["csv", "CSV", "the numbers that are shown"],
] as const;

const CODE = [
  ["script", "Script", "TypeScript for Deno that gives the same bits"],
  ["notebook", "Notebook", "the same for Jupyter with the kernel of Deno"],
  ["command", "Command", "a line for a shell; it is copied"],
] as const;

/** A command of more characters than this does not fit a message. */
const LONG = 200;

type What = typeof DATA[number][0] | typeof CODE[number][0];

/** The box. */
export class ExportBox {
  /** The element. */
  readonly root: HTMLElement;
  readonly #buttons: HTMLButtonElement[] = [];

  /** Exports what the workbench shows. */
  constructor(private readonly bench: Workbench) {
    const row = (label: string, all: readonly (readonly [What, string, string])[]) =>
      element(
        "div",
        { class: "row", role: "group", "aria-label": label },
        element("span", { class: "hint" }, label),
        element(
          "div",
          { class: "chips" },
          ...all.map(([what, word, about]) => this.#button(what, word, about)),
        ),
      );
    this.root = element(
      "section",
      { class: "export", "aria-label": "Export" },
      element("h3", {}, "Export"),
      row("Shown result", DATA),
      row("This analysis", CODE),
    );
  }

  /** Shows whether there is anything to export. */
  show(): void {
    const ready = this.#ready();
    for (const button of this.#buttons) button.disabled = ready === undefined;
  }

  #ready(): Answer | undefined {
    const { answer, store } = this.bench;
    const isReady = answer?.state === "done" && answers(answer, store.state) && chosenIn(answer, store.state);
    return isReady ? answer : undefined;
  }

  #button(what: What, word: string, about: string): HTMLButtonElement {
    const button = element("button", {
      type: "button",
      class: "chip",
      title: about,
      "aria-label": `${word}: ${about}`,
      click: () => void this.#export(what),
    }, word);
    this.#buttons.push(button);
    return button;
  }

  async #export(what: What): Promise<void> {
    try {
      const answer = this.#ready();
      if (!answer) return;
      if (CODE.some(([code]) => code === what)) await this.#exportCode(what, answer);
      else await this.#exportData(what, answer);
    } catch (error) {
      this.bench.fail(error);
    }
  }

  async #exportData(what: What, answer: Answer): Promise<void> {
    const { state } = this.bench.store;
    const chosen = chosenIn(answer, state)!;
    const images = imagesOf(chosen);
    const files = (await Promise.all(eachOf(chosen).map((one) => this.#filesOf(what, answer, one, images))))
      .flat();
    download(files);
    this.bench.say(
      files.length > 0 ? `${files.map(({ name }) => name).join(", ")} saved` : "There is no picture of it",
    );
  }

  async #filesOf(
    what: What,
    answer: Answer,
    { result, image, channel }: Omit<Chosen, "beside">,
    together: readonly Shown[],
  ): Promise<ExportedFile[]> {
    const { state } = this.bench.store;
    const base = [fileName(answer.question), ...(answer.results.length > 1 ? [result.name] : [])].join("-");
    const shown = result.images.length > 1 ? `${base}-${channel + 1}` : base;
    const display = displayOfAll(
      together,
      displayOf(image, result.kind === "scan" ? state.scan : state.frame),
    );
    const one = image && ("y" in image ? result.array : image.array);
    if (what === "npy" || what === "tif") return await arrayFiles(result.array, `${base}.${what}`);
    if (what === "csv") return await arrayFiles(one ?? result.array, `${shown}.csv`);
    if (image === undefined) return [];
    return [await (what === "figure" ? figureFile : pictureFile)(image, display, `${shown}.png`)];
  }

  async #exportCode(what: What, answer: Answer): Promise<void> {
    const recipe = await this.#recipe(answer);
    const base = fileName(recipe);
    if (what === "script") download([textFile(`${base}.ts`, scriptOf(recipe), "text/typescript")]);
    if (what === "notebook") {
      download([textFile(`${base}.ipynb`, notebookOf(recipe), "application/x-ipynb+json")]);
    }
    if (what === "command") return await this.#copyCommand(recipe);
    this.bench.say(`${base}.${what === "script" ? "ts" : "ipynb"} saved`);
  }

  /** Copies the command; where that is not allowed, it becomes a file. A mask that it names is saved. */
  async #copyCommand(recipe: Recipe): Promise<void> {
    const { text, mask } = commandOf(recipe);
    if (mask) {
      const { navShape: shape } = recipe;
      const stride = shape.map((_, d) => shape.slice(d + 1).reduce((product, n) => product * n, 1));
      download(await arrayFiles({ data: mask.data, shape, stride, dtype: "bool" }, mask.name));
    }
    try {
      await navigator.clipboard.writeText(text);
      if (text.length <= LONG) this.bench.say(`Copied: ${text}`);
      else this.#showCommand(text);
    } catch {
      download([textFile(`${fileName(recipe)}.sh`, `${text}\n`)]);
      this.bench.say("The command is saved as a file, as this page may not copy");
    }
  }

  /** A long command on a sheet of its own, where it can be read and copied again. */
  #showCommand(text: string): void {
    const copy = element("button", {
      type: "button",
      class: "button",
      click: () => void navigator.clipboard.writeText(text).then(() => setText(copy, "Copied again")),
    }, "Copy");
    openDialog(
      "Command",
      element("p", { class: "hint" }, "It is copied: paste it into a shell."),
      element("pre", { class: "command", tabindex: 0 }, text),
      element("div", { class: "actions" }, copy),
    );
  }

  async #recipe({ question }: Answer): Promise<Recipe> {
    const { session, store: { state } } = this.bench;
    const source = state.source ?? { kind: "files", names: [session!.dataset.source] } as const;
    const { options } = readOptions(state.open);
    return await makeRecipe(session!, question, { source, choices: state.open, options });
  }
}
