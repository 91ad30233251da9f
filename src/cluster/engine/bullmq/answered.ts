/**
 * Calls to servers that may be away.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";

/** Milliseconds to wait for a connection, or for an answer. */
export const ANSWER = 10_000;

/** The answer to a call, or `timeout`: a call waits for as long as the server is away. Other errors are those of `errorOf`. */
export async function answered<T>(
  call: Promise<T>,
  shown: string,
  errorOf: (error: unknown) => TilewiseError,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const text = `The engine ${shown} has not answered for ${ANSWER / 1000} s. Is the server running?`;
    timer = setTimeout(() => reject(new TilewiseError("timeout", text, { engine: shown })), ANSWER);
  });
  try {
    return await Promise.race([call, late]);
  } catch (error) {
    throw error instanceof TilewiseError ? error : errorOf(error);
  } finally {
    clearTimeout(timer);
  }
}
