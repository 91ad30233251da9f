/**
 * `<tw-analysis>`: which analysis is computed, with which parameters, which of its results is shown, and how it is exported.
 *
 * @module
 */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import type { TilewiseError } from "@tilewise/tilewise";
import type { Answer } from "../engine/session.ts";
import { isAboutAnalysis } from "../open/failures.ts";
import { ExportBox } from "./analysis/export_box.ts";
import { element } from "../parts/dom.ts";
import type { AnalysisChoice, PageState } from "../state/state.ts";
import { Chooser } from "./analysis/chooser.ts";
import { ExpressionField } from "./analysis/expression.ts";
import { ParameterForm } from "./analysis/form.ts";
import { guessing, GuessRotation, withGuess } from "./analysis/guess.ts";
import { hasLattice, latticeOf, latticeTexts } from "./analysis/lattice.ts";
import { answers, chosenIn, eachOf, ResultList } from "./analysis/result_list.ts";
import { startValues } from "./analysis/starts.ts";
import { Thumbnails } from "./analysis/thumbnails.ts";
import { areLasting, keep, sourceOf } from "./compare/kept.ts";
import { frameSize } from "./explore/places.ts";
import type { Panel, Workbench } from "./workbench.ts";

/** The rail. */
export class AnalysisPanel extends HTMLElement implements Panel {
  #bench!: Workbench;
  #chooser!: Chooser;
  #form!: ParameterForm;
  #expression!: ExpressionField;
  #guess!: GuessRotation;
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
      this.#bench.on("session", () => this.#begin()),
    ];
    this.#begin();
    this.#answered(this.#bench.answer);
  }

  /** Ends what was begun. */
  disconnectedCallback(): void {
    for (const end of this.#ends) end();
  }

  #build(): void {
    this.classList.add("rail");
    const thumbnails = new Thumbnails(this.#bench, (name) => this.#startValues(name));
    this.#chooser = new Chooser((name) => this.#choose(name), thumbnails);
    this.#form = new ParameterForm({
      changed: (choice) => this.#change(choice),
      picked: (file) => this.#bench.pick(file),
    });
    this.#expression = new ExpressionField({
      changed: (choice) => this.#change(choice),
      check: (choice) => this.#check(choice),
    });
    this.#guess = new GuessRotation(() => {
      const { store } = this.#bench;
      store.update({ analysis: guessing(store.state.analysis) }, "guess");
      store.endGroup();
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
      this.#guess.root,
      element("div", { class: "actions" }, this.#keep),
      this.#export.root,
    );
  }

  #begin(): void {
    const { session, store } = this.#bench;
    this.#show(store.state);
    session?.frame(undefined).then(() => session === this.#bench.session && this.#fill(), () => {});
  }

  /** An analysis that nobody has changed begins at the bright disk, once that is known. */
  #fill(): void {
    const { store } = this.#bench;
    const { analysis: { name, values } } = store.state;
    const { answer } = this.#bench;
    if (Object.keys(values).length > 0) return;
    if (answer?.state === "failed" && !isAboutAnalysis(answer.error)) return; // what it says must stay
    const begun = this.#startValues(name);
    if (Object.keys(begun).length > 0) store.update({ analysis: { name, values: begun } });
  }

  #show(state: PageState): void {
    const { analysis } = state;
    const isExpression = analysis.name === "expression";
    this.#chooser.show(analysis.name);
    this.#form.root.hidden = isExpression;
    this.#expression.root.hidden = !isExpression;
    if (isExpression) this.#expression.show(analysis);
    else {
      this.#expression.stop();
      this.#showForm();
    }
    this.#guess.show(analysis, this.#bench.session?.dataset);
    this.#results.show(this.#bench.answer, state);
    this.#showKeep();
    this.#export.show();
  }

  #showForm(): void {
    const { answer, session, store: { state: { analysis } } } = this.#bench;
    const found = hasLattice(analysis) ? latticeOf(answer, analysis) : undefined;
    this.#form.show(analysis, session?.dataset, found && latticeTexts(found));
  }

  #showKeep(): void {
    const { answer, store: { state } } = this.#bench;
    this.#keep.disabled = answer?.state !== "done" || !answers(answer, state) || !chosenIn(answer, state);
  }

  #answered(answer: Answer | undefined): void {
    const { state } = this.#bench.store;
    const isOurs = answer?.question.analysis.name === state.analysis.name;
    const error: TilewiseError | undefined = isOurs ? answer.error : undefined;
    if (state.analysis.name === "expression") this.#expression.fail(error);
    else {
      if (hasLattice(state.analysis)) this.#showForm(); // it may have been found
      this.#form.fail(error);
    }
    this.#results.show(answer, state);
    const found = answer && withGuess(answer, state);
    if (found) this.#bench.store.update({ analysis: found });
    this.#showKeep();
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

  #startValues(name: string): Readonly<Record<string, string>> {
    const { session } = this.#bench;
    const size = session && frameSize(session.dataset);
    return size ? startValues(name, size, session.disk) : {};
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
    const { state } = store;
    const of = sourceOf(this.#bench);
    const each = eachOf(chosen).map(({ image, result: { name }, channel }) =>
      image && keep(image, { name, channel }, state, of)
    );
    void Promise.all(each).then(() =>
      this.#bench.say(
        `Kept: the panel Compare shows it beside others${areLasting() ? "" : ", until this page is closed"}.`,
      )
    );
  }
}

/** Values of the centre, which mean the same in every analysis that has them. */
function sameValues({ values }: AnalysisChoice, name: string): Record<string, string> {
  const kept = /^(disk|annular|point|bf|abf|adf|haadf|fem|radialfourier|com)$/.test(name) ? ["cy", "cx"] : [];
  return Object.fromEntries(kept.flatMap((key) => values[key] === undefined ? [] : [[key, values[key]]]));
}

if (!customElements.get("tw-analysis")) customElements.define("tw-analysis", AnalysisPanel);
