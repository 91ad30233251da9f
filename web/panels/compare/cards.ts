/**
 * All kept results as cards side by side, each with its form: another value is computed, and what comes out takes the place of
 * the result.
 *
 * @module
 */

/// <reference lib="dom" />

import { sizeOf } from "../view_card.ts";
import { textButton } from "../../parts/buttons.ts";
import { element, setText } from "../../parts/dom.ts";
import { linkLooks, type TwImage } from "../../pictures/mod.ts";
import type { Answer } from "../../engine/session.ts";
import type { AnalysisChoice } from "../../state/state.ts";
import { ParameterForm } from "../analysis/form.ts";
import { answers } from "../analysis/result_list.ts";
import type { Workbench } from "../workbench.ts";
import { change, forget, keptResults, sourceOf } from "./kept.ts";
import type { Kept } from "./kept_file.ts";

interface Card {
  readonly root: HTMLElement;
  readonly picture: TwImage;
  show(kept: Kept): void;
}

/** The cards. */
export class Cards {
  /** The element. */
  readonly root: HTMLElement = element("div", { class: "cards" });
  readonly #cards = new Map<string, Card>();
  /** What a form has asked last, and for which card, until its answer is there. */
  #asking: Pick<Kept, "id" | "analysis" | "roi"> | undefined;

  /** Cards of what was kept; their forms ask with the state of the workbench. */
  constructor(private readonly bench: Workbench) {}

  /** Shows what is kept now. */
  show(): void {
    const kept = keptResults();
    for (const [id, { root }] of this.#cards) {
      if (kept.some((one) => one.id === id)) continue;
      root.remove();
      this.#cards.delete(id);
    }
    const fresh = kept.filter(({ id }) => !this.#cards.has(id));
    for (const one of fresh) this.#cards.set(one.id, this.#card(one));
    for (const one of kept) this.#cards.get(one.id)!.show(one);
    this.root.replaceChildren(...kept.map(({ id }) => this.#cards.get(id)!.root));
    this.#link(kept);
  }

  /** An answer: if a card has asked for it, it is shown there. */
  answered(answer: Answer): void {
    const asking = this.#asking;
    const kept = keptResults().find(({ id }) => id === asking?.id);
    if (!asking || !kept || answer.state === "running" || !answers(answer, asking)) return;
    this.#asking = undefined;
    const result = answer.results.find(({ name }) => name === kept.result.name);
    const image = result?.images[Math.min(kept.result.channel, result.images.length - 1)];
    const { roi: _, ...state } = this.bench.store.state;
    if (image) change(kept.id, image, { ...state, ...asking });
    else if (answer.error) this.bench.fail(answer.error);
  }

  #card({ id }: Kept): Card {
    const picture = element("tw-image") as TwImage;
    const title = element("h2");
    const hint = element("p", { class: "hint" });
    const form = new ParameterForm({
      changed: (choice) => this.#ask(id, choice),
      picked: (file) => this.bench.pick(file),
    });
    const fields = element("fieldset", {}, form.root);
    const root = element(
      "article",
      { class: "card view" },
      element(
        "header",
        {},
        title,
        textButton({ label: "Forget", look: "quiet small", press: () => forget(id) }),
      ),
      element("div", { class: "picture" }, picture),
      element("details", { class: "under" }, element("summary", {}, "Parameters"), hint, fields),
    );
    return {
      root,
      picture,
      show: ({ title: text, image, display, analysis, of }) => {
        setText(title, text);
        root.setAttribute("aria-label", text);
        picture.display = display;
        if (picture.image !== image) picture.image = image;
        const isOpen = of === sourceOf(this.bench) && this.bench.session !== undefined;
        fields.disabled = !isOpen;
        setText(hint, isOpen ? "" : "They can be changed when its source is open.");
        form.show(analysis, isOpen ? this.bench.session?.dataset : undefined);
      },
    };
  }

  #ask(id: string, analysis: AnalysisChoice): void {
    const { store } = this.bench;
    const kept = keptResults().find((one) => one.id === id);
    if (!kept || JSON.stringify(kept.analysis) === JSON.stringify(analysis)) return;
    const { roi } = kept;
    this.#asking = { id, analysis, ...(roi ? { roi } : {}) };
    store.update({ analysis, roi, result: kept.result }, "card");
    if (this.bench.answer) this.answered(this.bench.answer); // nobody asks again for what is known
  }

  /** Images of one size show the same place. */
  #link(kept: readonly Kept[]): void {
    const bySize = Map.groupBy(kept, ({ image }) => sizeOf(image).join());
    for (const same of bySize.values()) linkLooks(same.map(({ id }) => this.#cards.get(id)!.picture));
  }
}
