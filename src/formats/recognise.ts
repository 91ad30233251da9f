/**
 * Recognises the format of a source: every format is asked, and gives its reason for or against.
 *
 * @module
 */

import type { Detection } from "../dataset/facts.ts";
import { isTilewiseError, TilewiseError } from "../errors.ts";
import type { Format, Match } from "./common/format.ts";
import { extensionOf } from "../io/file/names.ts";
import type { Input } from "./common/input.ts";
import type { OpenOptions } from "./common/options.ts";
import { knownFile } from "./known_files.ts";
import { FORMATS } from "./registry.ts";

/**
 * The format of a source, and why it is that. Errors: `unknown-format`, with the reasons of all formats; or the error for a
 * known kind of file.
 */
export async function recognise(input: Input, options: OpenOptions): Promise<Detection> {
  const answers: [Format, Match][] = [];
  for (const format of FORMATS) answers.push([format, await ask(format, input, options)]);
  const winner = answers.find(([, { claim }]) => claim === "yes");
  if (!winner || isTakenForRaw(winner[0], options)) {
    const hint = winner ? '; to read its bytes as raw frames all the same, say format "raw"' : "";
    const known = await knownFile(input, input.source.name, hint);
    if (known) throw known;
  }
  if (!winner) throw unknown(input, answers);
  const [format, { why }] = winner;
  const misses = answers.filter(([other, match]) => other !== format && isNear(other, match, input.name));
  return {
    format: format.id,
    why: [why, ...misses.map(([other, match]) => `not ${other.id}: ${match.why}`)],
  };
}

async function ask(format: Format, input: Input, options: OpenOptions): Promise<Match> {
  try {
    return await format.detect(input, options);
  } catch (error) {
    if (!isTilewiseError(error) || error.code === "aborted") throw error;
    return { claim: "no", why: error.message };
  }
}

/** Whether a source counts as raw only because nothing else fits: no option says that its first bytes are a header. */
function isTakenForRaw({ id }: Format, { headerBytes = 0 }: OpenOptions): boolean {
  return id === "raw" && headerBytes === 0;
}

/** Whether a user may expect this format. */
function isNear({ extensions, id }: Format, { claim }: Match, name: string): boolean {
  return claim === "yes" || (claim === "needs options" && id !== "raw") ||
    (claim === "no" && extensions.includes(extensionOf(name)));
}

function unknown({ source, size, head }: Input, answers: readonly [Format, Match][]): TilewiseError {
  if (size === 0) {
    const text = `Cannot open ${source.name}: it is empty (0 bytes)`;
    return new TilewiseError("unknown-format", text, { file: source.name, found: 0 });
  }
  const begins = [...head.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const said = answers.map(([{ id }, { why }]) => `${id}: ${why}`).join("; ");
  const text = `Cannot tell what ${source.name} is (${size} bytes, begins with ${begins}). ` +
    `${said}. To read it as raw frames say what they are, as in { dtype: "uint16", sig: [256, 256] }`;
  const reasons = Object.fromEntries(answers.map(([{ id }, { why }]) => [id, why]));
  return new TilewiseError("unknown-format", text, { file: source.name, found: begins, reasons });
}
