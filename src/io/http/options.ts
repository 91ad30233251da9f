/**
 * The options of HTTP sources. They are checked before anything else of HTTP is loaded.
 *
 * @module
 */

import type { OptionNames } from "../../options.ts";
import { callable, each, inner, positive, text } from "../../options/rules.ts";
import { bytes } from "../../space/rules.ts";
import { RETRY_OPTIONS, type RetryOptions } from "../source/retry_options.ts";
import type { HttpTimeouts } from "../source/watch.ts";
import type { Fetch } from "./exchange.ts";

/**
 * Options of HTTP sources.
 * @category Data sets
 */
export interface HttpOptions extends HttpTimeouts {
  /** Headers to send along, such as `authorization`; they are not sent to other origins. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Used instead of the global `fetch`; workers use their own. */
  readonly fetch?: Fetch;
  /** How often to try again after temporary failures. */
  readonly retry?: RetryOptions;
  /** Whether a URL may be requested; called for redirects too. Default: all. */
  readonly allow?: (url: URL) => boolean;
  /** Most bytes of a file to read whole if its server cannot send parts; also as text such as `1GiB`. Default 64 MiB. */
  readonly wholeLimit?: number | string;
}

/** Their names. */
// deno-fmt-ignore: written by `deno task build`
export const HTTP_OPTIONS: OptionNames<HttpOptions> = {
  timeout: positive, stallTimeout: positive,
  headers: each("an object of texts by the names of headers", text), fetch: callable,
  retry: inner(RETRY_OPTIONS), allow: callable, wholeLimit: bytes,
};
