/** What strangers on the same machine try on the command itself: each probe has its answer, and none gets what is not shown. */

import { assert, assertEquals } from "@std/assert";
import { withoutToken } from "../../../web/served/served.ts";
import { withFolder, writeNpy } from "../harness.ts";
import { raw } from "./site.ts";
import { viewing } from "./viewing.ts";

const DATA = "/data/0/a.npy";

/** What a probe knows of the server. */
interface Known {
  readonly port: number;
  readonly token: string;
  readonly cookie: string;
}

/** A request line, headers beside an own `host` (`undefined`: leave one out), and the statuses that hold. */
type Probe = readonly [line: string, headers: Record<string, string>, statuses: readonly number[]];

function probes({ port, token, cookie }: Known): readonly Probe[] {
  const own = { authorization: `Bearer ${token}` };
  const here = `127.0.0.1:${port}`;
  return [
    // without a token, or with another one
    [`GET ${DATA}`, {}, [401]],
    [`GET ${DATA}?token=${token}`, {}, [401]],
    [`GET ${DATA}#token=${token}`, {}, [400, 401, 404]],
    [`GET ${DATA}`, { authorization: `Basic ${btoa(`x:${token}`)}` }, [401, 403]],
    [`GET ${DATA}`, { authorization: `Bearer ${token.slice(1)}` }, [403]],
    [`GET ${DATA}`, { authorization: `Bearer ${token}x` }, [403]],
    [`GET ${DATA}`, { authorization: `Digest ${token.toLowerCase()}` }, [401, 403]],
    [`GET ${DATA}`, { "x-authorization": `Bearer ${token}`, "x-token": token }, [401]],
    [`GET ${DATA}`, { cookie: `tilewise=${token}` }, [401, 403]],
    [`GET ${DATA}`, { cookie: cookie.replace(`-${port}=`, `-${port + 1}=`) }, [401, 403]],
    // by another name, or from another page
    [`GET ${DATA}`, { ...own, host: "rebound.example" }, [421]],
    [`GET ${DATA}`, { ...own, host: `127.0.0.1.nip.example:${port}` }, [421]],
    [`GET ${DATA}`, { ...own, host: "rebound.example", "x-forwarded-host": here }, [421]],
    [`GET ${DATA}`, { ...own, host: "rebound.example", forwarded: `host=${here}` }, [421]],
    [`GET http://rebound.example${DATA}`, own, [400, 421]],
    [`GET ${DATA}`, { cookie, origin: "http://evil.example" }, [403]],
    [`GET ${DATA}`, { cookie, origin: `http://localhost.evil.example:${port}` }, [403]],
    [`GET ${DATA}`, { cookie, origin: "file://" }, [403]],
    [`GET ${DATA}`, { cookie, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }, [403]],
    [
      `OPTIONS ${DATA}`,
      { origin: "http://evil.example", "access-control-request-method": "GET" },
      [405, 403, 401],
    ],
    // methods
    [`POST ${DATA}`, { ...own, "x-http-method-override": "GET" }, [405]],
    [`PUT ${DATA}`, { ...own, "content-length": "0" }, [405]],
    [`DELETE ${DATA}`, own, [405]],
    [`TRACE ${DATA}`, own, [405, 400]],
    [`PROPFIND /data/`, own, [405, 400]],
    [`GET ${DATA}`, { ...own, upgrade: "websocket", connection: "upgrade" }, [200, 400, 426]],
    // paths
    ["GET /data/0/../../secret.txt", own, [404, 400]],
    ["GET /data/0/%2e%2e/secret.txt", own, [404, 400]],
    ["GET /data/0/secret.txt", own, [404]],
    ["GET /data/0/out.npy", own, [404]],
    ["GET /data/0/", own, [404]],
    ["GET /etc/passwd", own, [404]],
    ["GET /data/list/0", {}, [401]],
    ["GET /data/list/0", own, [404]], // it is no folder
    ["GET /data/list/0/../..", own, [404]],
    ["GET /data/list/%2e%2e", own, [404]],
    // ranges
    [`GET ${DATA}`, { ...own, range: `bytes=${"0-0,".repeat(5000)}0-0` }, [200, 416, 431, 400]],
    [`GET ${DATA}`, { ...own, range: "bytes=-0" }, [416]],
    [`GET ${DATA}`, { ...own, range: `bytes=0-${"9".repeat(400)}` }, [206, 200, 416]],
    [`GET ${DATA}`, { ...own, range: "bytes=99999999999-" }, [416]],
  ];
}

Deno.test("every probe has its answer, no answer has what is not shown, and the server goes on", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/a.npy`, "|u1", [4, 4], new Uint8Array(16));
    await Deno.writeTextFile(`${folder}/secret.txt`, "the secret");
    await Deno.symlink(`${folder}/secret.txt`, `${folder}/out.npy`);
    await viewing([`${folder}/a.npy`], async (link) => {
      const { hash, port: text } = new URL(link);
      const [port, token] = [Number(text), withoutToken(hash).token!];
      const host = `127.0.0.1:${port}`, headers = { host, authorization: `Bearer ${token}` };
      const good = async () => await raw(port, `GET ${DATA}`, headers);
      const first = await good();
      const cookie = first.headers.get("set-cookie")!.split(";")[0]!;
      const all = probes({ port, token, cookie });
      assert(all.length >= 35);
      for (const [line, own, statuses] of all) {
        const reply = await raw(port, line, { host, ...own }).catch(() => undefined); // closed: no answer is one, too
        if (!reply || Number.isNaN(reply.status)) continue;
        const told = `${line.slice(0, 80)} ${JSON.stringify(own).slice(0, 120)}: ${reply.status}`;
        assert(statuses.includes(reply.status), told);
        assert(!/the secret|root:/.test(reply.text), told);
        assert(!reply.text.includes(token) && !reply.text.includes(folder), told);
        assertEquals(reply.headers.get("access-control-allow-origin"), null, told);
        if (reply.status >= 400) assert(reply.bytes.length < 1000, told);
      }
      assertEquals((await good()).bytes, first.bytes);
    });
  });
});
