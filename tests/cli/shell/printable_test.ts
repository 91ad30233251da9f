/** Text of files, such as names and metadata, cannot steer the terminal or fake a line. */

import { assert, assertEquals } from "@std/assert";
import { oneLine, printable } from "../../../src/cli/shell/io.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

/** Clears the screen, sets the title, goes back to the start of the line, starts a line, reverses what follows. */
const HOSTILE = "\x1b[2J\x1b]0;x\x07\r\n\x7f\x9b1m\u202e\u2066\u2028";

/** What a command may write itself. */
function isHarmless(text: string): boolean {
  return !/[\p{Cf}\p{Zl}\p{Zp}]/u.test(text) && !/\p{Cc}/u.test(text.replaceAll("\n", ""));
}

Deno.test("every control character is escaped, and letters of all languages are not", () => {
  const shown = printable(HOSTILE);
  assertEquals(
    shown,
    "\\x1b[2J\\x1b]0;x\\x07\\r\\n\\x7f\\x9b1m\\u202e\\u2066\\u2028",
  );
  for (let code = 0; code < 0x110000; code++) {
    const char = String.fromCodePoint(code);
    const isShown = !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(char);
    assertEquals(printable(char) === char, isShown, code.toString(16));
  }
  for (const text of ["Ångström", "像", "صورة", "é", "😀", "a b"]) {
    assertEquals(printable(text), text);
  }
});

Deno.test("names and metadata of files are escaped in every verb, in messages and in JSON", async () => {
  await withFolder(async (folder) => {
    const name = `${folder}/a${HOSTILE}.npy`;
    await writeNpy(name, "<u2", [2, 3, 4, 4], new Uint8Array(192));
    await writeNpy(`${folder}/b.npy`, "<u2", [2, 3, 4, 4], new Uint8Array(192));
    assertEquals((await cli(["convert", name, `${folder}/c${HOSTILE}.mib`, "--quiet"])).code, 0);
    const hdr = `${folder}/c${HOSTILE}.hdr`;
    const text = await Deno.readTextFile(hdr);
    await Deno.writeTextFile(hdr, text.replace("1x1", `\x1b[2J\x9b\u202e`));
    await Deno.writeTextFile(`${folder}/none${HOSTILE}`, "x");
    const out = `${folder}/out${HOSTILE}`;
    const commands = [
      ["info", name],
      ["info", `${folder}/c${HOSTILE}.mib`],
      ["info", hdr],
      ["info", `${folder}/none${HOSTILE}`],
      ["info", `${folder}/absent${HOSTILE}`],
      ["info", name, "--array", HOSTILE],
      ["info", name, "--format", HOSTILE],
      ["stats", name],
      ["pick", name, "--at", "0,0", "-o", `${out}.csv`],
      ["convert", `${folder}/b.npy`, `${out}.npy`],
      ["run", "sum", name, "--workers", "0", "-o", `${out}/`],
      ["run", "sum", name, "--workers", "0", "--dry-run"],
      ["run", `${HOSTILE}`, name],
      ["run", `${folder}/${HOSTILE}.ts`, name],
      ["replay", `${out}/sum.run.json`],
      ["replay", name],
      [HOSTILE],
      ["new", "udf", HOSTILE],
    ];
    for (const words of commands) {
      for (const flags of [[], ["--json"]]) {
        const { out, err } = await cli([...words, ...flags]);
        assert(isHarmless(out), JSON.stringify([words, out]));
        assert(isHarmless(err), JSON.stringify([words, err]));
        assert((out + err).length > 0);
      }
    }
    const { out: info } = await cli(["info", hdr]);
    assert(info.includes("Assembly Size: \\x1b[2J"), info); // from the file, not from its name
    const [row] = (await cli(["info", "--json", name])).json();
    assertEquals(row!.source, name); // JSON says the same, in other letters
  });
});

Deno.test("text of several lines becomes one, however many spaces are in it", () => {
  assertEquals(oneLine("  a \r\n\n  b\n"), "a b");
  const spaces = " ".repeat(1_000_000); // a pattern that tries each of them again takes minutes
  assertEquals(oneLine(`a${spaces}b`), `a${spaces}b`);
});
