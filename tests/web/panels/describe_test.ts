/** Forms are made from the table of analyses: every one has a title, a form and values that can be typed. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { ANALYSES, parseWritten, resultTitle, TITLES } from "../../../src/analyses/mod.ts";
import { expressionChoice, expressionText } from "../../../web/panels/analysis/expression.ts";
import {
  type Form,
  type FormField,
  formOf,
  helpOf,
  listed,
  titleOf,
  withValue,
  wrongWith,
} from "../../../web/panels/analysis/describe.ts";
import { startValues } from "../../../web/panels/analysis/starts.ts";
import { plainly } from "../../../web/panels/analysis/plainly.ts";

Deno.test("every analysis has a title of its own, and all that the page lists can be asked", () => {
  const names = ANALYSES.map(({ name }) => name);
  assertEquals(Object.keys(TITLES).sort(), names.toSorted());
  assertEquals(new Set(Object.values(TITLES)).size, names.length);
  const shown = listed().flatMap(({ analyses }) => analyses);
  assertEquals(names.filter((name) => !shown.some((one) => one.name === name)), [
    "pick_frames",
    "noop",
    "fft_of_frames",
  ]);
  for (const { title, help } of shown) {
    assertMatch(title, /^[A-Z]/);
    assert(help === "" || /^[A-Z0-9]/.test(help), help);
    assert(help.toLowerCase() !== title.toLowerCase());
  }
});

Deno.test("a search finds analyses by words of their titles, help and groups", () => {
  const found = (text: string) => listed(text).flatMap(({ analyses }) => analyses.map(({ name }) => name));
  assertEquals(found("dark high"), ["haadf"]);
  assert(found("LATTICE").includes("strain_map"));
  assertEquals(found("no such thing"), []);
});

/** All fields of a form, in their order. */
function fieldsOf({ steps, first, more }: Form): readonly FormField[] {
  return [...steps.flatMap(({ fields }) => fields), ...first, ...more];
}

Deno.test("a form has every parameter once: those that are needed or given come first", () => {
  for (const { name, parameters, uses } of ANALYSES) {
    const form = formOf({ name, values: {} });
    const fields = fieldsOf(form).map((field) => field.name);
    assertEquals(fields.toSorted(), (uses?.({}) ?? Object.keys(parameters)).toSorted(), name);
    for (const field of form.more) assert(field.preset !== undefined, `${name}: ${field.name} is needed`);
    for (const field of fieldsOf(form)) {
      assert(!field.label.includes("FILE"), field.label);
      if (field.kind === "switch") assertMatch(field.preset!, /^(true|false)$/);
      assertEquals(wrongWith(name, field, "") === undefined, field.preset !== undefined);
    }
  }
  const { first } = formOf({ name: "strainmap", values: { minMatch: "4", form: "polar" } });
  assert(["minMatch", "form"].every((name) => first.some((field) => field.name === name)));
  const made = formOf({ name: "mask", values: { make: "ring", bins: "3" } });
  const names = [...made.first, ...made.more].map(({ name }) => name);
  assertEquals(names.sort(), [
    "antialiased",
    "bins",
    "cx",
    "cy",
    "dtype",
    "make",
    "ri",
    "ro",
    "shifts",
    "useSparse",
  ]);
});

Deno.test("what cannot be a value is said in words", () => {
  const field = (analysis: string, name: string) => {
    return fieldsOf(formOf({ name: analysis, values: {} })).find((one) => one.name === name)!;
  };
  const cases: [string, string, string, string | undefined][] = [
    ["disk", "r", "12.5", undefined],
    ["disk", "r", "", undefined],
    ["disk", "r", "1e999", "Write a number."],
    ["disk", "r", "twelve", "Write a number."],
    ["crystallinity", "ri", " ", "This must be given."],
    ["strainmap", "zero", "3", "Write y:x."],
    ["strainmap", "zero", "3:-4.5", undefined],
    ["strainmap", "region", "0:4,1:", undefined],
    ["com", "regression", "@plane.npy", undefined],
    ["com", "flipY", "yes", "Write true or false."],
  ];
  for (const [analysis, name, text, wrong] of cases) {
    assertEquals(wrongWith(analysis, field(analysis, name), text), wrong, `${analysis} ${name}=${text}`);
  }
  assertEquals(
    plainly("the UDF strainmap needs radius; write strainmap:radius=…"),
    "It needs radius",
  );
});

Deno.test("values are added, changed in their place, and removed", () => {
  const choice = { name: "disk", values: { cy: "3", r: "4" } };
  assertEquals(withValue(choice, "cy", " 5 ").values, { cy: "5", r: "4" });
  assertEquals(Object.keys(withValue(choice, "cx", "1").values), ["cy", "r", "cx"]);
  assertEquals(withValue(choice, "cy", "").values, { r: "4" });
});

Deno.test("analyses that need values begin with some", () => {
  for (const { name } of ANALYSES) {
    for (const disk of [undefined, { cy: 30.2, cx: 21, r: 5.5 }]) {
      const values = startValues(name, [64, 48], disk);
      if (Object.keys(values).length > 0) parseWritten({ name, values });
    }
  }
  assertEquals(titleOf("ring"), "Ring detector");
  assertEquals([helpOf("sum"), helpOf("bf")], ["", "The bright disk"]);
});

Deno.test("an expression becomes text and the same expression again", () => {
  for (
    const values of [{ value: "sum(x)" }, { value: "count(x == t)", t: "3" }, {
      bright: "sum(x)",
      image: "frames.mean(x)",
    }]
  ) {
    const choice = { name: "expression", values };
    assertEquals(expressionChoice(expressionText(choice)), choice as never);
  }
  assertEquals(expressionChoice("a=sum(x);a=max(x)"), undefined);
  assertEquals(expressionChoice("")?.values, {});
});

Deno.test("results that the table names have titles", () => {
  for (const { name, results } of ANALYSES) {
    for (const result of Object.keys(results).filter((one) => /^\w+$/.test(one))) {
      assert(resultTitle(name, result).title !== result, `${name}.${result}`);
    }
  }
});
