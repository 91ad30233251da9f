/**
 * A watch on one HTTP exchange: it ends the exchange when the caller cancels, or when it takes too long.
 *
 * @module
 */

/** How long an exchange may take. */
export interface Patience {
  /**
   * Milliseconds for a whole answer, to which a second is added for every 64 KiB that was asked for. Default 30 000.
   */
  readonly timeout?: number;
  /** Milliseconds without headers, or with less than 1 KiB a second of body, until we give up. Default 10 000. */
  readonly stall?: number;
}

const SLOWEST_WHOLE = 64 * 1024; // bytes a second, over a whole answer
const SLOWEST_WINDOW = 1024; // bytes a second, over the time of one `stall`

/** Ends an exchange through {@link Watch.signal}; `late` says why when it was too slow. */
export class Watch implements Disposable {
  readonly #controller = new AbortController();
  readonly #stop = () => this.#controller.abort(this.caller?.reason);
  readonly #whole: ReturnType<typeof setTimeout>;
  readonly #stall: number;
  #window: ReturnType<typeof setInterval>;
  #seen = 0;
  #atWindow = 0;
  /** Why the exchange was ended, when the watch ended it. */
  late: string | undefined;

  /** Starts watching an exchange that should bring `length` bytes. */
  constructor(
    length: number,
    { timeout = 30_000, stall = 10_000 }: Patience,
    private readonly caller: AbortSignal | undefined,
  ) {
    const whole = timeout + length / SLOWEST_WHOLE * 1000;
    this.#stall = stall;
    this.#whole = setTimeout(() => this.#end(`took more than ${seconds(whole)}`), whole);
    this.#window = setInterval(() => this.#end(`sent no answer within ${seconds(stall)}`), stall);
    caller?.addEventListener("abort", this.#stop, { once: true });
    if (caller?.aborted) this.#stop();
  }

  /** Give this to `fetch`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The headers are here: from now on the body must keep coming. */
  headersArrived(): void {
    clearInterval(this.#window);
    this.#window = setInterval(() => this.#checkRate(), this.#stall);
  }

  /** `bytes` more of the body have come. */
  progress(bytes: number): void {
    this.#seen += bytes;
  }

  /** Stops the clocks and whatever is still on its way. */
  [Symbol.dispose](): void {
    clearTimeout(this.#whole);
    clearInterval(this.#window);
    this.caller?.removeEventListener("abort", this.#stop);
    this.#controller.abort();
  }

  #checkRate(): void {
    const bytes = this.#seen - this.#atWindow;
    this.#atWindow = this.#seen;
    if (bytes >= SLOWEST_WINDOW * this.#stall / 1000) return;
    this.#end(`sent ${bytes} bytes in ${seconds(this.#stall)}`);
  }

  #end(why: string): void {
    this.late ??= why;
    this.#controller.abort();
  }
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 10) / 100} s`;
}
