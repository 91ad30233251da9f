/** Only declared files are read, by whatever path they are asked for. */

import { assert, assertEquals } from "@std/assert";
import { openInside } from "../../../src/cli/view/roots.ts";
import { withFolder } from "../harness.ts";
import { raw, site } from "./site.ts";

/** Paths below `/data/` that must not be answered; `S` is the store, which has `zarr.json`, `c/0` and `ä b`. */
const REFUSED: readonly string[] = [
  ...[
    "..",
    "../",
    "../secret",
    "S/../secret",
    "S/../../secret",
    "S/c/../../secret",
    "S/c/../../../etc/passwd",
  ],
  ...[
    "S/./c/0",
    "./S/c/0",
    "S/c/.",
    "S/c/..",
    "S/c/0/..",
    "S/c/0/../0",
    "S//c/0",
    "S/c//0",
    "/S/c/0",
    "S/c/0/",
  ],
  ...["%2e%2e/secret", "S/%2e%2e/secret", "S/%2E%2E/secret", "S/.%2e/secret", "S/%2e./secret", "S/%2e/c/0"],
  ...["S/%252e%252e/secret", "S/%252e%252e%252fsecret", "S/%25252e%25252e/secret", "S%252fc%252f0"],
  ...[
    "S/..%2fsecret",
    "S/%2e%2e%2fsecret",
    "S/..%5csecret",
    "S/..\\secret",
    "S\\c\\0",
    "S/c%2f0",
    "S/c%5c0",
    "S%2fc/0",
  ],
  ...["S/..%c0%afsecret", "S/%c0%ae%c0%ae/secret", "S/%e0%80%ae%e0%80%ae/secret", "S/%uff0e%uff0e/secret"],
  ...["S/c/0%00", "S/c/0%00.npy", "S/%00", "S/c/0%0a", "S/c/0%0d%0aX: y", "S/c%7f/0", "S/c/0%1b"],
  ...["S/%", "S/%2", "S/%zz", "S/%ff", "S/%80"],
  ...["", "S", "S/", "x/c/0", "s/c/0", "S/C/0", "S/c/1", "S/c", "S/folder"],
  ...["S/outside", "S/outside-folder/secret", "S/loop", "S/nowhere", "S/absolute"],
  ...["S/pipe", "S/device", "S/socket"],
  ...[
    "/etc/passwd",
    "S//etc/passwd",
    "file:///etc/passwd",
    "S/file:%2f%2f%2fetc%2fpasswd",
    "C:/secret",
    "S/C:%5csecret",
  ],
  ...["S/%5c%5c%3f%5cC:%5csecret", "S/%5c%5cserver%5cshare", "S/con%5c", "~/secret", "S/~/secret", "S/$HOME"],
  ...[
    "S/" + "a".repeat(300),
    "S/" + "a/".repeat(3000) + "a",
    "S/__proto__",
    "__proto__",
    "constructor",
    "S/toString",
  ],
];

async function filled(folder: string): Promise<void> {
  await Deno.mkdir(`${folder}/S/c`, { recursive: true });
  await Deno.mkdir(`${folder}/S/folder`);
  await Deno.mkdir(`${folder}/beside`);
  const texts = {
    "S/zarr.json": "{}",
    "S/c/0": "inside",
    "S/ä b": "inside",
    secret: "secret",
    "beside/secret": "secret",
  };
  for (const [path, text] of Object.entries(texts)) await Deno.writeTextFile(`${folder}/${path}`, text);
  await Deno.symlink("c/0", `${folder}/S/inside`);
  await Deno.symlink("../secret", `${folder}/S/outside`);
  await Deno.symlink("../beside", `${folder}/S/outside-folder`);
  await Deno.symlink("loop", `${folder}/S/loop`);
  await Deno.symlink("nothing", `${folder}/S/nowhere`);
  await Deno.symlink("/etc/passwd", `${folder}/S/absolute`);
  await Deno.symlink("/dev/zero", `${folder}/S/device`);
  const { success } = await new Deno.Command("mkfifo", { args: [`${folder}/S/pipe`] }).output();
  assert(success);
  Deno.listen({ transport: "unix", path: `${folder}/S/socket` }).close();
}

