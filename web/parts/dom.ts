/**
 * Makes elements. Text always becomes text: nothing here reads HTML.
 *
 * @module
 */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** What may stand in an element. */
export type Child = Node | string | undefined | false;

/** Attributes; `true` writes an empty one, `false` and `undefined` none. A function listens to the event of that name. */
export type Attributes = Readonly<
  // deno-lint-ignore no-explicit-any -- a listener takes the event of its name
  Record<string, string | number | boolean | undefined | ((event: any) => void)>
>;

/** An element with attributes, listeners and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes?: Attributes,
  ...children: readonly Child[]
): HTMLElementTagNameMap[K];
/** A custom element. */
export function element(tag: string, attributes?: Attributes, ...children: readonly Child[]): HTMLElement;
/** Both. */
export function element(
  tag: string,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== undefined && value !== false) {
      made.setAttribute(name, value === true ? "" : `${value}`);
    }
  }
  append(made, children);
  return made;
}

/** Puts children at the end of an element. */
export function append(parent: Element, children: readonly Child[]): void {
  parent.append(
    ...children.filter((child): child is Node | string => child !== undefined && child !== false),
  );
}

/** Replaces all children, but only if they differ: a screen reader then reads nothing twice. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Sets or removes an attribute. */
export function setAttribute(target: Element, name: string, value: string | boolean | undefined): void {
  if (value === undefined || value === false) target.removeAttribute(name);
  else target.setAttribute(name, value === true ? "" : value);
}
