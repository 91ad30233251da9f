import { assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../src/errors.ts";
import { checkOptionNames, nearest, type OptionNames } from "../src/options.ts";

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
  refused(5 as never, "open() has no option 5: options are an object");
  refused(null as never, "open() has no option null");
  refused([1] as never, "open() has no option a list");
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
