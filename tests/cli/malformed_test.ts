import { assert, assertEquals } from "@std/assert";
import { cli } from "./harness.ts";
import { measured } from "../fuzz/clock.ts";

const DATA = new URL("../../../shared/data/", import.meta.url);

/** Damaged files elsewhere; none where they are not at hand. */
function damaged(): { file: string; expect: string }[] {
  try {
    const { entries } = JSON.parse(Deno.readTextFileSync(new URL("expectations.json", DATA)));
    return entries.filter(({ file }: { file: string }) => file.startsWith("malformed/"));
  } catch {
    return [];
  }
}

const files = damaged();

Deno.test({
  name: "every damaged file is refused with one typed line, and never invents samples",
  ignore: files.length === 0, // the files are not part of this repository
  async fn() {
    assert(files.length >= 40);
    for (const { file, expect } of files) {
      const path = decodeURIComponent(new URL(file, DATA).pathname);
      const spent = measured();
      const { code, json, err } = await cli(["stats", "--json", path]);
      assert(spent().milliseconds < 5000, `${file} takes too long`);
      const warned = code === 0 && err.startsWith(`tilewise: warning: ${path}: `); // of pages behind the first
      assert(err === "" || warned, `${file}: ${err}`);
      const lines = json();
      if (expect === "error") {
        assertEquals([code, lines.length], [1, 1], `${file}: ${JSON.stringify(lines)}`);
        const { code: word, message } = lines[0]!.error as { code: string; message: string };
        assert(word.length > 0 && word !== "corrupt" && message.length > 10, `${file}: ${word} ${message}`);
      } else assert(code === 0 || code === 1, file);
    }
  },
});

Deno.test({
  name: "a series cut off inside a frame: refused, or read up to there when asked to",
  ignore: files.length === 0, // the files are not part of this repository
  async fn() {
    const path = decodeURIComponent(new URL("malformed/truncated_last_frame.mib", DATA).pathname);
    const strict = await cli(["stats", "--json", path]);
    assertEquals([strict.code, (strict.json()[0]!.error as { code: string }).code], [1, "truncated"]);
    const lenient = await cli(["stats", "--json", "--allow-truncated", path]);
    assertEquals([lenient.code, lenient.json()[0]!.shape], [0, [8, 256, 256]]);
  },
});
