/**
 * `<tw-analysis>`: which analysis is computed, with which parameters, which of its results is shown, and how it is exported.
 *
 * @module
 */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import type { TilewiseError } from "@tilewise/tilewise";
import { brightDisk } from "../draw/bright_disk.ts";
import type { Answer } from "../engine/session.ts";
import { ExportBox } from "./analysis/export_box.ts";
import { element } from "../parts/dom.ts";
import type { AnalysisChoice, PageState } from "../state/state.ts";
import { Chooser } from "./analysis/chooser.ts";
import { startValues } from "./analysis/describe.ts";
import { ExpressionField } from "./analysis/expression.ts";
import { ParameterForm } from "./analysis/form.ts";
import { chosenIn, ResultList } from "./analysis/result_list.ts";
import { keep } from "./compare/kept.ts";
import type { Panel, Workbench } from "./workbench.ts";

/** The rail. */
export class AnalysisPanel extends HTMLElement implements Panel {
  #bench!: Workbench;
  #chooser!: Chooser;
  #form!: ParameterForm;
  #expression!: ExpressionField;
  #results!: ResultList;
  #export!: ExportBox;
  #keep!: HTMLButtonElement;
  #ends: (() => void)[] = [];

  /** The workbench; set before the panel is shown. */
  set bench(bench: Workbench) {
    this.#bench = bench;
    this.#build();
  }

  /** Listens while it is shown. */
  connectedCallback(): void {
    const { store } = this.#bench;
    this.#ends = [
      store.listen((state) => this.#show(state)),
      this.#bench.on("answer", (answer) => this.#answered(answer)),
      this.#bench.on("session", () => this.#show(store.state)),
    ];
    this.#show(store.state);
    this.#answered(this.#bench.answer);
  }

  /** Ends what was begun. */
  disconnectedCallback(): void {
    for (const end of this.#ends) end();
  }

  #build(): void {
    this.classList.add("rail");
    this.#chooser = new Chooser((name) => this.#choose(name));
    this.#form = new ParameterForm({
      changed: (choice) => this.#change(choice),
      picked: (file) => void this.#bench.session?.files.set(file.name, file),
    });
    this.#expression = new ExpressionField({
      changed: (choice) => this.#change(choice),
      check: (choice) => this.#check(choice),
    });
    this.#results = new ResultList((result) => this.#bench.store.update({ result }, "result"));
    this.#export = new ExportBox(this.#bench);
    this.#keep = element("button", {
      type: "button",
      class: "button",
      click: () => this.#keepShown(),
    }, "Keep to compare");
    this.replaceChildren(
      this.#chooser.root,
      this.#form.root,
      this.#expression.root,
      this.#results.root,
      element("div", { class: "actions" }, this.#keep),
      this.#export.root,
    );
  }

  #show(state: PageState): void {
    const { analysis } = state;
    const isExpression = analysis.name === "expression";
    this.#chooser.show(analysis.name);
    this.#form.root.hidden = isExpression;
    this.#expression.root.hidden = !isExpression;
    if (isExpression) this.#expression.show(analysis);
    else this.#form.show(analysis);
    this.#results.show(this.#bench.answer, state);
    this.#export.show();
  }

  #answered(answer: Answer | undefined): void {
    const { state } = this.#bench.store;
    const isOurs = answer?.question.analysis.name === state.analysis.name;
    const error: TilewiseError | undefined = isOurs ? answer.error : undefined;
    if (state.analysis.name === "expression") this.#expression.fail(error);
    else this.#form.fail(error);
    this.#results.show(answer, state);
    this.#keep.disabled = !answer || answer.state !== "done" || chosenIn(answer, state) === undefined;
    this.#export.show();
  }

  /** Another analysis; its parameters begin with their defaults, but places that both have stay. */
  #choose(name: string): void {
    const { store } = this.#bench;
    const { analysis } = store.state;
    if (name === analysis.name) return;
    store.update({
      analysis: { name, values: { ...this.#startValues(name), ...sameValues(analysis, name) } },
      result: undefined,
    }, "analysis");
    store.endGroup();
  }

  #startValues(name: string): Record<string, string> {
    const { dataset, sum } = this.#bench.session ?? {};
    const [height, width] = [dataset?.sigShape.at(-2) ?? 1, dataset?.sigShape.at(-1) ?? 1];
    return startValues(name, [height, width], sum && brightDisk(sum.array));
  }

  #change(analysis: AnalysisChoice): void {
    const { store } = this.#bench;
    const before = store.state.analysis;
    const isSame = JSON.stringify(Object.entries(analysis)) === JSON.stringify(Object.entries(before));
    if (!isSame) store.update({ analysis }, "analysis-values");
  }

  async #check(choice: AnalysisChoice): Promise<TilewiseError | undefined> {
    return await this.#bench.session?.check(choice);
  }

  #keepShown(): void {
    const { answer, store } = this.#bench;
    const chosen = answer && chosenIn(answer, store.state);
    if (!chosen?.image) return;
    keep(chosen.image, store.state);
    this.#bench.say("The result is kept. The panel Compare shows it beside others.");
  }
}

/** Values of the centre, which mean the same in every analysis that has them. */
function sameValues({ values }: AnalysisChoice, name: string): Record<string, string> {
  const kept = /^(disk|annular|point|bf|abf|adf|haadf|fem|radialfourier|com)$/.test(name) ? ["cy", "cx"] : [];
  return Object.fromEntries(kept.flatMap((key) => values[key] === undefined ? [] : [[key, values[key]]]));
}

if (!customElements.get("tw-analysis")) customElements.define("tw-analysis", AnalysisPanel);
