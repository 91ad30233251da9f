/**
 * What every part store promises; a new kind of store is given this suite.
 *
 * @module
 */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import type { PartStore } from "../../../src/cluster/store/store.ts";
import { TilewiseError } from "../../../src/errors.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (found: Uint8Array | undefined) => found && new TextDecoder().decode(found);

/** Runs the suite; `open` gives another view of the same, empty store for each call. */
export async function storeConformance(open: () => Promise<PartStore>): Promise<void> {
  const [one, other] = [await open(), await open()];
  assertEquals(await one.get("manifest"), undefined);
  assertEquals(await one.has("parts/00"), false);
  assertEquals(await one.list("parts/"), []);

  assertEquals(await one.commit("parts/a1", [bytes("ab"), bytes(""), bytes("c")]), "new");
  assertEquals(text(await other.get("parts/a1")), "abc");
  assertEquals(await other.has("parts/a1"), true);
  assertEquals(await other.commit("parts/a1", [bytes("abc")]), "same");
  const error = await assertRejects(() => other.commit("parts/a1", [bytes("abd")]), TilewiseError);
  assertEquals(error.code, "conflict");
  assertMatch(error.message, /not deterministic/);
  assertEquals(text(await one.get("parts/a1")), "abc");

  assertEquals(await one.commit("data/empty", []), "new");
  assertEquals((await other.get("data/empty"))?.length, 0);
  for (const name of ["../x", "parts/../../x", "/x", "", "parts/", "Ä", ".x"]) {
    assertEquals((await assertRejects(() => one.commit(name, []), TilewiseError)).code, "invalid");
  }

  const racing = await Promise.all(
    Array.from({ length: 8 }, (_, i) => (i % 2 ? one : other).commit("parts/b2", [bytes("same")])),
  );
  assertEquals(racing.filter((outcome) => outcome === "new").length, 1);
  const differing = await Promise.allSettled(
    Array.from({ length: 4 }, (_, i) => one.commit("parts/c3", [bytes(`bytes ${i}`)])),
  );
  assertEquals(differing.filter(({ status }) => status === "fulfilled").length, 1);
  assertEquals((await other.list("parts/")).sort(), ["parts/a1", "parts/b2", "parts/c3"]);
  assertEquals(await other.list("data/"), ["data/empty"]);
}
