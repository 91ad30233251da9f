/** Every export, member and field has a description, and what is missing is found. */

import { assert, assertEquals } from "@std/assert";
import type { Declaration, Symbol } from "./entries.ts";
import { lookThrough } from "./documented.ts";
import { categoryOf, handedTypes, thingsOf } from "./walk.ts";

Deno.test("all entries are documented, down to the fields of parameters", async () => {
  const { wanted, missing } = await lookThrough();
  assertEquals(missing, []);
  assert(wanted > 2000, `${wanted} descriptions were looked for`);
});

const location = { filename: "x.ts", line: 1 };
const text = { doc: "It is." };
const ref = (typeName: string) => ({
  kind: "typeRef",
  value: { typeName, resolution: { kind: "local" } },
});

/** A function whose option has a callback, with and without a description. */
function withField(jsDoc?: object): Symbol {
  const fields = { properties: [{ name: "field", ...(jsDoc ? { jsDoc } : {}), tsType: ref("Depth") }] };
  const params = [{ kind: "identifier", name: "options", tsType: { kind: "typeLiteral", value: fields } }];
  const overload = { kind: "function", location, jsDoc: text, def: { params } };
  const hidden = { kind: "function", location, def: { hasBody: true } };
  return { name: "make", declarations: [overload, hidden] as Declaration[] };
}

Deno.test("a field of a parameter without a description is missing, the hidden signature is not", () => {
  assertEquals([...thingsOf(withField())], [
    { path: "make", documented: true },
    { path: "make.field", documented: false },
  ]);
  assert([...thingsOf(withField(text))].every(({ documented }) => documented));
});

Deno.test("private members need no description, others do", () => {
  const properties = [{ name: "mine", accessibility: "private" }, { name: "yours" }];
  const declarations = [{ kind: "class", location, jsDoc: text, def: { properties } }] as Declaration[];
  const missing = [...thingsOf({ name: "Thing", declarations })].filter(({ documented }) => !documented);
  assertEquals(missing.map(({ path }) => path), ["Thing.yours"]);
});

Deno.test("types that functions of the user are called with are found in options, aliases and interfaces", () => {
  const callback = {
    kind: "fnOrConstructor",
    value: { params: [{ kind: "identifier", tsType: ref("Given") }] },
  };
  const alias = { kind: "typeAlias", location, def: { tsType: callback } } as Declaration;
  const methods = [{ name: "take", params: [{ kind: "identifier", tsType: ref("Taken") }] }];
  const face = { kind: "interface", location, def: { methods } } as unknown as Declaration;
  const symbols = [{ name: "Call", declarations: [alias] }, { name: "Face", declarations: [face] }];
  assertEquals([...handedTypes({ symbols })], [
    { path: "Call", type: "Given" },
    { path: "Face.take", type: "Taken" },
  ]);
});

Deno.test("a category is found wherever the symbol has it", () => {
  const tags = [{ kind: "category", doc: "Views\n" }];
  const declarations = [{ kind: "variable", location, jsDoc: { ...text, tags } }] as Declaration[];
  assertEquals(categoryOf({ name: "X", declarations }), "Views");
  assertEquals(categoryOf(withField()), undefined);
});
