/**
 * Components as JSON: a list of objects, or an object with the list `components`.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { nearest } from "../options.ts";
import { columnNamed, COLUMNS, IMPLIED, type Row } from "./component.ts";

/** The rows of a list. */
export function* rowsOfJson(text: string, file: string): Generator<Row> {
  const list = listOf(text, file);
  for (let i = 0; i < list.length; i++) {
    const where = `component ${i + 1}`, line = i + 1;
    const one = list[i];
    if (typeof one !== "object" || one === null || Array.isArray(one)) {
      throw new TilewiseError("malformed", `Cannot read ${file}: ${where} is not an object`, { file, line });
    }
    const values = new Map<string, string>();
    for (const [name, value] of Object.entries(one)) {
      const known = columnNamed(name);
      if (known === undefined) throw unknown(file, where, line, name);
      const implied = IMPLIED[name.toLowerCase()];
      if (implied) values.set(...implied);
      if (value !== null && value !== "") values.set(known, textOf(value));
    }
    yield { values, where, line, file };
  }
}

function listOf(text: string, file: string): unknown[] {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new TilewiseError("malformed", `Cannot read ${file}: ${message}`, { file }, { cause });
  }
  const list = Array.isArray(found) ? found : (found as { components?: unknown } | null)?.components;
  if (Array.isArray(list)) return list;
  const problem = "it must be a list of components, or an object with the list components";
  throw new TilewiseError("malformed", `Cannot read ${file}: ${problem}`, { file, expected: "components" });
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? `[${value.join(", ")}]` : String(value);
}

function unknown(file: string, where: string, line: number, name: string): TilewiseError {
  const near = nearest(name.toLowerCase(), COLUMNS);
  const hint = near === undefined ? `values are ${COLUMNS.join(", ")}` : `did you mean ${near}?`;
  const text = `Cannot read ${file}: ${where}, there is no value "${name}"; ${hint}`;
  return new TilewiseError("malformed", text, { file, line, column: name, found: name });
}
