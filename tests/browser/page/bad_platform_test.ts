/** Browsers without workers, WebAssembly, its vectors, or shared memory, by policy or by age: what the page says. */

import type { Page } from "playwright-core";
import { answered, browserTest, servers, withPage } from "../setup/mod.ts";
import { assertSaid, assertUsable } from "./bad/said.ts";

/** What a browser lacks. */
interface Lack {
  /** The policy that the page is served with. */
  readonly policy?: string;
  /** A script that takes something away before the page begins. */
  readonly script?: string;
  /** What is opened. */
  readonly address?: string;
}

/** Opens the page in a browser that lacks something. */
async function without(lack: Lack, isolated: boolean, body: (page: Page) => Promise<void>): Promise<void> {
  const all = await servers();
  const origin = isolated ? all.isolated : all.plain;
  const allowed = { requests: [`${origin}/`, `blob:${origin}/`], complaints: [/Content Security Policy/] };
  await withPage({ path: "about:blank", isolated, allowed }, async ({ page, context }) => {
    const { policy, script } = lack;
    if (script) await context.addInitScript(script);
    if (policy) {
      await context.route(({ pathname }) => pathname === "/page/", async (route) => {
        const response = await route.fetch();
        const headers = { ...response.headers(), "content-security-policy": policy };
        await route.fulfill({ response, headers });
      });
    }
    await page.goto(`${origin}/page/${lack.address ?? "#v=1&sample=crystal-small"}`);
    await body(page);
  });
}

/** Whether the page still opens its sheets, and goes back to the welcome. */
async function assertAnswers(page: Page): Promise<void> {
  await page.keyboard.press("?");
  await page.getByRole("dialog").first().waitFor();
  await page.keyboard.press("Escape");
  await page.evaluate(() => location.hash = "#v=1");
  await page.getByRole("button", { name: "Choose files" }).waitFor();
}

const POLICY = "default-src 'self' blob: data:; style-src 'self'; script-src 'self'";

browserTest("without workers by policy, the page says so, and computes without them", async () => {
  const policy = `${POLICY} 'wasm-unsafe-eval'; worker-src 'none'`;
  await without({ policy }, true, async (page) => {
    await assertSaid(page, "This browser does not start workers here", /allow workers[\s\S]*without them/);
    await page.getByRole("button", { name: "Try again" }).click();
    await answered(page);
    await page.evaluate(() => location.hash = "#v=1");
    await assertUsable(page);
  });
});

browserTest("without WebAssembly, by policy or at all, the page says so", async () => {
  for (const lack of [{ policy: POLICY }, { script: "delete globalThis.WebAssembly" }]) {
    await without(lack, true, async (page) => {
      await assertSaid(
        page,
        "This browser does not run WebAssembly here",
        /allow WebAssembly.*\n.*command line/,
      );
      await assertAnswers(page);
    });
  }
});

/** WebAssembly as browsers had it before vectors: every prefix of them is an unknown instruction. */
const NO_VECTORS = `{
  const { validate, compile, Module, CompileError } = WebAssembly;
  const has = (bytes) => new Uint8Array(bytes.buffer ?? bytes).includes(0xfd);
  const refuse = () => { throw new CompileError("invalid opcode 0xfd"); };
  WebAssembly.validate = (bytes) => !has(bytes) && validate(bytes);
  WebAssembly.compile = async (bytes) => has(bytes) ? refuse() : compile(bytes);
  WebAssembly.Module = function (bytes) { return has(bytes) ? refuse() : new Module(bytes); };
  WebAssembly.Module.prototype = Module.prototype;
}`;

browserTest("without vectors in WebAssembly, the page names browsers that have them", async () => {
  await without({ script: NO_VECTORS }, true, async (page) => {
    await assertSaid(page, "This browser lacks WebAssembly SIMD", /Safari from 16\.4/);
    await assertAnswers(page);
  });
});

browserTest("without shared memory, the page computes all the same, and says that it is slower", async () => {
  for (const script of ["delete globalThis.SharedArrayBuffer", "delete globalThis.Worker"]) {
    await without({ script }, false, async (page) => {
      await answered(page);
      await page.getByText("Slower here: no shared memory").waitFor();
    });
  }
});
