import { assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../src/errors.ts";
import { checkOptionNames, nearest, type OptionNames, type OptionRule, withOption } from "../src/options.ts";
import { either, inner, must, needed, number, oneOf, text, truth, whole } from "../src/options/rules.ts";

interface Options {
  readonly syncOffset?: number;
  readonly extraShape?: readonly number[];
}
const NAMES: OptionNames<Options> = { syncOffset: true, extraShape: true };
const refused = (options: object, words: string) => {
  const error = assertThrows(
    () => checkOptionNames("open()", options as Options, NAMES),
    TilewiseError,
    words,
  );
  assertEquals(error.code, "invalid");
};

Deno.test("options that are known pass, also when they are not set", () => {
  checkOptionNames("open()", {}, NAMES);
  checkOptionNames("open()", { syncOffset: 1, extraShape: [] }, NAMES);
  checkOptionNames("open()", { syncOffset: undefined } as object, NAMES);
});

Deno.test("an unknown option is refused with the nearest known name", () => {
  refused({ syncoffset: 5 }, 'open() has no option "syncoffset"; did you mean "syncOffset"?');
  refused({ extra_shape: [2] }, 'did you mean "extraShape"?');
  refused({ other: 1 }, "there are syncOffset, extraShape");
  refused({ syncoffset: undefined }, 'did you mean "syncOffset"?');
});

Deno.test("options that are not an object are refused", () => {
  refused(5 as never, "open() was given 5: options are an object");
  refused(null as never, "open() was given null");
  refused([1] as never, "open() was given a list");
});

Deno.test("what has no names is not an object of options: promises, maps, typed arrays", () => {
  refused(Promise.resolve(), "was given a promise: options are an object");
  refused(new Map(), "was given a Map");
  refused(new Uint8Array(2), "was given a Uint8Array");
});

interface Ruled {
  readonly count?: number;
  readonly kind?: "a" | "b" | "c";
  readonly deep?: { readonly on?: boolean };
  readonly need: number | string;
}
const RULES: OptionNames<Ruled> = {
  count: whole(1, 5),
  kind: oneOf("a", "b", "c"),
  deep: inner<{ on?: boolean }>({ on: truth }),
  need: needed(either("a number or a text", number, text)),
};

Deno.test("values are checked by the rules of a table, with the path of the option", () => {
  const check = (options: object) => checkOptionNames("call()", options as Ruled, RULES);
  check({ need: 1 });
  check({ count: 5, kind: "b", deep: { on: true }, need: "x" });
  const wrong: readonly (readonly [object, string, string, string])[] = [
    [{ need: 1, count: 6 }, "count", "6", "a whole number from 1 to 5"],
    [{ need: 1, count: null }, "count", "null", "a whole number from 1 to 5"],
    [{ need: 1, kind: "d" }, "kind", '"d"', '"a", "b" or "c"'],
    [{ need: 1, deep: { on: 1 } }, "deep.on", "1", "true or false"],
    [{}, "need", "undefined", "a number or a text"],
    [{ need: Promise.resolve(1) }, "need", "a promise", "a number or a text"],
  ];
  for (const [options, option, found, expected] of wrong) {
    const error = assertThrows(() => check(options), TilewiseError, `the option "${option}" is ${found}`);
    assertEquals(error.details, { option, found, expected });
  }
  const inside = assertThrows(
    () => check({ need: 1, deep: { On: true } }),
    TilewiseError,
    '"deep" of call()',
  );
  assertEquals(inside.details, { option: "deep.On", found: "On", expected: "on" });
});

Deno.test("an error that names no option is about the one it is said to be", () => {
  const fail = () => {
    throw new TilewiseError("overflow", "too large", { found: 3 });
  };
  const error = assertThrows(() => withOption("tile", fail), TilewiseError, "too large");
  assertEquals([error.code, error.details], ["overflow", { found: 3, option: "tile" }]);
  assertEquals(withOption("tile", () => 5), 5);
});

Deno.test("nearest: one slip in a short word, a third in a long one", () => {
  assertEquals(nearest("stat", ["info", "stats"]), "stats");
  assertEquals(nearest("rnu", ["run", "info"]), "run");
  assertEquals(nearest("ran", ["run", "info"]), "run");
  assertEquals(nearest("rant", ["run", "info"]), undefined);
  assertEquals(nearest("--aray", ["--array", "--format"]), "--array");
  assertEquals(nearest("anything", []), undefined);
});

Deno.test("nearest: capitals, dashes and underscores make no difference", () => {
  assertEquals(nearest("Roi", ["roi", "raw"]), "roi");
  assertEquals(nearest("total_size", ["depth", "totalBytes"]), "totalBytes");
  assertEquals(nearest("get_results", ["results", "merge"]), "results");
});

Deno.test("the compiler compares a table with the interface of its options", () => {
  interface Typed {
    readonly size?: number;
    readonly kind?: "a" | "b";
    readonly of: number | string;
  }
  const right: OptionNames<Typed> = {
    size: whole(1),
    kind: oneOf("a", "b", "c"),
    of: needed(either("a number or a text", number, text)),
  };
  const wrong: Record<string, OptionNames<Typed>> = {
    // @ts-expect-error: `kind` is missing
    name: { size: whole(), of: right.of },
    // @ts-expect-error: a text is not a number
    type: { ...right, size: text },
    // @ts-expect-error: the rule refuses "b"
    word: { ...right, kind: oneOf("a") },
    // @ts-expect-error: a part of what may be given
    part: { ...right, of: needed(text) },
    // @ts-expect-error: it must be given
    need: { ...right, of: either("a number or a text", number, text) },
    // @ts-expect-error: a rule that says no type
    none: { ...right, size: must("", () => true) as OptionRule },
  };
  assertEquals(Object.keys(wrong).length, 6);
});
