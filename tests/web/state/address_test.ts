/** The address of the page: what goes into it comes out of it, and nothing in it does harm. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { fromAddress, isForeign, toAddress } from "../../../web/state/address.ts";
import { type Display, type PageState, PANELS, type Region, START } from "../../../web/state/state.ts";

/** Plain objects, as the page has them. */
function record<T, K extends keyof T = keyof T>(
  model: { [P in keyof T]: fc.Arbitrary<T[P]> },
  constraints: { requiredKeys?: K[] } = {},
) {
  return fc.record<T, K>(model, { ...constraints, noNullPrototype: true } as fc.RecordConstraints<K>);
}

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,12}$/).filter((text) => text !== "constructor");
const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,12}$/);
const number = fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map((value) => value + 0);
const size = fc.double({ noNaN: true, min: 0, max: 1e6 }).map((value) => value + 0);
const text = fc.string({ unit: "grapheme", maxLength: 40 });
const values = fc.dictionary(name, text, { maxKeys: 5 }).map((values) => ({ ...values }));
const pair = fc.tuple(number, number).filter(([a, b]) => a !== b).map(([a, b]): [number, number] =>
  a < b ? [a, b] : [b, a]
);
const percentile = fc.tuple(fc.integer({ min: 0, max: 49 }), fc.integer({ min: 50, max: 100 }));
const share = fc.double({ noNaN: true, min: 0, max: 1 }).map((value) => value + 0);
const place = fc.tuple(fc.nat(1e6), fc.nat(1e6));
const fileName = fc.stringMatching(/^[^\p{C}]{1,40}$/u);

const region: fc.Arbitrary<Region> = fc.oneof(
  record({ kind: fc.constant("point" as const), y: number, x: number }),
  record({ kind: fc.constant("disk" as const), cy: number, cx: number, r: size }),
  record({ kind: fc.constant("ring" as const), cy: number, cx: number, ri: size, ro: size }),
  record({ kind: fc.constant("rectangle" as const), y: number, x: number, height: size, width: size }),
);

const display: fc.Arbitrary<Display> = record({
  colormap: word,
  scale: fc.constantFrom("linear" as const, "log" as const),
  gamma: fc.double({ noNaN: true, min: 0.05, max: 20 }),
  range: pair,
  percentile,
}, { requiredKeys: ["colormap", "scale", "gamma", "percentile"] });

const source = fc.oneof(
  record({ kind: fc.constant("sample" as const), name: word }),
  record({
    kind: fc.constant("url" as const),
    url: fc.webUrl({ withQueryParameters: true, withFragments: true }),
  }),
  record({
    kind: fc.constant("files" as const),
    names: fc.array(fileName, { minLength: 1, maxLength: 5 }),
  }),
);

const channel = record({ shown: fc.boolean(), colour: fc.stringMatching(/^[0-9a-f]{6}$/), range: pair }, {
  requiredKeys: ["shown", "colour"],
});
const channels = fc.oneof(fc.constant("one" as const), fc.array(channel, { minLength: 1, maxLength: 9 }));

const part = record({ y: number, x: number, zoom: fc.double({ noNaN: true, min: 1e-3, max: 1e3 }) });
/** How an image of Explore is looked at. */
const view = fc.oneof(
  part.map((view) => ({ view })),
  fc.tuple(fc.tuple(number, number), fc.tuple(number, number)).map((line) => ({ line })),
  fc.tuple(part, number).map(([view, at]) => ({ view, line: [[at, 1], [at, 2]] })),
);

const state = record({
  stack: fc.dictionary(name, fc.integer({ min: 1, max: 1e6 }), { maxKeys: 3 }).map((stack) => ({ ...stack })),
  channels,
  overlay: record({
    name: fc.stringMatching(/^[A-Za-z0-9/ .&=+%-]{1,20}$/),
    opacity: share,
    outline: fc.boolean(),
  }),
  order: fc.uniqueArray(fc.nat(99), { minLength: 1, maxLength: 9 }),
  source,
  open: values,
  panel: fc.constantFrom(...PANELS),
  analysis: record({ name: word, values }),
  result: record({ name: word, channel: fc.nat(100) }, { requiredKeys: ["name"] }),
  position: place,
  roi: region,
  scan: display,
  frame: display,
  views: record({ scan: view, frame: view }, { requiredKeys: [] }),
  instead: word,
  look: part,
  filters: fc.array(text.filter((filter) => filter !== ""), { maxLength: 3 }),
  objects: record({
    threshold: fc.oneof(fc.constant("otsu" as const), number),
    channel: fc.nat(99),
    chosen: fc.integer({ min: 1, max: 1e6 }),
  }, { requiredKeys: ["threshold"] }),
  folder: fc.stringMatching(/^[0-9]{1,9}(\/[A-Za-z0-9 %&=+ä-]{1,9}){0,3}$/),
  second: record({
    name: fc.stringMatching(/^[A-Za-z0-9/ .&=+%-]{1,20}$/),
    wipe: share,
    of: fc.oneof(
      record({ kind: fc.constant("file" as const), path: fileName }),
      record({ kind: fc.constant("url" as const), url: fc.webUrl() }),
    ),
    channels,
    order: fc.uniqueArray(fc.nat(99), { minLength: 1, maxLength: 9 }),
    scan: display,
  }, { requiredKeys: ["name"] }).chain((second) =>
    fc.option(fc.tuple(share, share, fc.double({ noNaN: true, min: 24, max: 400 }))).map((lens) =>
      lens && second.wipe === undefined ? { ...second, lens } : second
    )
  ),
}, { requiredKeys: ["stack", "open", "panel", "analysis", "scan", "frame", "views", "filters"] });

