/**
 * `tilewise view` while a test uses it.
 *
 * @module
 */

import { renewedPage } from "../../../web/build.ts";
import { cli } from "../../cli/harness.ts";

/** Runs `tilewise view` with these words while `body` uses its link. */
export async function viewing(
  words: readonly string[],
  body: (link: string) => Promise<void>,
): Promise<void> {
  await renewedPage();
  const ending = new AbortController();
  const link = Promise.withResolvers<string>();
  const running = cli(["view", "--quiet", ...words], {
    signal: ending.signal,
    onOut: (text) => link.resolve(text.trim()),
    onErr: (text) => link.reject(new Error(text)),
  });
  try {
    await body(await link.promise);
  } finally {
    ending.abort();
    await running;
  }
}
