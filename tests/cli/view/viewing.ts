/** The command `tilewise view` while it runs. */

import { buildPage } from "../../../web/build.ts";
import { cli } from "../harness.ts";

export const ROOT: string = decodeURIComponent(new URL("../../../", import.meta.url).pathname);
const BUILT = new URL("../../../web/dist/page.json", import.meta.url);

/** The page is built once, where nobody has built it. */
export async function built(): Promise<void> {
  await Deno.stat(BUILT).catch(() => buildPage(`${ROOT}web/dist`, { compress: false }));
}

/** Runs `tilewise view` until its link is there, and lets `body` use it. */
export async function viewing(
  words: readonly string[],
  body: (link: string, err: () => string) => Promise<void>,
) {
  await built();
  const ending = new AbortController();
  const heard: string[] = [];
  let print = (_: string) => {};
  const link = new Promise<string>((resolve) => print = resolve);
  const running = cli(["view", ...words], {
    signal: ending.signal,
    onErr: (text) => heard.push(text),
    onOut: (text) => print(text.trim()),
  });
  await Promise.race([link, running]);
  try {
    if (heard.length > 0) await body(await link, () => heard.join(""));
  } finally {
    ending.abort();
  }
  return await running;
}