Deno.test("a state goes through the address as it is", () => {
  fc.assert(fc.property(state, (state) => {
    const address = toAddress(state as PageState);
    assert(/^[\x21-\x7e]*$/.test(address), address);
    assertEquals(fromAddress(`#${address}`), { state: state as PageState, problems: [] });
  }));
});

Deno.test("the address at the start is short, and nothing is the start", () => {
  assertEquals(toAddress(START), "v=1&run=disk_detector");
  assertEquals(fromAddress("").state, START);
  assertEquals(fromAddress("#v=1").state, START);
});

Deno.test("an address can be read and written by people", () => {
  const { state, problems } = fromAddress(
    "#v=1&url=data/my+scan.mib&open.nav=64x64&run=ring&run.ri=20&at=3,5&scan.map=magma",
  );
  assertEquals(problems, []);
  assertEquals(state, {
    ...START,
    source: { kind: "url", url: "data/my scan.mib" },
    open: { nav: "64x64" },
    analysis: { name: "annular_detector", values: { ri: "20" } },
    position: [3, 5],
    scan: { ...START.scan, colormap: "magma" },
  });
  assertEquals(
    toAddress(state),
    "v=1&url=data/my+scan.mib&open.nav=64x64&run=annular_detector&run.ri=20&at=3,5&scan.map=magma",
  );
});

/** Addresses that want more than they may, and what is left of them. */
const HOSTILE: Readonly<Record<string, string>> = {
  "url=javascript:alert(1)": "url",
  "url=data:text/html,<script>": "url",
  "url=file:///etc/passwd": "url",
  "url=https://user:secret@host/scan.mib": "url",
  "url=blob:https://host/1": "url",
  "run=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E": "run",
  "run.__proto__=1": "run.__proto__",
  "run.constructor=1": "run.constructor",
  "open.__proto__.polluted=1": "open.__proto__.polluted",
  "roi=disk&roi.cy=1&roi.cx=2&roi.r=Infinity": "roi.r",
  "roi=disk&roi.cy=1&roi.cx=2": "roi",
  "roi=circle": "roi",
  "at=-1,2": "at",
  "at=1,2,3": "at",
  "at=0x10,1": "at",
  "at=1e400,1": "at",
  "view=1,2,0": "view",
  "scan.gamma=0": "scan.gamma",
  "scan.range=5,1": "scan.range",
  "scan.scale=cube": "scan.scale",
  "objects=most": "objects",
  "objects.chosen=0": "objects.chosen",
  "second.wipe=2": "second.wipe",
  "second.lens=0.5,2,80": "second.lens",
  "second.lens=0.5,0.5,0": "second.lens",
  "folder=../0": "folder",
  "folder=0/../1": "folder",
  "folder=0//a": "folder",
  "panel=admin": "panel",
  "sample=../../secret": "sample",
  "file=%E2%80%AEgnp.exe": "file",
};

Deno.test("values that cannot be right are left out and named", () => {
  for (const [text, key] of Object.entries(HOSTILE)) {
    const { state, problems } = fromAddress(`#v=1&${text}`);
    assertEquals(state, START, text);
    assert(problems.some((problem) => problem.includes(`“${key}”`)), `${text}: ${problems}`);
  }
  assertEquals(({} as Record<string, unknown>).polluted, undefined);
});

Deno.test("any text is read without an error, as a state that can be written again", () => {
  const keys = [
    "v",
    "url",
    "run",
    "run.cy",
    "roi",
    "roi.r",
    "at",
    "scan.range",
    "file",
    "filter",
    "open.nav",
  ];
  const part = fc.tuple(fc.oneof(fc.constantFrom(...keys), text), text).map(([key, value]) =>
    `${key}=${value}`
  );
  const hostile = fc.oneof(text, fc.array(part, { maxLength: 8 }).map((parts) => `v=1&${parts.join("&")}`));
  fc.assert(fc.property(hostile, (text) => {
    const { state } = fromAddress(text);
    assertEquals(fromAddress(toAddress(state)).state, state);
  }));
});

Deno.test("long, old and newer addresses are not read, and say so", () => {
  assertEquals(fromAddress(`#v=1&run=${"a".repeat(40_000)}`).problems.length, 1);
  assert(fromAddress("#v=2&run=com").problems[0]!.includes("version 2"));
  assertEquals(fromAddress("#section").state, START);
});

Deno.test("other servers are foreign, paths beside the page are not", () => {
  const page = "http://127.0.0.1:8000/view/";
  assertEquals(["data/a.mib", "/a.mib", "http://127.0.0.1:8000/a"].map((url) => isForeign(url, page)), [
    false,
    false,
    false,
  ]);
  assertEquals(
    ["https://127.0.0.1:8000/a", "//evil.test/a", "http://127.0.0.1:8001/a"].map((url) =>
      isForeign(url, page)
    ),
    [
      true,
      true,
      true,
    ],
  );
});
