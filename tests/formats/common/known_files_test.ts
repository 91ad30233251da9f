/**
 * What is not read is called by its name: files of other kinds by their first bytes, Zarr by what is in the folder or the
 * archive, other folders by what can be opened in them.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { zipSync } from "fflate";
import { gzipSync } from "node:zlib";
import { open } from "../../../src/formats/open.ts";
import { encodeNpy } from "../../npy_files.ts";
import { cli, withFolder } from "../../cli/harness.ts";
import { ascii, counting, failure } from "../helpers.ts";

/** First bytes as Latin-1 text, and what they are called. */
const HEADS: readonly (readonly [head: string, words: string])[] = [
  ["\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG picture"],
  ["\xff\xd8\xff\xe0\0\x10JFIF\0", "a JPEG picture"],
  ["\0\0\0\x0cjP  \r\n\x87\n", "a JPEG 2000 picture"],
  ["GIF89a\x01\0", "a GIF picture"],
  ["RIFF\x10\0\0\0WEBPVP8 ", "a WebP picture"],
  [
    "MATLAB 5.0 MAT-file, Platform: GLNXA64",
    "a MATLAB file (version 5); save it with -v7.3: that is HDF5, which is read",
  ],
  ["CDF\x01\0\0\0\0", "a NetCDF file (classic); a copy as NetCDF-4"],
  ["CDF\x02\0\0\0\0", "a NetCDF file (classic, 64-bit offsets)"],
  ["CDF\x05\0\0\0\0", "a NetCDF file (classic, 64-bit data)"],
  [
    "SIMPLE  =                    F / file does not conform to FITS standard",
    "a FITS file that does not follow the standard",
  ],
  ["\x0e\x03\x13\x01\0\0\0\0", "an HDF4 file; a copy by h4toh5"],
  [`${"\0".repeat(128)}DICM\x02\0\0\0`, "a DICOM file"],
  [`\x5c\x01\0\0${"\0".repeat(340)}n+1\0`, "a NIfTI file"],
  ["ZISRAWFILE\0\0\0\0\0\0", "a Zeiss CZI file"],
  ["BZh91AY&SY\0\0\0\0", "a bzip2 file; unpack it first"],
  ["\xfd7zXZ\0\0\x04", "an xz file; unpack it first"],
  ["\x28\xb5\x2f\xfd\x24\0", "a Zstandard file; unpack it first"],
  [`scan.mib${"\0".repeat(249)}ustar\x0000`, "a tar archive; unpack it first"],
];

const bytesOf = (latin: string) => Uint8Array.from(latin, (letter) => letter.charCodeAt(0));

for (const [head, words] of HEADS) {
  Deno.test(`${words.split(";")[0]} is called that, whatever its ending`, async () => {
    for (const name of ["scan", "scan.mib", "scan.tif"]) {
      const file = new File([bytesOf(head), new Uint8Array(5000)], name);
      const { message, details } = await failure(open(file), "unsupported");
      assertStringIncludes(message, `Cannot open ${name}: it is ${words}`);
      assertEquals([details.file, words.startsWith(String(details.found))], [name, true]);
    }
  });
}

Deno.test("bytes that only resemble those of a known file are called unknown", async () => {
  for (const head of ["PNG\r\n", "CDF\x03", "SIMPLE", "PK", "\x1f\x8b\x07", "ustar"]) {
    await failure(open(new File([bytesOf(head), new Uint8Array(100)], "scan")), "unknown-format");
  }
});

Deno.test("a known file is not taken for raw frames, unless somebody says that it is one", async () => {
  const gif = new File([bytesOf("GIF8"), new Uint8Array(60)], "scan.gif");
  const options = { dtype: "uint8", sig: [4, 4] } as const;
  const { message } = await failure(open(gif, options), "unsupported");
  assert(
    /GIF picture; .*; to read its bytes as raw frames all the same, say format "raw"$/.test(message),
    message,
  );
  assertEquals((await open(gif, { ...options, format: "raw" })).images, 4);
  assertEquals((await open(gif, { ...options, headerBytes: 16 })).images, 3);
});

