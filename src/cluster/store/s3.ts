/**
 * A part store in an object store that speaks S3.
 *
 * A commit is one `PUT` with `If-None-Match: *`: the server writes it whole or not at all, and refuses (412) a name that is
 * taken. If an answer is lost, the request is sent again, and then finds its own bytes there.
 *
 * ```
 * s3://bucket/run7                                        AWS; region and keys from AWS_… variables
 * s3://bucket/run7?endpoint=http://host:9000&region=x     other servers, such as MinIO, Ceph, Garage
 * ```
 *
 * @module
 */

import { type ErrorCode, TilewiseError } from "../../errors.ts";
import { sha256, sha256Of } from "../../io/hash.ts";
import { deniedError, isDenied } from "../../io/source/permission.ts";
import { loadPackage } from "../../packages.ts";
import { reasonOf } from "../../reason.ts";
import { checkName, notEqual } from "./node.ts";
import type { Committed, PartStore } from "./store.ts";

/** Gives environment variables. */
type Environment = (name: string) => string | undefined;

/** What is used of `aws4fetch`, which signs requests. */
interface Signing {
  readonly AwsClient: new (keys: Keys) => { sign(url: string, init: Signed): Promise<Request> };
}

/** A request that is to be signed, as of `datetime`: 20261123T170000Z. */
type Signed = RequestInit & { readonly aws: { readonly datetime: string } };

/** The keys of a user. */
interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly service: "s3";
  readonly region: string;
}

/** Milliseconds before each of the next attempts. */
const PAUSES = [200, 800, 3200];

/** Milliseconds until an answer must have come. */
const PATIENCE = 120_000;