Deno.test(`${REFUSED.length} ways out of a folder lead nowhere`, async () => {
  assert(REFUSED.length >= 80 && new Set(REFUSED).size === REFUSED.length);
  await withFolder(async (folder) => {
    await filled(folder);
    await using served = await site([`${folder}/S`]);
    for (const path of ["S/zarr.json", "S/c/0", "S/inside", "S/%C3%A4%20b", "S/%63/0", "S/c/0?x=../secret"]) {
      const { status, text } = await served.ask(`/data/0/${path}`);
      assertEquals([status, ["inside", "{}"].includes(text)], [200, true], path);
    }
    for (const path of REFUSED) {
      const { status, text } = await served.ask(`/data/0/${path}`);
      const isRefused = status >= 400 && status < 500 && !/secret\b|root:/.test(text);
      assert(isRefused, `${path}: ${status} ${text.slice(0, 40)}`);
    }
    for (
      const path of [
        "1/S/c/0",
        "-1/S/c/0",
        "00/../S/c/0",
        "0x0/S/c/0",
        "1e0/S/c/0",
        "9999999999/S",
        "/0/S/c/0",
        "NaN/S",
      ]
    ) {
      assertEquals((await served.ask(`/data/${path}`)).status, 404, path);
    }
  });
});

Deno.test("a file is found under its own name only, also where the folder has others", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.bin`, "a");
    await Deno.writeTextFile(`${folder}/b.bin`, "b");
    await using served = await site([`${folder}/a.bin`]);
    assertEquals((await served.ask("/data/0/a.bin")).text, "a");
    for (const path of ["b.bin", "../a.bin", "A.BIN", "a.bin/", "a.bin/.", folder.slice(1) + "/a.bin"]) {
      assertEquals((await served.ask(`/data/0/${path}`)).status, 404, path);
    }
  });
});

Deno.test("a file that becomes a link to elsewhere is refused from then on", async () => {
  await withFolder(async (folder) => {
    await filled(folder);
    await Deno.writeTextFile(`${folder}/a.bin`, "a");
    await using served = await site([`${folder}/S`, `${folder}/a.bin`]);
    for (const path of ["S/c/0", "a.bin"]) {
      await Deno.remove(`${folder}/${path}`);
      await Deno.symlink(`${folder}/secret`, `${folder}/${path}`);
    }
    assertEquals((await served.ask("/data/0/S/c/0")).status, 404);
    assertEquals((await served.ask("/data/1/a.bin")).status, 404);
    await Deno.remove(`${folder}/S/c/0`);
    await Deno.remove(`${folder}/S/c`);
    await Deno.symlink(`${folder}/beside`, `${folder}/S/c`);
    assertEquals((await served.ask("/data/0/S/c/secret")).status, 404);
  });
});

Deno.test("whoever swaps a file for a link again and again never gets what is outside", async () => {
  await withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/S`);
    await Deno.writeTextFile(`${folder}/secret`, "secret");
    await Deno.writeTextFile(`${folder}/S/mine`, "inside");
    await Deno.symlink(`${folder}/secret`, `${folder}/link`);
    let ended = false;
    const swapping = (async () => {
      for (let n = 0; !ended; n++) {
        if (n % 2 === 0) await Deno.symlink(`${folder}/secret`, `${folder}/S/next`);
        else await Deno.copyFile(`${folder}/S/mine`, `${folder}/S/next`);
        await Deno.rename(`${folder}/S/next`, `${folder}/S/a`);
      }
    })();
    let found = 0;
    for (let n = 0; n < 20_000 && found < 60; n++) {
      const file = await openInside(`${folder}/S/a`, [await Deno.realPath(`${folder}/S`)]);
      if (!file) continue;
      found++;
      const { buffer, bytesRead } = await file.handle.read(new Uint8Array(16), 0, 16, 0);
      await file.handle.close();
      assertEquals(new TextDecoder().decode(buffer.subarray(0, bytesRead)), bytesRead === 0 ? "" : "inside");
    }
    ended = true;
    await swapping;
    assert(found > 0);
  });
});

Deno.test("headers that were sent twice or broken end in an answer", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.bin`, "a");
    await using served = await site([`${folder}/a.bin`]);
    const host = `127.0.0.1:${served.port}`;
    const lines = [{ host: `${host}\r\nhost: evil.example` }, { host: `evil.example\r\nhost: ${host}` }, {}];
    for (const headers of lines) {
      const { status } = await raw(served.port, "GET /data/0/a.bin", headers as Record<string, string>);
      assert(status >= 400 || Number.isNaN(status), JSON.stringify(headers));
    }
  });
});
