/** UDFs as words of the command line. */

import { assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../src/cli/args.ts";
import { parseUdfs, resolveUdfs } from "../../src/cli/udf_args.ts";
import { builtin } from "../../src/udf/udf_ref.ts";

Deno.test("cy, cx and r become the disk that is cut out before a transform", async () => {
  const words = parseUdfs(["crystallinity:ri=1,ro=2,cy=4,cx=5,r=3", "fft", "fftpick:cy=1,cx=2,r=0.5"]);
  assertEquals(await resolveUdfs(words), {
    crystallinity: builtin("crystallinity", { ri: 1, ro: 2, real: { cy: 4, cx: 5, r: 3 } }),
    fft: builtin("fft_of_sum", {}),
    fftpick: builtin("fft_of_frames", { real: { cy: 1, cx: 2, r: 0.5 } }),
  });
});

Deno.test("what a UDF needs and takes is said", () => {
  assertThrows(
    () => parseUdfs(["crystallinity:ri=1"]),
    UsageError,
    "needs ro; write crystallinity:ri=…,ro=…",
  );
  assertThrows(() => parseUdfs(["fem:r=1"]), UsageError, "it takes cy, cx, ri, ro");
});

Deno.test("map: before a module means a function of a frame", async () => {
  const words = parseUdfs(["map:./mine.ts#most:least=3", "map:./mine.ts", "./mine.ts"]);
  assertEquals(words.map(({ key }) => key), ["most", "mine", "mine-2"]);
  const { most, mine, "mine-2": own } = await resolveUdfs(words);
  const { module, ...rest } = most!.params;
  assertEquals([most!.export, rest], ["map", { export: "most", params: { least: 3 } }]);
  assertEquals([String(module).startsWith("file:///"), mine!.export, own!.export], [true, "map", "default"]);
  assertThrows(() => parseUdfs(["map:sum"]), UsageError, "write map:./mine.ts");
});
