/** The same sources give the same package: made twice, which takes long. */

import { assertEquals } from "@std/assert";
import { declarations } from "../../assembly/pack/declarations.ts";
import { pack } from "../../assembly/pack/main.ts";

Deno.test("the same sources give the same package", async () => {
  const types = await declarations(new URL("../../", import.meta.url)); // Deno makes them, and takes the most time
  assertEquals(await pack(types), await pack(types));
});
