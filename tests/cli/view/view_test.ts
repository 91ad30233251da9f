/** The verb: what it prints, what it refuses, how it ends. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { leadingTo, openLink } from "../../../src/cli/view/link.ts";
import { isSameToken, newToken, Refusals, tokenFrom } from "../../../src/cli/view/guard.ts";
import { VIEW } from "../../../src/cli/view/view.ts";
import { builtPage } from "../../../src/cli/view/page.ts";
import { renewedPage } from "../../../web/build.ts";
import { withoutToken } from "../../../web/served/served.ts";
import { cli, TILEWISE, withFolder, writeNpy } from "../harness.ts";
import { viewing } from "./viewing.ts";

Deno.test("the link has a token, the source and how to open it; Ctrl-C ends the command", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/a b.npy`, "|u1", [4, 4], new Uint8Array(16));
    const outcome = await viewing(
      [`${folder}/a b.npy`, "--nav", "2x2", "--sig", "2x2"],
      async (link, err) => {
        const { origin, hash } = new URL(link);
        assertMatch(hash, /^#token=[\w-]{43}&v=1&url=data\/0\/a%2520b\.npy&open\.nav=2x2&open\.sig=2x2$/);
        assert(!err().includes(withoutToken(hash).token!));
        const headers = { authorization: `Bearer ${withoutToken(hash).token}` };
        const list = await (await fetch(`${origin}/data/sources.json`, { headers })).json();
        assertEquals(list.sources[0].options, { nav: "2x2", sig: "2x2" });
        assertStringIncludes(await (await fetch(origin)).text(), 'name="tilewise-served"');
      },
    );
    assertEquals([outcome.code, outcome.out.split("\n").length], [0, 2]);
  });
});

Deno.test("every example of the help runs", async () => {
  await withFolder(async (folder) => {
    await cli(["demo", "--scan", "8x4", "--side", "64", "--quiet", "--workers", "0", "-o", `${folder}/d`]);
    await Deno.writeFile(`${folder}/scan.raw`, new Uint8Array());
    await Deno.truncate(`${folder}/scan.raw`, 64 * 64 * 128 * 128 * 2);
    for (const [example] of VIEW.examples) {
      const words = example.split(" ").slice(2).filter((word) => word !== "--open").map((word) =>
        word.replace("scan.mib", `${folder}/d/scan_000.mib`).replace("scan.raw", `${folder}/scan.raw`)
      );
      const { code } = await viewing(words, async (link) => {
        const { origin, hash } = new URL(link);
        const headers = { authorization: `Bearer ${withoutToken(hash).token}` };
        const { sources } = await (await fetch(`${origin}/data/sources.json`, { headers })).json();
        assertEquals(sources.length, words.length > 0 ? 1 : 0);
      });
      assertEquals(code, 0, example);
    }
  });
});

Deno.test("--json prints one object; without a source the page makes a sample", async () => {
  for (const words of [["--json"], ["--json", "--demo"]]) {
    const { code, json, err } = await viewing(words, () => Promise.resolve());
    assertEquals(code, 0);
    assertMatch(String(json()[0]!["url"]), /#token=[\w-]{43}&v=1&sample=\w+$/);
    assertEquals(json()[0]!["sources"], []);
    assertStringIncludes(err, "Ctrl-C");
  }
});

Deno.test("a port in use is an error that says what to do", async () => {
  await renewedPage();
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { code, err } = await cli(["view", "--port", String((taken.addr as Deno.NetAddr).port)]);
  assertEquals(code, 1);
  assertMatch(
    err,
    /^tilewise: \[io\] Cannot listen at 127\.0\.0\.1:\d+: another program uses this port; .*--port/,
  );
});

/** Words, exit code, what is said. */
const REFUSED: readonly (readonly [words: readonly string[], code: number, text: RegExp])[] = [
  [["--listen", "0.0.0.0"], 2, /lets other machines in: add --token-file/],
  [["--listen", "::"], 2, /add --token-file/],
  [["--listen", "192.0.2.1"], 2, /add --token-file/],
  [["--listen", "127.0.0.1.evil.example"], 2, /add --token-file/],
  [["--port", "65536"], 2, /--port/],
  [["--port", "-1"], 2, /--port/],
  [["--demo", "a.npy"], 2, /leave one of them out/],
  [["--connect", "https://a/b"], 2, /write a host/],
  [["--connect", "a; script-src *"], 2, /write a host/],
  [["--nav", "x"], 2, /--nav/],
  [["none.npy"], 1, /\[not-found\]/],
  [["--oepn"], 2, /did you mean --open/],
];

