/**
 * `<tw-compare>`: two results side by side, with the same place, colours and cursor, and their difference.
 *
 * @module
 */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import type { TwImage } from "../pictures/mod.ts";
import "../pictures/mod.ts";
import type { Answer } from "../engine/session.ts";
import { type Segments, segments } from "../parts/buttons.ts";
import { element, setText } from "../parts/dom.ts";
import type { Display } from "../state/state.ts";
import { chosenIn } from "./analysis/result_list.ts";
import { short } from "./analysis/statistics.ts";
import { comparisonOf, differenceOf, mismatch, type Shown, unitsOf } from "./compare/difference.ts";
import { cardOf, linkSides, newSide, type Side } from "./compare/sides.ts";
import { Cards } from "./compare/cards.ts";
import { areLasting, forget, isSameImage, keptResults, onKept, restoreKept } from "./compare/kept.ts";
import type { Kept } from "./compare/kept_file.ts";
import type { Panel, Workbench } from "./workbench.ts";

/** What the panel can show. */
const VIEWS = [["two", "Two and their difference"], ["all", "All, with their parameters"]] as const;

/** The choice that is not kept: the current result. */
const NOW = "now";

/** The panel. */
export class ComparePanel extends HTMLElement implements Panel {
  #bench!: Workbench;
  #sides!: readonly [Side, Side];
  #difference!: TwImage;
  #differs!: HTMLElement;
  #facts!: HTMLElement;
  #empty!: HTMLElement;
  #body!: HTMLElement;
  #same!: HTMLInputElement;
  #forget!: HTMLButtonElement;
  #views!: Segments;
  #cards!: Cards;
  #lasting!: HTMLElement;
  /** Whether all kept results are shown, and not two of them. */
  #isAll = false;
  #ends: (() => void)[] = [];

  /** The workbench; set before the panel is shown. */
  set bench(bench: Workbench) {
    this.#bench = bench;
    this.#build();
  }

