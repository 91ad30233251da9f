/** The command `tilewise view` while it runs. */

import { renewedPage } from "../../../web/build.ts";
import { cli } from "../harness.ts";

export const ROOT: string = decodeURIComponent(new URL("../../../", import.meta.url).pathname);

/** Runs `tilewise view` until its link is there, and lets `body` use it. */
export async function viewing(
  words: readonly string[],
  body: (link: string, err: () => string) => Promise<void>,
) {
  await renewedPage();
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
