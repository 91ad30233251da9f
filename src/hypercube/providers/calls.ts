/**
 * Calls of sources, sinks and handlers of users: with a deadline, and with errors that name what was called.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";
import { dtypeInfo, type TypedArray } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { sameShape, showShape, stridesOf } from "../../space/shape.ts";
import type { ProviderContext } from "./context.ts";

/** Milliseconds after which a call of a source, a sink or a handler counts as hung, unless the run says otherwise. */
export const CALL_TIMEOUT = 300_000;

/** Waits for `work`, but not longer than `limit` milliseconds; there is no limit any more when `signal` fires. */
export async function withDeadline<T>(
  work: T | Promise<T>,
  limit: number,
  late: () => TilewiseError,
  signal?: AbortSignal,
): Promise<T> {
  if (!(work instanceof Promise) || limit === Infinity) return await work;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), Math.min(limit, 2 ** 31 - 1));
  });
  const clear = () => clearTimeout(timer);
  if (signal?.aborted) clear();
  signal?.addEventListener("abort", clear, { once: true });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clear();
    signal?.removeEventListener("abort", clear);
  }
}

/** What messages say of an array and its tile. */
type CalledFor = Pick<ProviderContext, "name" | "tile" | "provider" | "shape" | "dtype" | "signal" | "help">;

/** Calls a source and checks the samples that it provides: they must match `target`. */
export async function bring<C extends CalledFor>(
  source: (context: C) => unknown,
  context: C,
  target: TypedArray,
  limit: number,
): Promise<TypedArray> {
  const brought = await calling("source", context, limit, () => source(context));
  const data = samplesOf(brought, context);
  if (data?.constructor !== target.constructor || data.length !== target.length) {
    const { name, tile, provider } = context;
    const text = `${mustBring(context)}; it brought ${describe(brought)}\n${context.help()}`;
    throw new TilewiseError("invalid", text, { array: name, tile, provider, found: describe(brought) });
  }
  return data;
}

/**
 * Runs a source or sink; if it throws, the error becomes the cause of an error that names array, tile and provider. Such
 * an error has the code `udf`, or that of an error of Tilewise.
 */
export async function calling<T>(
  kind: "source" | "sink",
  context: CalledFor,
  limit: number,
  call: () => T | Promise<T>,
): Promise<T> {
  const { name, tile, provider } = context;
  const details = { array: name, tile, provider };
  const late = () => {
    const text = `The ${kind} of ${name} has not resolved for tile ${tile} within ${limit / 1000} s ` +
      `(option callTimeout)\n${context.help()}`;
    return new TilewiseError("timeout", text, { ...details, option: "callTimeout", expected: limit });
  };
  const deadline = { error: undefined as TilewiseError | undefined };
  try {
    return await withDeadline(call(), limit, () => deadline.error = late(), context.signal);
  } catch (cause) {
    if (cause === deadline.error) throw cause;
    const own = isTilewiseError(cause) ? cause : undefined;
    const text = `The ${kind} of ${name} failed for tile ${tile}: ${reasonOf(cause)}\n${context.help()}`;
    throw new TilewiseError(own?.code ?? "udf", text, { ...own?.details, ...details }, { cause });
  }
}

/** What a source must bring, as the begin of a sentence. */
function mustBring({ name, shape, dtype, tile }: CalledFor): string {
  const pairs = dtypeInfo(dtype).kind === "c" ? " (pairs of re and im)" : "";
  return `The source of ${name} must bring ${showShape(shape)} samples of ${dtype}${pairs} for tile ${tile}`;
}

/** The samples of what a source has brought, if their shape and type are right. */
export function samplesOf(
  value: unknown,
  { shape, dtype }: Pick<CalledFor, "shape" | "dtype">,
): TypedArray | undefined {
  if (ArrayBuffer.isView(value)) return value as TypedArray;
  if (typeof value !== "object" || value === null) return undefined;
  const array = value as Partial<NDArray>;
  const dense = array.dtype === dtype && array.shape && array.stride && sameShape(array.shape, shape) &&
    sameShape(array.stride, stridesOf(shape));
  return dense ? array.data : undefined;
}

/** What a source has brought, in words. */
function describe(value: unknown): string {
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} of ${(value as TypedArray).length}`;
  if (typeof value !== "object" || value === null) return String(value);
  const { shape, stride, dtype } = value as Partial<NDArray>;
  return shape ? `an array of ${showShape(shape)} ${dtype}, stride ${stride?.join(", ")}` : "an object";
}