  /** Listens while it is shown. */
  connectedCallback(): void {
    this.#ends = [
      onKept(() => this.#refresh()),
      this.#bench.on("answer", (answer) => answer && this.#answered(answer)),
      this.#bench.store.listen((state, before) => {
        if (state.scan !== before.scan || state.result !== before.result) this.#show();
      }),
    ];
    this.#refresh();
    void restoreKept();
  }

  /** Ends what was begun. */
  disconnectedCallback(): void {
    for (const end of this.#ends) end();
  }

  #build(): void {
    this.classList.add("compare");
    this.#sides = [newSide("First", () => this.#show()), newSide("Second", () => this.#show())];
    this.#difference = element("tw-image", { "aria-label": "Difference" }) as TwImage;
    this.#differs = element("p", { class: "hint", role: "status" });
    this.#facts = element("dl", { class: "facts" });
    this.#same = element("input", { type: "checkbox", id: "same-range", change: () => this.#show() });
    this.#same.checked = true;
    this.#forget = element(
      "button",
      { type: "button", class: "button quiet small", click: () => this.#forgetFirst() },
      "Forget the first",
    );
    this.#views = segments("What is shown", VIEWS, (which) => {
      this.#isAll = which === "all";
      this.#refresh();
    });
    this.#cards = new Cards(this.#bench);
    this.#lasting = element("p", { class: "hint" });
    this.#empty = element(
      "p",
      { class: "empty" },
      "Keep a result of the panel Explore with the button “Keep to compare”. Here it is shown beside others.",
    );
    this.#body = element(
      "div",
      { class: "sides" },
      ...this.#sides.map(cardOf),
      element(
        "section",
        { class: "card view", "aria-label": "Difference" },
        element("header", {}, element("h2", {}, "First − second")),
        element("div", { class: "picture" }, this.#difference),
        element("div", { class: "under" }, this.#differs, this.#facts),
      ),
    );
    this.replaceChildren(
      element(
        "div",
        { class: "bar" },
        this.#views.root,
        element("label", { class: "check" }, this.#same, "The same range of colours for both"),
        this.#forget,
        this.#lasting,
      ),
      this.#empty,
      this.#body,
      this.#cards.root,
    );
    linkSides(this.#sides, this.#difference);
  }

  /** Fills the lists; what was chosen stays, and the newest kept result that is another one is compared with the one of now. */
  #refresh(): void {
    const kept = keptResults();
    const { answer, store } = this.#bench;
    const now = answer && chosenIn(answer, store.state)?.image;
    const first = kept.findLast(({ image }) => !isSameImage(image, now)) ?? kept.at(-1);
    const options = () => [
      ...kept.map(({ id, title }) => element("option", { value: id }, title)),
      element("option", { value: NOW }, "The current result"),
    ];
    this.#sides.forEach(({ select }, i) => {
      const before = select.value;
      select.replaceChildren(...options());
      const known = kept.some(({ id }) => id === before) || before === NOW;
      select.value = known ? before : i === 0 ? first?.id ?? NOW : NOW;
    });
    this.#empty.hidden = kept.length > 0;
    this.#body.hidden = kept.length === 0 || this.#isAll;
    this.#forget.disabled = kept.length === 0;
    this.#forget.hidden = this.#same.parentElement!.hidden = this.#isAll;
    this.#cards.root.hidden = !this.#isAll;
    this.#views.show(this.#isAll ? "all" : "two");
    setText(
      this.#lasting,
      areLasting() ? "" : "Kept until this page is closed: this browser has no folder for it.",
    );
    if (this.#isAll) this.#cards.show();
    else this.#show();
  }

  #answered(answer: Answer): void {
    if (answer.state === "running") return;
    this.#cards.answered(answer);
    if (answer.state === "done") this.#refresh();
  }

  #show(): void {
    const [first, second] = this.#sides.map(({ select }) => this.#chosen(select.value));
    const displays = this.#displays(first, second);
    this.#sides.forEach(({ picture }, i) => {
      const one = i === 0 ? first : second;
      picture.display = displays[i]!;
      if (picture.image !== one?.image) picture.image = one?.image;
    });
    this.#compare(first?.image, second?.image);
  }

  #compare(first: Shown | undefined, second: Shown | undefined): void {
    const why = first && second ? mismatch(first, second) ?? unitsOf(first, second) : "Choose two results.";
    const difference = first && second ? differenceOf(first, second) : undefined;
    this.#difference.image = difference;
    this.#difference.hidden = difference === undefined;
    setText(this.#differs, why ?? "");
    this.#facts.replaceChildren(...(first && second && difference ? factsOf(first, second) : []));
    if (!difference || !first || !second) return;
    const { most } = comparisonOf(first, second);
    this.#difference.display = diverging(most > 0 ? most : 1);
  }

  #chosen(id: string): Pick<Kept, "image" | "display"> | undefined {
    if (id !== NOW) return keptResults().find((kept) => kept.id === id);
    const { answer, store: { state } } = this.#bench;
    const image = answer && chosenIn(answer, state)?.image;
    return image && { image, display: state.scan };
  }

  /** Both with the colours of now; with the same range where that is wanted and they fit. */
  #displays(
    first: Pick<Kept, "image"> | undefined,
    second: Pick<Kept, "image"> | undefined,
  ): readonly Display[] {
    const { scan } = this.#bench.store.state;
    const isAlike = first && second && unitsOf(first.image, second.image) === undefined;
    if (!this.#same.checked || !isAlike) return [scan, scan];
    const limits = this.#sides.map(({ picture }, i) => {
      picture.display = scan;
      const { image } = i === 0 ? first : second;
      if (picture.image !== image) picture.image = image;
      return picture.limits;
    });
    const [a, b] = limits;
    if (!a || !b) return [scan, scan];
    const range = [Math.min(a[0], b[0]), Math.max(a[1], b[1])] as const;
    return [{ ...scan, range }, { ...scan, range }];
  }

  #forgetFirst(): void {
    const { value } = this.#sides[0].select;
    forget(value === NOW ? keptResults().at(-1)?.id ?? "" : value);
  }
}

/** Values of both signs, with 0 in the middle. */
function diverging(most: number): Display {
  return { colormap: "RdBu_r", scale: "linear", gamma: 1, range: [-most, most], percentile: [0, 100] };
}

function factsOf(first: Shown, second: Shown): HTMLElement[] {
  const { count, unequal, mean, rms, most, correlation } = comparisonOf(first, second);
  const rows = [
    ["Pixels", `${count}, of which ${unequal === 0 ? "none differs" : `${unequal} differ`}`],
    ["Mean", short(mean)],
    ["Root mean square", short(rms)],
    ["Largest", short(most)],
    ["Correlation", short(correlation)],
  ];
  return rows.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]);
}

if (!customElements.get("tw-compare")) customElements.define("tw-compare", ComparePanel);
