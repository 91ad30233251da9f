/** Stable functions say of every parameter what it is, what they return, and show themselves at work. */

import { assertEquals } from "@std/assert";
import { namesOf, type Param, type Symbol } from "./entries.ts";

/** What is missing of the tags of a function: an overload that is written for users has all of them. */
function missingOf({ name, declarations }: Symbol): string[] {
  const written = declarations.filter(({ kind, jsDoc }) => kind === "function" && jsDoc?.tags);
  if (!declarations.some(({ kind }) => kind === "function")) return [];
  const [first] = written.toSorted((a, b) => b.jsDoc!.tags!.length - a.jsDoc!.tags!.length);
  const tags = first?.jsDoc?.tags ?? [], params = first?.def?.params ?? [];
  const has = (kind: string) => tags.some((tag) => tag.kind === kind);
  const named = tags.filter(({ kind, doc }) => kind === "param" && doc).map((tag) => tag.name);
  const left = params.map(nameOf).filter((one) => one !== undefined && !named.includes(one));
  const returns = (first?.def?.["returnType"] as { repr?: string } | undefined)?.repr !== "void";
  return [
    ...left.map((one) => `@param ${one}`),
    ...(params.length > named.length ? [`${params.length - named.length} @param`] : []),
    ...(returns && !has("return") ? ["@returns"] : []),
    ...(written.some(({ jsDoc }) => jsDoc!.tags!.some(({ kind }) => kind === "example")) ? [] : ["@example"]),
  ].map((tag) => `${name}: ${tag}`);
}

function nameOf({ name, left, arg }: Param): string | undefined {
  return name ?? left?.name ?? arg?.name;
}

Deno.test("stable functions have @param, @returns and @example", async () => {
  assertEquals([...(await namesOf("stable")).values()].flatMap(missingOf), []);
});
