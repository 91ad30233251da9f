/**
 * Values as text, as a console shows them.
 *
 * @module
 */

/** Most entries that are shown of a list, and most levels of objects in objects. */
const MOST = 100, DEEPEST = 3;

/** The text of what was given to `console.log`. */
export function shown(values: readonly unknown[]): string {
  return values.map((value) => typeof value === "string" ? value : textOf(value, 0)).join(" ");
}

function textOf(value: unknown, depth: number): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `[function ${value.name}]`;
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (depth > DEEPEST) return "…";
  if (Array.isArray(value)) return `[${listed(value, depth)}]`;
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    const list = value as unknown as ArrayLike<unknown>;
    return `${value.constructor.name}(${list.length}) [${listed(list, depth)}]`;
  }
  const rows = Object.entries(value).map(([name, one]) => `${name}: ${textOf(one, depth + 1)}`);
  return rows.length === 0 ? "{}" : `{ ${rows.join(", ")} }`;
}

function listed(list: ArrayLike<unknown>, depth: number): string {
  const first = Array.from({ length: Math.min(MOST, list.length) }, (_, i) => textOf(list[i], depth + 1));
  return [...first, ...(list.length > MOST ? [`… ${list.length - MOST} more`] : [])].join(", ");
}
