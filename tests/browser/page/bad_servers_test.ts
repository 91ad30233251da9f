/** Servers that cannot be read from: what the page says, and that it goes on. */

import type { Page } from "playwright-core";
import { withFolder, writeNpy } from "../../cli/harness.ts";
import { answered, browserTest, withTilewise } from "../setup/mod.ts";
import { assertSaid, assertUsable, leave } from "./bad/said.ts";
import { type BadServer, badServer } from "./bad/server.ts";

/** Below which path, the title, and what can be done. */
const WAYS: readonly (readonly [way: string, title: string, step: RegExp])[] = [
  ["large", "The server sends only whole files", /range requests.*\n.*drop it here/],
  [
    "closed",
    "The server does not let this page read the file",
    /Access-Control-Allow-Origin.*\n.*drop it here/,
  ],
  ["hidden", "The server hides which bytes it sends", /Access-Control-Expose-Headers.*\n.*drop it here/],
  ["changing", "The file has changed", /choose the file again/],
  ["status/404", "The server does not have this file", /typing errors/],
  ["status/403", "The server does not give this file to everyone", /sign in.*\n.*drop it here/],
  ["status/500", "The server does not answer as it should", /try again/],
  ["broken", "The server does not answer as it should", /ended in the middle[\s\S]*try again/],
];

const COMPLAINTS = [/Failed to load resource/, /CORS policy/];

/** A scan on a bad server. */
async function withServer(body: (server: BadServer) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const samples = Uint16Array.from({ length: 16 * 1024 }, (_, i) => i % 251);
    await writeNpy(`${folder}/a.npy`, "<u2", [4, 4, 32, 32], new Uint8Array(samples.buffer));
    await using server = badServer(await Deno.readFile(`${folder}/a.npy`));
    await body(server);
  });
}

/** Types an address into the page, and opens it. */
async function type(page: Page, address: string): Promise<void> {
  await page.getByLabel("Or the address of a file").fill(address);
  await page.keyboard.press("Enter");
}

for (const isolated of [true, false]) {
  browserTest(
    `what servers do is said, and what can be done, ${isolated ? "isolated" : "or not"}`,
    () =>
      withServer(async ({ origin }) => {
        const allowed = { requests: [`${origin}/`], complaints: COMPLAINTS };
        await withTilewise({ isolated, allowed }, async ({ page }) => {
          for (const [way, title, step] of isolated ? WAYS : WAYS.slice(0, 3)) { // in the others isolation plays no part
            await type(page, `${origin}/${way}/a.npy`);
            await assertSaid(page, title, step);
            await leave(page);
          }
          await type(page, `${origin}/good/a.npy`);
          await answered(page);
        });
      }),
  );
}

browserTest(
  "a server that says nothing is left when the user has waited enough",
  () =>
    withServer(async ({ origin }) => {
      await withTilewise({ allowed: { requests: [`${origin}/`] } }, async ({ page }) => {
        await type(page, `${origin}/silent/a.npy`);
        await page.getByRole("button", { name: "Cancel" }).click();
        await page.getByRole("button", { name: "Choose files" }).waitFor();
        await assertUsable(page);
      });
    }),
);
