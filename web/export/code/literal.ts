/**
 * Values as TypeScript that makes the same values, to the last bit.
 *
 * @module
 */

/** What stands for a value that is not written out, such as the contents of a file; `undefined`: write it. */
export type Standing = (value: object) => string | undefined;

/**
 * The source text of a value.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(literal({ r: 0.1, at: [[1, -0]], name: 'a "b"' }), '{ r: 0.1, at: [[1, -0]], name: "a \\"b\\"" }');
 * assertEquals(literal(Float32Array.of(1.5, NaN)), "Float32Array.of(1.5, NaN)");
 * ```
 */
export function literal(value: unknown, standing: Standing = () => undefined): string {
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const known = standing(value);
  if (known !== undefined) return known;
  if (ArrayBuffer.isView(value)) return typedLiteral(value as unknown as Iterable<number | bigint>);
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, standing)).join(", ")}]`;
  const pairs = Object.entries(value).filter(([, one]) => one !== undefined);
  if (pairs.length === 0) return "{}";
  return `{ ${pairs.map(([name, one]) => `${nameOf(name)}: ${literal(one, standing)}`).join(", ")} }`;
}

function typedLiteral(array: Iterable<number | bigint>): string {
  return `${array.constructor.name}.of(${[...array].map((one) => literal(one)).join(", ")})`;
}

function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
