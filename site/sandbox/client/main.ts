/**
 * The page of the sandbox: examples in a text area, a worker that runs them, and what they tell.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Program, Told } from "./messages.ts";

/** An example, as `examples.json` has it. */
export interface SandboxExample {
  readonly name: string;
  readonly title: string;
  readonly room: string;
  readonly about: string;
  readonly code: string;
}

/** Makes the sandbox in `place`; the result ends what it runs. */
export async function mount(place: HTMLElement): Promise<() => void> {
  const answer = await fetch(new URL("examples.json", import.meta.url));
  const examples = await answer.json() as SandboxExample[];
  const sandbox = new Sandbox(place, examples);
  return () => sandbox.stop();
}

class Sandbox {
  readonly #examples: readonly SandboxExample[];
  readonly #choice = made("select", { id: "sandbox-example" });
  readonly #about = made("p", {});
  readonly #code = made("textarea", {
    id: "sandbox-code",
    spellcheck: false,
    autocapitalize: "off",
    wrap: "off",
  });
  readonly #run = made("button", { type: "button", textContent: "Run", className: "run" });
  readonly #stop = made("button", { type: "button", textContent: "Stop", disabled: true });
  readonly #status = made("p", { textContent: isolation() });
  readonly #output = made("section", {});
  #worker: Worker | undefined;

  constructor(place: HTMLElement, examples: readonly SandboxExample[]) {
    this.#examples = examples;
    for (const room of new Set(examples.map((example) => example.room))) {
      const group = made("optgroup", { label: room });
      group.append(
        ...examples.filter((one) => one.room === room).map(({ name, title }) =>
          made("option", { value: name, textContent: title })
        ),
      );
      this.#choice.append(group);
    }
    this.#status.setAttribute("role", "status");
    this.#output.setAttribute("aria-label", "Output");
    place.replaceChildren(
      row(label("Example", this.#choice), this.#choice),
      this.#about,
      label("Program", this.#code),
      this.#code,
      row(this.#run, this.#stop),
      this.#status,
      this.#output,
    );
    this.#choice.addEventListener("change", () => this.#show(this.#choice.value));
    this.#run.addEventListener("click", () => this.run());
    this.#stop.addEventListener("click", () => this.#stopped());
    this.#code.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.run();
    });
    const asked = new URLSearchParams(location.search).get("example");
    this.#show(examples.some(({ name }) => name === asked) ? asked! : "bright_field");
  }

  #show(name: string): void {
    const { about, code } = this.#examples.find((example) => example.name === name)!;
    this.#choice.value = name;
    this.#about.textContent = about;
    this.#code.value = code;
    this.#code.rows = Math.min(40, code.split("\n").length + 1);
  }

  /** Runs the program in a new worker; one that still runs is ended. */
  run(): void {
    this.stop();
    this.#output.replaceChildren();
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.#worker = worker;
    this.#running(true, "Running …");
    worker.addEventListener("message", ({ data }: MessageEvent<Told>) => this.#told(data));
    worker.addEventListener(
      "error",
      ({ message }) => this.#failed(message || "The worker cannot be started"),
    );
    const cells = this.#examples.find(({ name }) => name === "cells")!.code;
    worker.postMessage({ code: this.#code.value, cells } satisfies Program);
  }

  /** Ends the program that runs. */
  stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #told(told: Told): void {
    if (told.kind === "text") this.#output.append(made("pre", { textContent: told.text, tabIndex: 0 }));
    else if (told.kind === "file") this.#output.append(figureOf(told.name, told.bytes));
    else if (told.kind === "failed") this.#failed(told.text);
    else this.#ended(`Done in ${Math.round(told.milliseconds)} ms. ${isolation()}`);
  }

  #failed(text: string): void {
    const error = made("pre", { textContent: text, className: "error", tabIndex: 0 });
    this.#output.append(error);
    this.#ended("Failed: the text below says why.");
  }

  #stopped(): void {
    this.#ended("Stopped.");
  }

  #ended(text: string): void {
    this.stop();
    const hasFocus = document.activeElement === this.#stop;
    this.#running(false, text);
    if (hasFocus) this.#run.focus();
  }

  #running(isRunning: boolean, text: string): void {
    this.#stop.disabled = !isRunning;
    this.#status.textContent = text;
  }
}

/** What threads of this page can do. */
function isolation(): string {
  return crossOriginIsolated
    ? "This page is isolated from other origins: workers share memory."
    : "This page is not isolated from other origins: workers get copies of what they compute on, with the same results.";
}

/** A file: a picture is shown, and every file can be kept. */
function figureOf(name: string, bytes: Uint8Array<ArrayBuffer>): HTMLElement {
  const isPicture = name.endsWith(".png");
  const src = URL.createObjectURL(new Blob([bytes], { type: isPicture ? "image/png" : "" }));
  const link = made("a", {
    href: src,
    download: name.replace(/^.*\//, ""),
    textContent: `${name}, ${bytes.length} bytes`,
  });
  const caption = made("figcaption", {}), figure = made("figure", {});
  caption.append(link);
  figure.append(...(isPicture ? [made("img", { src, alt: `The picture ${name}` })] : []), caption);
  return figure;
}

function made<K extends keyof HTMLElementTagNameMap>(
  name: K,
  values: Partial<HTMLElementTagNameMap[K]>,
): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), values);
}

function label(textContent: string, { id }: HTMLElement): HTMLElement {
  return made("label", { textContent, htmlFor: id });
}

function row(...elements: readonly HTMLElement[]): HTMLElement {
  const row = made("div", { className: "row" });
  row.append(...elements);
  return row;
}