Deno.test("zip archives are called by what is in them", async () => {
  const npy = encodeNpy(counting(6), [2, 3], "uint8");
  const archives: [Record<string, Uint8Array>, RegExp][] = [
    [
      { "data.npy": npy, "shape.npy": npy },
      /a NumPy archive \(\.npz\); unpack it: the \.npy files inside are read/,
    ],
    [{ "scan.mib": npy, "data.npy": npy }, /a zip archive; unpack it first/],
    [
      { "data.npy": npy, "metadata.json": ascii("{}") },
      /an .ndata file of Nion Swift; export it from there as HDF5/,
    ],
    [{ "not.zarray.txt": ascii(".zarray zarr.json x.npy") }, /a zip archive; unpack it first/],
    [{}, /a zip archive; unpack it first/],
  ];
  for (const [files, words] of archives) {
    for (const level of [0, 6] as const) {
      const archive = zipSync(files, { level }) as Uint8Array<ArrayBuffer>;
      const { message } = await failure(open(new File([archive], "scan.zip")), "unsupported");
      assert(words.test(message), message);
    }
  }
});

Deno.test("gzip that is not unpacked is called so, with what is inside where that is known", async () => {
  for (
    const [inside, words] of [
      [
        bytesOf("II*\0" + "x".repeat(5000)),
        "a gzip file with a TIFF file (classic, little-endian) inside; only MRC and FITS",
      ],
      [counting(5000), "a gzip file; only MRC and FITS files are read from inside of gzip: unpack it first"],
    ] as const
  ) {
    const packed = new Uint8Array(gzipSync(inside));
    const { message } = await failure(open(new File([packed], "scan.gz")), "unsupported");
    assertStringIncludes(message, `Cannot open scan.gz: it is ${words}`);
  }
  const { message } = await failure(open(Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3)), "unsupported");
  assertStringIncludes(message, "it is a gzip file; ");
});

Deno.test("tilewise info calls folders and files by their names, as text and as JSON", async () => {
  await withFolder(async (folder) => {
    const write = async (path: string, text = "{}") => {
      await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}`, text);
    };
    await write("named.zarr/0/0");
    for (const path of ["scans/b.mib", "scans/a.dm4", "scans/notes.txt", "notes/a.txt"]) await write(path);
    await Deno.mkdir(`${folder}/nothing`);
    await write("scan.gif", "GIF89a");
    const cases: [string, string, string][] = [
      ["named.zarr", "malformed", "it is called like a Zarr store, but has none of the files zarr.json, "],
      ["scan.gif", "unsupported", "it is a GIF picture"],
      ["scans", "not-a-file", "it is a folder with 3 entries; open a file in it, such as a.dm4, b.mib"],
      [
        "notes",
        "not-a-file",
        "it is a folder with one entry; nothing in it is called like a file that is read",
      ],
      ["nothing", "not-a-file", "it is an empty folder; open a file"],
    ];
    const sources = cases.map(([name]) => `${folder}/${name}`);
    const { code, err } = await cli(["info", ...sources]);
    const found = await cli(["info", "--json", ...sources]);
    assertEquals([code, found.code, found.err], [1, 1, ""]);
    const lines = err.trimEnd().split("\n");
    for (const [i, [name, kind, words]] of cases.entries()) {
      assertStringIncludes(lines[i]!, `tilewise: [${kind}] Cannot open ${folder}/${name}: ${words}`);
      const { source, error } = found.json()[i] as {
        source: string;
        error: { code: string; message: string };
      };
      assertEquals([source, error.code], [sources[i], kind]);
      assertStringIncludes(error.message, words);
    }
  });
});

Deno.test("files of microscopes are called by name, with what to open instead", async () => {
  const cases: [name: string, bytes: string, words: string][] = [
    ["a.emi", "JK\0\x02", "it is an EMI file of TIA; open the .ser files beside it"], // em28
    ["a.bcf", "AAMVHFSS", "it is a Bruker BCF file; export its maps as Ripple"],
    ["a.msa", "#FORMAT      : EMSA/MAS", "it is a spectrum in EMSA/MAS (MSA)"],
    ["a.pts", "\x30\x01\0\0", "it is a file of JEOL's Analysis Station"],
  ];
  for (const [name, bytes, words] of cases) {
    const file = new File([Uint8Array.from(bytes.padEnd(600, " "), (letter) => letter.charCodeAt(0))], name);
    const error = await failure(open(file), "unsupported");
    assertStringIncludes(error.message, words);
  }
});
