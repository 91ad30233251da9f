/**
 * A user of the page of Tilewise, in any browser: it acts in a frame with the events that hands make, and counts what it does.
 *
 * @module
 */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** A file to drop: its path, below a folder if it has one, and where its bytes are. */
export interface Given {
  readonly path: string;
  readonly url: string;
}

/** With what a user acts: `?hands=` in the address of these programs. */
const HANDS = new URLSearchParams(location.search).get("hands") ?? "mouse";

/** Presses a key as hands do; only a browser that is driven has it. */
declare const pressKey: (key: string) => Promise<void>;

/** Most presses of Tab from one control to the next: a page has fewer controls. */
const MOST_TABS = 200;

/** Natural logarithms by which a step of the wheel and the key `+` zoom. */
const WHEEL = 0.48, PLUS = Math.log(1.5);

/** Acts in the page. */
export class Walker {
  /** What was done, one line for each action. */
  readonly actions: string[] = [];
  /** Files that the page has saved, by name. */
  readonly saved = new Map<string, Promise<Blob>>();

  private constructor(readonly frame: HTMLIFrameElement, readonly document: Document) {}

  /** The classes of the page: it takes no files of others. */
  get #own(): typeof globalThis {
    return this.frame.contentWindow as unknown as typeof globalThis;
  }

  /** Opens the page at a path in a frame of this one. */
  static async open(path: string): Promise<Walker> {
    const frame = document.createElement("iframe");
    const size = HANDS === "phone" ? { width: 390, height: 844 } : { width: 1280, height: 800 };
    Object.assign(frame, { src: path, ...size, allow: "cross-origin-isolated" });
    document.body.append(frame);
    await until(() => frame.contentDocument?.querySelector("tw-page button"));
    const walker = new Walker(frame, frame.contentDocument!);
    const { saved } = walker;
    walker.#own.HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      saved.set(this.download, fetch(this.href).then((reply) => reply.blob()));
    };
    return walker;
  }

  /** Leaves the page. */
  close(): void {
    this.frame.remove();
  }

  /** What the page says about its view. */
  get hash(): string {
    return this.document.location.hash;
  }

  /** Drops files, or a folder of them, on the page. */
  async drop(given: readonly Given[]): Promise<void> {
    this.actions.push(`drop ${given[0]!.path.split("/")[0]}`);
    const { Event, File } = this.#own;
    const items = await Promise.all(given.map(async ({ path, url }) => {
      const file = new File([await (await fetch(url)).blob()], path.split("/").at(-1)!);
      if (path.includes("/")) Object.defineProperty(file, "webkitRelativePath", { value: path });
      return { kind: "file", getAsFile: () => file };
    }));
    const event = new Event("drop", { bubbles: true, cancelable: true });
    Object.defineProperty(event, "dataTransfer", { value: { types: ["Files"], items } }); // browsers forget folders of made files
    this.document.body.dispatchEvent(event);
  }

  /** Waits for what can be seen and has this text or name, and presses it. */
  async press(selector: string, text: RegExp): Promise<void> {
    const found = await this.see(selector, text);
    await until(() => !(found as HTMLButtonElement).disabled);
    this.actions.push(`press ${text.source}`);
    if (HANDS !== "keys") return found.click();
    await this.#goTo(found);
    await pressKey(found instanceof this.#own.HTMLInputElement ? "Space" : "Enter");
  }

  /** Presses Tab, and arrow keys where controls are one stop, until a control has the focus. */
  async #goTo(found: HTMLElement): Promise<void> {
    const key = found.tabIndex < 0 ? "ArrowDown" : "Tab";
    if (key === "ArrowDown") await this.#goTo(await until(() => stopAmong(found)));
    for (let presses = 0; this.#focused !== found; presses++) {
      if (presses > MOST_TABS) throw new Error(`${key} does not reach ${found.outerHTML.slice(0, 200)}`);
      await pressKey(key);
    }
  }

  /** What has the focus, also in the shadows of others. */
  get #focused(): Element | null {
    let focused = this.document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    return focused;
  }

  /** Presses a key on an element. */
  async key(selector: string, text: RegExp, key: string): Promise<void> {
    const found = await this.see(selector, text);
    this.actions.push(`key ${key}`);
    if (HANDS === "keys") {
      await this.#goTo(found);
      return await pressKey(key);
    }
    found.focus();
    found.dispatchEvent(
      new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, composed: true }),
    );
  }

  /** Chooses from a list. */
  async choose(list: RegExp, option: RegExp): Promise<void> {
    const found = await this.see("select", list) as HTMLSelectElement;
    this.actions.push(`choose ${option.source}`);
    if (HANDS !== "keys") {
      found.selectedIndex = [...found.options].findIndex(({ text }) => option.test(text));
      found.dispatchEvent(new Event("change", { bubbles: true }));
      return;
    }
    await this.#goTo(found);
    while (!option.test(found.selectedOptions[0]!.text)) await pressKey("ArrowDown");
  }

  /** Turns the wheel over the image, at a share of its sides. */
  async wheel(turns: number, down: number, right: number): Promise<void> {
    const stage = await this.stage();
    this.actions.push(`wheel ${turns}`);
    if (HANDS === "keys") {
      await this.#goTo(stage);
      for (let zoom = 0; zoom < turns * WHEEL; zoom += PLUS) await pressKey("+");
      return;
    }
    const { top, left, height, width } = stage.getBoundingClientRect();
    const [clientY, clientX] = [top + down * height, left + right * width];
    for (let turn = 0; turn < turns; turn++) {
      stage.dispatchEvent(
        new WheelEvent("wheel", {
          deltaY: -240,
          clientX,
          clientY,
          bubbles: true,
          cancelable: true,
          composed: true,
        }),
      );
      await new Promise((resolve) => requestAnimationFrame(resolve)); // as hands do: not before it was seen
    }
  }

  /** The image in tiles, when all that is seen of it is there. */
  async stage(): Promise<HTMLElement> {
    return await until(() => {
      const tiles = this.document.querySelector("tw-tiles");
      return tiles?.shadowRoot?.querySelector<HTMLElement>(".stage[aria-busy=false]");
    });
  }

  /** Waits for what can be seen and has this text or name. */
  async see(selector: string, text: RegExp): Promise<HTMLElement> {
    const isNamed = (one: Element) =>
      text.test(one.textContent!.trim()) || text.test(one.getAttribute("aria-label") ?? "");
    return await until(() => this.all(selector).find((one) => isNamed(one) && isSeen(one)));
  }

  /** All elements, also in the shadows of others. */
  all(selector: string): HTMLElement[] {
    const roots: (Document | ShadowRoot)[] = [this.document];
    for (const root of roots) {
      for (const one of root.querySelectorAll("*")) if (one.shadowRoot) roots.push(one.shadowRoot);
    }
    return roots.flatMap((root) => [...root.querySelectorAll<HTMLElement>(selector)]);
  }

  /** A file that the page saves. */
  async savedAs(name: RegExp): Promise<Blob> {
    return await until(() => [...this.saved].find(([one]) => name.test(one))?.[1]);
  }
}

/** The control among those of a group that Tab reaches. */
function stopAmong(one: HTMLElement): HTMLElement | undefined {
  const group = one.closest("tbody, [role=listbox], [role=radiogroup], [role=menu]") ?? one.parentElement!;
  return [...group.querySelectorAll<HTMLElement>(one.localName)].find(({ tabIndex }) => tabIndex >= 0);
}

function isSeen(one: Element): boolean {
  return one.getClientRects().length > 0;
}

/** The first value that is something, looked for before each frame. Who waits for what never comes ends with the page of the test. */
export async function until<T>(find: () => T | undefined | null | false): Promise<T> {
  for (;;) {
    const found = find();
    if (found) return await found;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
