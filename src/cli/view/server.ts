/**
 * The server of the page, over `node:http`, which Deno, Node and Bun have.
 *
 * @module
 */

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { TilewiseError } from "../../errors.ts";
import { codeOf } from "../../io/file/error.ts";
import { deniedError, isDenied, mayDo } from "../../io/source/permission.ts";
import { inUrl, type ServerAddress } from "./guard.ts";
import { type Answer, answer, say, type Site } from "./routes.ts";

/** Milliseconds that a browser has for the headers of a request, and for keeping an idle connection. */
const HEADERS = 10_000, IDLE = 30_000;

/** A server that listens. */
interface ViewServer extends AsyncDisposable {
  /** Where. */
  readonly place: ServerAddress;
  /** Begins to answer. */
  serve(site: Site, headers: Readonly<Record<string, string>>): void;
}

/** Listens at an address and port, 0 for any free one. Errors: `io` if the port is in use, `permission`, `invalid`. */
export async function listenAt(address: string, port: number): Promise<ViewServer> {
  let respond: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const server = createServer((request, response) => respond?.(request, response));
  server.headersTimeout = HEADERS;
  server.keepAliveTimeout = IDLE;
  await listening(server, address, port);
  const bound = server.address() as AddressInfo;
  return {
    place: { address: bound.address, name: address, port: bound.port },
    serve: (site, headers) => {
      respond = (request, response) => void respondTo(request, response, site, headers);
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listening(server: Server, address: string, port: number): Promise<void> {
  try {
    askForPort(address, port);
    const started = once(server, "listening");
    server.listen({ host: address, port, exclusive: true });
    await started;
  } catch (error) {
    throw listenError(error, address, port);
  }
}

/** Throws what Deno throws without the permission: in a server, it would throw where nobody can catch it. */
function askForPort(address: string, port: number): void {
  const place = port === 0 ? inUrl(address) : `${inUrl(address)}:${port}`;
  if (mayDo({ name: "net", host: place })) return;
  throw new Error(`Requires net access to "${place}", run again with the --allow-net flag`);
}

function listenError(error: unknown, address: string, port: number): TilewiseError {
  const problem = `Cannot listen at ${inUrl(address)}:${port}`;
  const details = { found: codeOf(error) || "error" };
  if (isDenied(error)) return deniedError(problem, error, details);
  switch (codeOf(error)) {
    case "EADDRINUSE": {
      const text =
        `${problem}: another program uses this port; give another with --port, or none for any free one`;
      return new TilewiseError("io", text, details, { cause: error });
    }
    case "EACCES":
    case "EPERM": {
      const text = `${problem}: the system does not permit it; ports from 1024 on are for everyone`;
      return new TilewiseError("permission", text, details, { cause: error });
    }
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN": {
      const text = `${problem}: it is not an address of this machine`;
      return new TilewiseError("invalid", text, details, { cause: error });
    }
    default:
      return new TilewiseError("io", `${problem}: ${(error as Error).message}`, details, { cause: error });
  }
}

async function respondTo(
  request: IncomingMessage,
  response: ServerResponse,
  site: Site,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const { method = "GET", url: target = "/" } = request;
  const asked = { method, target, headers: request.headers, signal: gone.signal };
  const answered = await answer(asked, site).catch(failure);
  try {
    response.writeHead(answered.status, { ...headers, ...answered.headers });
    await send(answered, response, method === "HEAD", gone.signal);
  } catch {
    response.destroy(); // the reader sees that bytes are missing
  } finally {
    await answered.close?.();
  }
}

/** What failed is said without details, which may be paths. */
function failure(error: unknown): Answer {
  const code = error instanceof TilewiseError ? error.code : "internal error";
  return say(code === "not-found" ? 404 : code === "permission" ? 403 : 502, `Cannot read this: ${code}`);
}

async function send(
  { body = [] }: Answer,
  response: ServerResponse,
  isHead: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (!isHead) {
    for await (const piece of body) {
      if (response.write(piece)) continue;
      await once(response, "drain", { signal });
    }
  }
  response.end();
}
