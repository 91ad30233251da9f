/** Room on a disk is looked for before anything is written. */

import { assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { mustHaveRoom } from "../../../src/io/write/space.ts";
import { withFolder } from "../../cli/harness.ts";

Deno.test("what a disk has no room for is refused with both sizes", async () => {
  await withFolder(async (folder) => {
    await mustHaveRoom(folder, 0, "x");
    const error = await assertRejects(
      () => mustHaveRoom(folder, 1e18, "day.ms"),
      TilewiseError,
      "day.ms: it needs 888.2 PiB",
    );
    assertEquals([error.code, error.details.expected], ["io", 1e18]);
    await mustHaveRoom(`${folder}/none`, 1e18, "x"); // the system tells nothing of it
  });
});
