/**
 * Keys of the page: one table for what they do and for the sheet that lists them.
 *
 * @module
 */

/// <reference lib="dom" />

/** One key. */
export interface Key {
  /** As it is written: `?`, `o`, `Ctrl+Z`, `Ctrl+Shift+Z`. */
  readonly key: string;
  /** What it does. */
  readonly does: string;
  /** Heading of the sheet. */
  readonly group: string;
  /** Does it. */
  press(): void;
}

/** What is known of a key event. */
export type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** How a key event is written, as in {@link Key.key}; the command key of a Mac is `Ctrl`. */
export function nameOf({ key, ctrlKey, metaKey, shiftKey, altKey }: Pressed): string {
  const isCommand = ctrlKey || metaKey;
  const isLetter = /^[a-z]$/i.test(key);
  const parts = [
    isCommand && "Ctrl",
    altKey && "Alt",
    shiftKey && (isCommand || key.length > 1) && "Shift",
    isCommand && isLetter ? key.toUpperCase() : key,
  ];
  return parts.filter(Boolean).join("+");
}

/** The key that an event means; keys without Ctrl are for text while one types, and can be switched off. */
export function keyFor(
  keys: readonly Key[],
  event: Pressed,
  typing: boolean,
  single: boolean,
): Key | undefined {
  const name = nameOf(event);
  const isSingle = !name.includes("Ctrl+");
  if (isSingle && name !== "Escape" && (typing || !single)) return undefined;
  return keys.find(({ key }) => key === name);
}

/** Whether keys go into a field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement ||
    target.isContentEditable;
  return isField ||
    (target instanceof HTMLInputElement && !/^(checkbox|radio|button|range)$/.test(target.type));
}