/** The store that `url` names. Errors: `invalid`, `permission` without keys, `unsupported` if requests cannot be signed. */
export async function s3Store(url: string, env: Environment = environment): Promise<PartStore> {
  const [, bucket, path = "", query = ""] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})((?:\/[^?#]*)?)(\?.*)?$/.exec(url) ?? [];
  if (bucket === undefined) {
    const text = `"${url}" is not a store; write s3://BUCKET/NAME`;
    throw new TilewiseError("invalid", text, { option: "store", found: url });
  }
  const options = new URLSearchParams(query);
  const region = options.get("region") ?? env("AWS_REGION") ?? env("AWS_DEFAULT_REGION") ?? "us-east-1";
  const endpoint = options.get("endpoint") ?? env("AWS_ENDPOINT_URL_S3") ?? env("AWS_ENDPOINT_URL");
  const base = endpoint === undefined || endpoint === null
    ? `https://${bucket}.s3.${region}.amazonaws.com`
    : `${endpoint.replace(/\/$/, "")}/${bucket}`;
  const { AwsClient } = await loadPackage<Signing>("aws4fetch", `Cannot use the store ${url}`);
  const client = new AwsClient({ ...keysFrom(url, env), service: "s3", region });
  const prefix = path.replace(/^\/+|\/+$/g, "");
  return new S3Store(
    `s3://${bucket}${prefix && `/${prefix}`}`,
    base,
    prefix && `${prefix}/`,
    (where, init) => client.sign(where, init),
  );
}

function keysFrom(
  url: string,
  env: Environment,
): Pick<Keys, "accessKeyId" | "secretAccessKey" | "sessionToken"> {
  const [accessKeyId, secretAccessKey] = [env("AWS_ACCESS_KEY_ID"), env("AWS_SECRET_ACCESS_KEY")];
  const sessionToken = env("AWS_SESSION_TOKEN");
  if (accessKeyId && secretAccessKey) {
    return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
  }
  const text =
    `Cannot use the store ${url}: there are no keys; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`;
  throw new TilewiseError("permission", text, { file: url });
}

function environment(name: string): string | undefined {
  const { process } = globalThis as {
    process?: { readonly env: Readonly<Record<string, string | undefined>> };
  };
  try {
    return process?.env[name];
  } catch (error) {
    if (isDenied(error)) throw deniedError(`Cannot read the variable ${name}`, error);
    throw error;
  }
}

class S3Store implements PartStore {
  constructor(
    readonly url: string,
    private readonly base: string,
    private readonly prefix: string,
    private readonly sign: (url: string, init: Signed) => Promise<Request>,
  ) {}

  /** Milliseconds by which the clock of the server is ahead, where it has said so. */
  #ahead = 0;

  async has(name: string): Promise<boolean> {
    return (await this.#ask("HEAD", name, [200, 404])).status === 200;
  }

  async get(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const answer = await this.#ask("GET", name, [200, 404]);
    return answer.status === 200 ? answer.bytes : undefined;
  }

  async commit(name: string, pieces: readonly Uint8Array[]): Promise<Committed> {
    const digest = await sha256Of(pieces);
    const body = new Uint8Array(await new Blob(pieces.map((piece) => piece.slice())).arrayBuffer());
    const headers = { "If-None-Match": "*", "X-Amz-Content-Sha256": digest };
    const { status } = await this.#ask("PUT", name, [200, 201, 204, 412], { body, headers });
    if (status !== 412) return "new";
    const there = await this.get(name);
    const found = there ? await sha256(there) : "nothing";
    if (found !== digest) throw notEqual(this.url, name, digest, found);
    return "same";
  }

  async list(prefix: string): Promise<string[]> {
    const found: string[] = [];
    let next: string | undefined;
    do {
      const query = new URLSearchParams({ "list-type": "2", prefix: this.prefix + prefix });
      if (next !== undefined) query.set("continuation-token", next);
      const { bytes } = await this.#send("GET", `${this.base}?${query}`, [200], {});
      const text = new TextDecoder().decode(bytes);
      found.push(...textsIn(text, "Key").map((key) => key.slice(this.prefix.length)));
      [next] = textsIn(text, "NextContinuationToken");
    } while (next !== undefined);
    return found;
  }

  #ask(method: string, name: string, good: readonly number[], init: RequestInit = {}): Promise<Answer> {
    checkName(name);
    return this.#send(method, `${this.base}/${encodeURI(this.prefix + name)}`, good, init);
  }

  /** The answer, if its status is one of `good`. What may go away is tried again. */
  async #send(method: string, url: string, good: readonly number[], init: RequestInit): Promise<Answer> {
    for (let attempt = 0;; attempt++) {
      const found = await this.#once(method, url, init);
      if ("status" in found && good.includes(found.status)) return found;
      const pause = PAUSES[attempt];
      if (pause === undefined || !isPassing(found)) throw failure(this.url, method, found);
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
    }
  }

  /** Takes the time of a server that refuses ours; `false` if that is not what it says. */
  #follow(headers: Headers, bytes: Uint8Array): boolean {
    const [code] = textsIn(new TextDecoder().decode(bytes), "Code");
    const date = Date.parse(headers.get("date") ?? "");
    if (code !== "RequestTimeTooSkewed" || Number.isNaN(date)) return false;
    this.#ahead = date - Date.now();
    return true;
  }

  async #once(method: string, url: string, init: RequestInit): Promise<Answer | { readonly error: unknown }> {
    const datetime = new Date(Date.now() + this.#ahead).toISOString().replace(/[:-]|\.\d{3}/g, "");
    const request = await this.sign(url, { ...init, method, aws: { datetime } });
    try {
      const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const isSkewed = answer.status === 403 && this.#follow(answer.headers, bytes);
      return { status: answer.status, bytes, isSkewed };
    } catch (error) {
      if (isDenied(error)) throw deniedError(`Cannot use the store ${this.url}`, error, { file: this.url });
      return { error };
    }
  }
}

/** What a server said. */
interface Answer {
  readonly status: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether it refused the date of the request, and said its own. */
  readonly isSkewed: boolean;
}

/** Whether the same request may have another answer a little later: 409 is a conditional request beside another. */
function isPassing(found: Answer | { readonly error: unknown }): boolean {
  return !("status" in found) || found.isSkewed || found.status >= 500 ||
    [408, 409, 429].includes(found.status);
}

function failure(url: string, method: string, found: Answer | { readonly error: unknown }): TilewiseError {
  if (!("status" in found)) {
    const text = `Cannot use the store ${url}: ${reasonOf(found.error)}`;
    return new TilewiseError("io", text, { file: url }, { cause: found.error });
  }
  const { status, bytes } = found;
  const said = new TextDecoder().decode(bytes);
  const [reason = `status ${status}`] = [...textsIn(said, "Message"), ...textsIn(said, "Code")];
  const code: ErrorCode = status === 401 || status === 403
    ? "permission"
    : status === 404
    ? "not-found"
    : "io";
  const text = `Cannot use the store ${url}: the server refuses ${method} (${status}): ${reason}`;
  return new TilewiseError(code, text, { file: url, found: status });
}

/** The texts of the elements `name` of an XML answer. */
function textsIn(xml: string, name: string): string[] {
  const found = xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"));
  return [...found].map(([, text = ""]) =>
    text.replace(/&(amp|lt|gt|quot|apos|#39);/g, (_, entity) => ENTITIES[entity] ?? "")
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
};
