/**
 * What the elements that show data have in common: a shadow root with a style, and one drawing per animation frame.
 *
 * @module
 */

/// <reference lib="dom" />

/** An element that draws itself at most once per animation frame, however often it is changed. */
export abstract class PictureElement extends HTMLElement {
  /** The shadow root. */
  protected readonly root: ShadowRoot;
  #due = 0;

  /** Makes the shadow root, with a style. */
  constructor(style: string) {
    super();
    this.root = this.attachShadow({ mode: "open", delegatesFocus: false });
    this.root.adoptedStyleSheets = [sheetOf(style)];
  }

  /** Draws. */
  abstract draw(): void;

  /** Whether it is drawn with the next frame of the screen: until then, another state is seen. */
  protected get isDue(): boolean {
    return this.#due !== 0;
  }

  /** Draws before the next frame of the screen. */
  protected redraw(): void {
    if (this.#due !== 0 || !this.isConnected) return;
    this.#due = requestAnimationFrame(() => {
      this.#due = 0;
      this.draw();
    });
  }

  /** It is on the page. */
  connectedCallback(): void {
    this.redraw();
  }

  /** It has left the page. */
  disconnectedCallback(): void {
    cancelAnimationFrame(this.#due);
    this.#due = 0;
  }

  /** Tells those who listen, also outside of the shadow root. */
  protected tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

const sheets = new Map<string, CSSStyleSheet>();

function sheetOf(style: string): CSSStyleSheet {
  let sheet = sheets.get(style);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    sheets.set(style, sheet);
  }
  return sheet;
}

/** Registers an element, once. */
export function define(name: string, element: CustomElementConstructor): void {
  if (!customElements.get(name)) customElements.define(name, element);
}

/** An HTML element with attributes and children; text is text, never markup. */
export function html<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  setAll(element, attributes);
  element.append(...children);
  return element;
}

/** A label of a scale at a share of its width; the first and the last stay inside of it. */
function tickAt(share: number, label: string): HTMLElement {
  const tick = html("span", {}, label);
  tick.style.left = `${100 * share}%`;
  if (share < EDGE || share > 1 - EDGE) tick.style.transform = `translateX(${share < EDGE ? 0 : -100}%)`;
  return tick;
}

/** Labels nearer to an end of a scale than that begin or end there. */
const EDGE = 0.03;

/** An SVG element with attributes and children. */
export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAll(element, attributes);
  element.append(...children);
  return element;
}

/** Sets attributes that have changed. */
export function setAll(element: Element, attributes: Readonly<Record<string, string | number>>): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (element.getAttribute(key) !== String(value)) element.setAttribute(key, String(value));
  }
}

/** Sets a text that has changed: setting the same one makes the browser lay out the page again. */
export function setTextOf(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Replaces the labels of a scale, unless they are there already. */
export function setTicks(
  parent: HTMLElement,
  ticks: readonly { readonly at: number; readonly label: string }[],
): void {
  const key = JSON.stringify(ticks);
  if (parent.dataset.ticks === key) return;
  parent.dataset.ticks = key;
  parent.replaceChildren(...ticks.map(({ at, label }) => tickAt(at, label)));
}

/** Calls `act` with the newest value, once per animation frame. */
export function perFrame<T>(act: (value: T) => void): { push(value: T): void; flush(): void } {
  let waiting: { readonly value: T } | undefined;
  const flush = () => {
    const due = waiting;
    waiting = undefined;
    if (due) act(due.value);
  };
  return {
    push(value) {
      if (!waiting) requestAnimationFrame(flush);
      waiting = { value };
    },
    flush,
  };
}
