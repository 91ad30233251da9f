/** `tilewise view` in Chromium: the token, shared memory, what leaves the page, and names that try to be more than text. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { cli, withFolder, writeNpy } from "../../cli/harness.ts";
import type { Page } from "playwright-core";
import type { TwTiles } from "../../../web/pictures/mod.ts";
import { assertAccessible, browserTest, until, withPage } from "../setup/mod.ts";
import { viewing } from "../setup/viewing.ts";

/** A scan of 8 × 8 frames of 16 × 16. */
async function writeScan(path: string): Promise<void> {
  const samples = Uint16Array.from({ length: 64 * 256 }, (_, i) => (i * 31) % 257);
  await writeNpy(path, "<u2", [8, 8, 16, 16], new Uint8Array(samples.buffer));
}

browserTest(
  "the page opens the source of the command, isolated, and its token is gone from the address",
  async () => {
    await withFolder(async (folder) => {
      await writeScan(`${folder}/scan.npy`);
      await viewing([`${folder}/scan.npy`], async (link) => {
        const requests = [new URL(link).origin];
        const token = /token=([\w-]+)/.exec(link)![1]!;
        const asked: { url: string; referer: string | undefined }[] = [];
        await withPage({ path: "about:blank", allowed: { requests } }, async ({ page, context }) => {
          // What browsers keep behind # is not sent.
          page.on(
            "request",
            (one) => asked.push({ url: one.url().replace(/#.*/, ""), referer: one.headers()["referer"] }),
          );
          await page.goto(link);
          await page.waitForSelector("tw-image");
          assertEquals(await page.evaluate(() => [crossOriginIsolated, typeof SharedArrayBuffer]), [
            true,
            "function",
          ]);
          assert(!page.url().includes(token), page.url());
          const [cookie, ...others] = await context.cookies();
          assertEquals(others, []);
          assertEquals([cookie!.httpOnly, cookie!.sameSite, cookie!.path], [true, "Strict", "/data"]);
          assert(cookie!.value !== token && !await page.evaluate(() => document.cookie));
          assertEquals(asked.filter(({ url, referer }) => url.includes(token) || (referer ?? "") !== ""), []);
          const { origin } = new URL(link);
          assertEquals(
            asked.filter(({ url }) => !url.startsWith(`${origin}/`) && !url.startsWith("blob:")),
            [],
          );
          assert(asked.some(({ url }) => url === `${origin}/data/0/scan.npy`));
          await page.reload(); // the cookie is enough
          await page.waitForSelector("tw-image");
        });
        await withPage(
          { path: "about:blank", allowed: { requests, complaints: [/401|permission|refuses/i] } },
          async ({ page }) => {
            await page.goto(link.replace(/token=[\w-]+&/, "")); // a profile without the cookie
            await page.getByText(/open the link that the command has printed/i).first().waitFor();
          },
        );
      });
    });
  },
);

browserTest(
  "several sources are listed with pictures; a damaged one says so; options of the command hold for each",
  async () => {
    await withFolder(async (folder) => {
      await writeScan(`${folder}/first.npy`);
      await writeScan(`${folder}/second.npy`);
      const whole = await Deno.readFile(`${folder}/first.npy`);
      await Deno.writeFile(`${folder}/third.npy`, whole.subarray(0, whole.length / 2));
      const paths = ["first", "second", "third"].map((name) => `${folder}/${name}.npy`);
      await viewing([...paths, "--nav", "4x16"], async (link) => {
        await withPage(
          { path: "about:blank", allowed: { requests: [new URL(link).origin] } },
          async ({ page }) => {
            await page.goto(link);
            const list = page.getByRole("list", { name: "Served sources" });
            await list.locator("li").nth(1).locator(".thumbnail canvas").waitFor();
            await list.getByRole("button", { name: /third\.npy The file ends too early/ }).waitFor();
            await assertAccessible(page);
            const shot = Deno.env.get("SHOT");
            if (shot) await page.screenshot({ path: `${shot}-served.png` });
            await list.getByRole("button", { name: /second\.npy/ }).click();
            await page.getByRole("button", { name: /second\.npy.*4 × 16 of 16 × 16/ }).click();
            await page.getByRole("list", { name: "Other sources" }).getByRole("button", {
              name: /first\.npy/,
            }).click();
            await page.getByRole("button", { name: /first\.npy.*4 × 16 of 16 × 16/ }).waitFor();
          },
        );
      });
    });
  },
);

/** An image of 6 × 8. */
async function writeImage(path: string): Promise<void> {
  await writeNpy(path, "|u1", [6, 8], Uint8Array.from({ length: 48 }, (_, i) => i));
}

browserTest(
  "a folder is browsed by its rows and the way back; the address keeps the folder, and images of it stand beside each other",
  async () => {
    await withFolder(async (folder) => {
      await Deno.mkdir(`${folder}/top/sub one/deep`, { recursive: true });
      await Deno.mkdir(`${folder}/top/many`);
      await Deno.mkdir(`${folder}/top/.git`);
      for (let i = 0; i < 103; i++) await writeImage(`${folder}/top/many/${i}.npy`);
      for (const name of ["a", "b"]) await writeImage(`${folder}/top/sub one/deep/${name}.npy`);
      await cli(["convert", `${folder}/top/many/1.npy`, `${folder}/top/sub one/c.zarr`, "--quiet"]);
      await viewing([`${folder}/top`], async (link) => {
        const allowed = { requests: [new URL(link).origin] };
        await withPage({ path: "about:blank", allowed }, async ({ page }) => {
          await page.goto(link);
          const list = page.getByRole("list", { name: "Served sources" }).first();
          const rows = async () => (await list.locator(".mono").allTextContents()).sort();
          const way = page.getByRole("navigation", { name: "Folder" });
          await list.getByRole("button", { name: /^many/ }).waitFor();
          assertEquals(await rows(), ["many", "sub one"]);
          await list.getByRole("button", { name: /^sub one Folder/ }).press("Enter");
          await list.getByRole("button", { name: /c\.zarr 6 × 8/ }).waitFor();
          assertEquals(await rows(), ["c.zarr", "deep"]);
          await page.waitForURL(({ hash }) => hash.includes("folder=0/sub+one"));
          await way.locator(":focus").getByText("sub one").waitFor();
          await assertAccessible(page);
          await list.getByRole("button", { name: /^deep/ }).click();
          await list.getByRole("button", { name: /^a\.npy/ }).waitFor();
          await page.waitForURL(({ hash }) => hash.includes("folder=0/sub+one/deep"));
          await page.reload();
          await way.getByText("deep").waitFor();
          await list.getByRole("button", { name: /^a\.npy/ }).click();
          await besideInFolder(page);
          await page.getByRole("button", { name: "Tilewise", exact: true }).click();
          await way.getByRole("button", { name: "top" }).click();
          await list.getByRole("button", { name: /^many/ }).click();
          await page.getByText("The first 100 of 103 names are listed.").waitFor();
          await page.getByRole("button", { name: "List more" }).press("Enter");
          const more = page.getByRole("list", { name: "Served sources after 100" });
          await more.locator(":focus").getByText("100.npy").waitFor();
          assertEquals(await more.locator("li").count(), 3);
          await page.keyboard.press("Control+z");
          await list.getByRole("button", { name: /^many/ }).waitFor();
          await assertAccessible(page);
        });
      });
    });
  },
);

/** Another image of the folder stands beside the one that is open, also after a reload. */
async function besideInFolder(page: Page): Promise<void> {
  const whole = () =>
    until(page, () => {
      const all = [...document.querySelectorAll("tw-tiles")] as TwTiles[];
      return all.length === 2 && all.every(({ samples }) => samples[0]?.length === 48);
    });
  const which = page.getByLabel("Beside this image");
  await which.locator("option", { hasText: "b.npy" }).waitFor({ state: "attached" });
  assertEquals(await which.locator("option").allTextContents(), ["No other image", "b.npy"]);
  await which.selectOption({ label: "b.npy" });
  await whole();
  await page.waitForURL(({ hash }) => /folder=0\/sub\+one\/deep&url=data.*&second\.url=data/.test(hash));
  await page.reload();
  await whole();
}

browserTest("a page of another origin gets nothing from the server", async () => {
  await withFolder(async (folder) => {
    await writeScan(`${folder}/scan.npy`);
    await viewing([`${folder}/scan.npy`], async (link) => {
      const { origin } = new URL(link);
      await withPage({
        isolated: false,
        allowed: { requests: [origin], complaints: [/CORS|Failed to load|ERR_|frame|violates/] },
      }, async ({ page }) => {
        const found = await page.evaluate(async (origin) => {
          const get = (init: RequestInit) =>
            fetch(`${origin}/data/0/scan.npy`, init).then(({ type }) => type, () => "refused");
          const image = new Promise((resolve) => {
            const element = new Image();
            element.onload = () => resolve("shown");
            element.onerror = () => resolve("refused");
            element.src = `${origin}/icon.svg`;
          });
          return [await get({}), await get({ mode: "no-cors", credentials: "include" }), await image];
        }, origin);
        assertEquals(found, ["refused", "refused", "refused"]);
      });
    });
  });
});

/** Names that would be code, were they not text. */
const NAMES = [
  '"><img src=x onerror=alert(1)><svg onload=alert(2)>',
  "<iframe srcdoc='<b>' onload=alert(3)>{{constructor.constructor('alert(4)')()}} ' onmouseover='alert(5)",
];

browserTest("names of files stay text", async () => {
  await withFolder(async (folder) => {
    for (const name of NAMES) {
      const path = `${folder}/${name.replaceAll("/", "∕")}.npy`;
      await writeScan(path);
      await viewing([path], async (link) => {
        await withPage(
          { path: "about:blank", allowed: { requests: [new URL(link).origin] } },
          async ({ page }) => {
            const alerts: string[] = [];
            page.on("dialog", (dialog) => {
              alerts.push(dialog.message());
              return dialog.dismiss();
            });
            await page.goto(link);
            await page.waitForSelector("tw-image");
            const odd = await page.evaluate(() =>
              document.querySelectorAll("img[src=x],iframe,svg[onload],[onmouseover],[onerror]").length
            );
            assertEquals([alerts, odd], [[], 0], name);
          },
        );
      });
    }
  });
});

browserTest("the first paint takes few requests, and a second visit fewer bytes", async () => {
  await viewing([], async (link) => {
    await withPage(
      { path: "about:blank", allowed: { requests: [new URL(link).origin] } },
      async ({ page }) => {
        await page.goto(link.replace(/&sample=.*/, ""));
        await page.waitForSelector("tw-page");
        const paint = await until(
          page,
          () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
        );
        console.log(`first contentful paint after ${Math.round(Number(paint))} ms`);
        await page.waitForLoadState("networkidle"); // what is loaded ahead is there
        await page.reload();
        await page.waitForSelector("tw-page");
        const sizes = await page.evaluate(() =>
          (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
            .filter(({ name }) => /\/p-[0-9a-f]{16}\//.test(name)).map(({ transferSize }) => transferSize)
        );
        assert(sizes.length > 0 && sizes.every((size) => size === 0), String(sizes));
        assertMatch(page.url(), /^http:\/\/127\.0\.0\.1:\d+\//);
      },
    );
  });
});