Deno.test("what cannot be right is refused before anything listens", async () => {
  await renewedPage();
  for (const [words, code, text] of REFUSED) {
    const outcome = await cli(["view", ...words]);
    assertEquals(outcome.code, code, words.join(" "));
    assertMatch(outcome.err, text);
    assertEquals(outcome.out, "");
  }
});

Deno.test("other machines need a token in a file that only its owner may read", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/token`;
    const words = ["--listen", "0.0.0.0", "--token-file", file, "--connect", "data.example.org"];
    const { err } = await viewing(words, async (link) => {
      assertEquals((await Deno.stat(file)).mode! & 0o777, 0o600);
      assertEquals((await Deno.readTextFile(file)).trim(), withoutToken(new URL(link).hash).token);
      const reply = await fetch(new URL(link).origin);
      await reply.body?.cancel();
      assertStringIncludes(
        reply.headers.get("content-security-policy")!,
        "connect-src 'self' data.example.org;",
      );
    });
    assertStringIncludes(err, "other machines can reach this");
    assertEquals(await tokenFrom(file), (await Deno.readTextFile(file)).trim());

    await Deno.chmod(file, 0o640);
    const open = await cli(["view", ...words]);
    assertEquals(open.code, 1);
    assertMatch(open.err, /\[permission\].*mode 0640.*chmod 600/);
    await Deno.chmod(file, 0o600);
    for (const text of ["", "short", "a".repeat(42), `${"a".repeat(43)} b`]) {
      await Deno.writeTextFile(file, text);
      assertMatch((await cli(["view", ...words])).err, /\[invalid\].*at least 43/);
    }
  });
});

Deno.test("tokens have 256 bits, and are compared whole", () => {
  const tokens = new Set(Array.from({ length: 100 }, newToken));
  assertEquals([tokens.size, [...tokens].every((token) => /^[\w-]{43}$/.test(token))], [100, true]);
  const token = newToken();
  assertEquals([isSameToken(token, token), isSameToken(token.slice(1), token), isSameToken("", token)], [
    true,
    false,
    false,
  ]);
  assertEquals([isSameToken(`${token}\0`, token), isSameToken("ä".repeat(43), token)], [false, false]);
});

Deno.test("wrong tokens that come all at once are refused without a look when many wait", async () => {
  const waiting: (() => void)[] = [];
  const refusals = new Refusals(() => new Promise((resolve) => void waiting.push(resolve)));
  const all = Array.from({ length: 200 }, () => refusals.next());
  const pending = Symbol();
  const states = await Promise.all(all.map((one) => Promise.race([one, Promise.resolve(pending)])));
  assertEquals(states.filter((state) => state === true).length, 10);
  assertEquals(states.filter((state) => state === pending).length >= 64, true);
  for (let n = 0; n < 64; n++) {
    while (waiting.length <= n) await new Promise((resolve) => setTimeout(resolve));
    waiting[n]!();
  }
  assertEquals((await Promise.all(all)).filter((answered) => !answered).length, 126);
});

Deno.test("the browser gets a file that leads to the link, not the link itself", async () => {
  const link = 'http://127.0.0.1:1/#token=abc&v=1&url="><script>';
  const started: string[] = [];
  const opened = await openLink(link, async (command, args) => {
    const file = new URL(args.at(-1)!);
    assertEquals([(await Deno.stat(file)).mode! & 0o777, await Deno.readTextFile(file)], [
      0o600,
      leadingTo(link),
    ]);
    started.push(command, ...args);
  });
  assert(started.length >= 2 && !started.join(" ").includes("abc"));
  await opened[Symbol.asyncDispose]();
  assertEquals(await Deno.stat(new URL(started.at(-1)!)).catch(() => "gone"), "gone");
  assert(!/"><script>/.test(leadingTo(link)));
  await using failed = await openLink(link, () => Promise.reject(new Error("no browser")));
  assertStringIncludes(failed.failed ?? "", "no browser");
});

Deno.test("a page that was not built says how to build it", async () => {
  await withFolder(async (folder) => {
    const error = await builtPage(new URL(`file://${folder}/page.json`)).catch((error) => error);
    assertEquals([error.code, /deno task view/.test(error.message)], ["not-found", true]);
  });
});

Deno.test("an interrupted process ends at once, with 0", async () => {
  await renewedPage();
  const process = new Deno.Command(Deno.execPath(), {
    args: [...TILEWISE, "view", "--quiet"],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const reader = process.stdout.getReader();
  const { value } = await reader.read();
  assertStringIncludes(new TextDecoder().decode(value), "http://127.0.0.1:");
  reader.releaseLock();
  process.kill("SIGINT");
  const { code, stderr } = await process.output();
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
});
