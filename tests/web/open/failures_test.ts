/** Every failure that the page must survive has a message that says what to do. */

import { assert, assertEquals } from "@std/assert";
import { TilewiseError } from "@tilewise/tilewise";
import { adviceFor, detailsOf, isAboutAnalysis, isCancelled } from "../../../web/open/failures.ts";

const AT = { file: "https://a.test/b.mib" };

/** What browsers and the library throw, and the beginning of what the page says. */
const CASES: readonly (readonly [unknown, string])[] = [
  [
    new TypeError("Failed to fetch dynamically imported module: http://127.0.0.1/p/picked.js"),
    "A part of this page",
  ],
  [
    new TilewiseError("not-a-file", "Cannot open picked: it holds 2 Zarr stores", {
      stores: ["a.zarr", "b.zarr"],
    }),
    "There are several stores",
  ],
  [
    new RangeError("The labels nuclei have 100 × 400 samples, the image 300 × 420: they do not fit"),
    "The labels do not fit this image",
  ],
  [new TypeError("error loading dynamically imported module"), "A part of this page"],
  [new TilewiseError("invalid", "orange.mib: the offset is out of range"), "These facts do not fit"],
  [new TypeError("Failed to fetch"), "The server does not let this page"],
  [new TypeError("NetworkError when attempting to fetch resource."), "The server does not let this page"],
  [
    new TilewiseError("permission", "Cannot read b.mib: expose Content-Range", {
      ...AT,
      expected: "Access-Control-Allow-Origin: https://c.test",
    }),
    "The server does not let this page",
  ],
  [
    new TilewiseError("permission", "Cannot read b.mib in parts", {
      ...AT,
      expected: "Access-Control-Expose-Headers: Content-Range",
    }),
    "The server hides",
  ],
  [
    new TilewiseError("permission", "http from https", { ...AT, expected: "https:" }),
    "This page reads from https",
  ],
  [
    new TilewiseError(
      "not-found",
      "Cannot open a.hdr: a .hdr describes .mib files, but there is none beside it",
    ),
    "The file that it describes",
  ],
  [new TilewiseError("not-found", "404 Not Found", { ...AT, found: 404 }), "The server does not have"],
  [new TilewiseError("permission", "403 Forbidden", { ...AT, found: 403 }), "The server does not give"],
  [new TilewiseError("io", "500 Internal Server Error", { ...AT, found: 500 }), "The server does not answer"],
  [new TilewiseError("timeout", "sent no answer", AT), "The server does not answer"],
  [new TilewiseError("changed", "size was 404", { ...AT, found: 404 }), "The file has changed"],
  [
    new TilewiseError("unsupported", "its server does not support range requests", {
      ...AT,
      option: "http.wholeLimit",
    }),
    "The server sends only whole",
  ],
  [new TilewiseError("permission", "refuses", { file: "data/sources.json" }), "The command that shows"],
  [new TilewiseError("unsupported", "WebAssembly SIMD is missing"), "This browser lacks WebAssembly SIMD"],
  [
    new TypeError("WebAssembly.Module(): Wasm code generation disallowed by embedder"),
    "This browser does not run",
  ],
  [new TilewiseError("unsupported", "no code", { option: "workers" }), "This browser does not start workers"],
  [new TilewiseError("worker", "Worker 1 died"), "A worker stopped"],
  [new Error("Refused to create a worker: Content Security Policy"), "A worker stopped"],
  [new TilewiseError("over-budget", "Cannot run: needs 9 GiB"), "There is not enough memory"],
  [new RangeError("Array buffer allocation failed"), "There is not enough memory"],
  [new TilewiseError("changed", "a.mib has changed"), "The file has changed"],
  [new DOMException("A requested file could not be found", "NotFoundError"), "The file is no longer there"],
  [
    new DOMException("The requested file could not be read", "NotReadableError"),
    "The file is no longer there",
  ],
  [new TilewiseError("unknown-format", "Cannot tell what a is"), "The format is not known"],
  [new TilewiseError("truncated", "a ends early"), "The file ends too early"],
  [new TilewiseError("truncated", "its superblock says that it ends at byte 9"), "The file ends too early"],
  [new TilewiseError("malformed", "a: bad header"), "The file is damaged"],
  [new TilewiseError("invalid", "nav does not fit"), "These facts do not fit"],
  [new TilewiseError("unsupported", "Snappy is unknown"), "This kind of file"],
  [new TilewiseError("permission", "a may not be read"), "Reading is not allowed"],
  [new TilewiseError("io", "disk error"), "Reading failed"],
  [new Error("what"), "Something went wrong"],
  ["a text", "Something went wrong"],
  [undefined, "Something went wrong"],
];

Deno.test("every failure has a title, and steps that say what to do", () => {
  for (const [error, title] of CASES) {
    const advice = adviceFor(error);
    assert(advice.title.startsWith(title), `${error}: ${advice.title}`);
    assert(advice.steps.length > 0 && advice.steps.every((step) => step.length > 10));
  }
});

Deno.test("long messages are cut, and whole in the details", () => {
  const error = new TilewiseError("malformed", `a ${"b".repeat(100)} `.repeat(10), { file: "a", offset: 5 });
  assert(adviceFor(error).text.length < 290);
  assert(detailsOf(error).includes(error.message) && detailsOf(error).includes("offset: 5"));
});

Deno.test("cancelling is not a failure", () => {
  const errors = [
    new DOMException("", "AbortError"),
    new TilewiseError("aborted", "Cancelled"),
    new Error("a"),
  ];
  assertEquals(errors.map(isCancelled), [true, true, false]);
});

Deno.test("what is wrong with an analysis is not said of the file", () => {
  const codes = ["invalid", "unsupported", "udf", "io", "changed", "over-budget", "worker"] as const;
  const errors = codes.map((code) => new TilewiseError(code, "a"));
  assertEquals(errors.map(isAboutAnalysis), [true, true, true, false, false, false, false]);
  const platform = [{ option: "workers" }, { expected: "WebAssembly SIMD" }];
  assertEquals(
    platform.map((details) => isAboutAnalysis(new TilewiseError("unsupported", "a", details))),
    [false, false],
  );
});
