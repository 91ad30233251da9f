/** Channels shown together: what files say of them, and colours that are added as NumPy adds them. */

import { assert, assertEquals } from "@std/assert";
import { ndarray } from "@tilewise/tilewise/arrays";
import type { AxisFacts } from "@tilewise/tilewise/formats";
import { channelAxis, displayOf, MOST_SHOWN, shownLooks } from "../../../web/panels/pyramid/channel_looks.ts";
import { DrawnImage } from "../../../web/draw/drawn.ts";
import { coloursOf, paintAdded } from "../../../web/draw/paint.ts";
import { shown } from "./made.ts";

type Described = Parameters<typeof channelAxis>[0];

const PLANE = [{ kind: "space", name: "y", size: 20 }, { kind: "space", name: "x", size: 30 }] as const;

function described(
  kind: AxisFacts["kind"],
  size: number,
  more: Partial<Described> = {},
  names?: string[],
): Described {
  const axis = { kind: kind!, name: "c", size, ...(names ? { names } : {}) };
  return { axes: [axis, ...PLANE], metadata: {}, dtype: "uint16", ...more } as Described;
}

const LABELS = ["c", "y", "x"];

Deno.test("OME-Zarr and OME-XML say names, colours and ranges of channels", () => {
  const zarr = channelAxis(
    described("channel", 2, {
      metadata: {
        channels: [{ name: "DAPI", color: "#0000FF", window: { start: 10, end: 900 } }, {
          color: "#nonsense",
          window: { start: 5, end: 5 },
        }],
        omero: { channels: [{ active: true }, { active: false }] },
      },
    }),
    LABELS,
  );
  assertEquals(zarr?.names, ["DAPI", "Channel 2"]);
  assertEquals(zarr?.looks, [{ shown: true, colour: "0000ff", range: [10, 900] }, {
    shown: false,
    colour: "00ff00",
  }]);

  const facts = [{ name: "a", Color: "-16776961" }, { name: "b", Color: "16711935" }, {
    name: "c",
    Color: "255",
  }];
  const xml = channelAxis(
    described("channel", 3, { metadata: { channels: facts } }, ["A", "B", "C"]),
    LABELS,
  );
  assertEquals(xml?.names, ["A", "B", "C"]);
  assertEquals(xml?.looks.map(({ colour }) => colour), ["ff0000", "00ff00", "ff00ff"]); // black shows nothing
});

Deno.test("a range in which no sample of the type can lie is not used", () => {
  const looks = (dtype: string, start: number, end: number) =>
    channelAxis(
      described(
        "channel",
        2,
        { dtype, metadata: { channels: [{ window: { start, end } }] } } as Partial<Described>,
      ),
      LABELS,
    )!.looks[0]!.range;
  assertEquals(looks("uint16", 1e9, 2e9), undefined);
  assertEquals(looks("int8", -500, -128), undefined);
  assertEquals(looks("uint16", 0, 65_535), [0, 65_535]);
  assertEquals(looks("uint8", -10, 4000), [-10, 4000]);
  assertEquals(looks("float32", 1e9, 2e9), [1e9, 2e9]);
});

Deno.test("dyes that names tell have their colours, other channels those that are left", () => {
  const names = ["Hoechst 33342", "Alexa Fluor 488", "phase", "mCherry", "Cy5", "x"];
  const looks = channelAxis(described("channel", 6, {}, names), LABELS)!.looks;
  const expected = ["4060ff", "00ff00", "00ffff", "ff3030", "ff00ff", "ffff00"];
  assertEquals(looks.map(({ colour }) => colour), expected);
});

Deno.test("pixels of three or four samples have true colours, others their channels", () => {
  const rgb = channelAxis(described("colour", 3, { dtype: "uint8" }), LABELS);
  assertEquals(rgb?.looks, [
    { shown: true, colour: "ff0000", range: [0, 255] },
    { shown: true, colour: "00ff00", range: [0, 255] },
    { shown: true, colour: "0000ff", range: [0, 255] },
  ]);
  const alpha = channelAxis(described("colour", 4), LABELS);
  assertEquals(alpha?.looks.map(({ shown }) => shown), [true, true, true, false]);
  assertEquals(alpha?.looks[0]?.range, [0, 65_535]);
  assertEquals(channelAxis(described("time", 3), LABELS), undefined);
  assertEquals(channelAxis(described("channel", 1), LABELS), undefined);
  assertEquals(channelAxis({ ...described("channel", 4) }, ["y", "x", "z"])?.label, undefined);
});

Deno.test("ten channels and eight colours: eight are shown, and colours of another image are not used", () => {
  const ten = channelAxis(described("channel", 10), LABELS)!;
  assertEquals(ten.looks.filter(({ shown }) => shown).length, MOST_SHOWN);
  assertEquals(shownLooks(ten, [{ shown: true, colour: "ffffff" }]), ten.looks);
  assertEquals(shownLooks(ten, "one"), undefined);
  assertEquals(shownLooks(ten, undefined), ten.looks);
});

Deno.test("colours of channels are added as light is; RGB comes out as it was saved", () => {
  const planes = [[0, 128, 255, 7], [255, 128, 0, 8], [1, 2, 255, 9]];
  const drawn = planes.map((plane) =>
    new DrawnImage(shown(ndarray(Uint8Array.from(plane), [1, 4], "uint8")))
  );
  const colours = (looks: readonly string[], range: readonly [number, number]) =>
    looks.map((colour) => coloursOf(displayOf({ shown: true, colour, range }, [0, 100]), range, false));
  const paint = (looks: readonly string[], range: readonly [number, number] = [0, 255]) => {
    const into = new Uint8ClampedArray(16);
    const along = Int32Array.of(0, 1, 2, 3);
    paintAdded(into, drawn.map(({ planes }) => planes), Int32Array.of(0), along, colours(looks, range));
    return [...into];
  };
  assertEquals(paint(["ff0000", "00ff00", "0000ff"]), [
    0,
    255,
    1,
    255,
    128,
    128,
    2,
    255,
    255,
    0,
    255,
    255,
    7,
    8,
    9,
    255,
  ]);
  // NumPy: i = rint(255 * clip((v - 5) / 195, 0, 1)); minimum(255, sum over channels of rint(outer(i, colour) / 255))
  const opaque = (colours: readonly number[][]) => colours.flatMap((colour) => [...colour, 255]);
  const white = [[255, 255, 255], [255, 255, 255], [255, 255, 255], [12, 12, 12]];
  assertEquals(paint(["ffffff", "ffffff", "ffffff"], [5, 200]), opaque(white));
  const mixed = [[255, 128, 0], [201, 142, 161], [64, 255, 255], [5, 8, 8]];
  assertEquals(paint(["4060ff", "ff8000", "00ffff"], [5, 200]), opaque(mixed));
});

Deno.test("a sample that one channel lacks is drawn with the others", () => {
  const drawn = [[NaN, 1], [1, NaN]].map((plane) =>
    new DrawnImage(shown(ndarray(Float32Array.from(plane), [1, 2], "float32")))
  );
  const into = new Uint8ClampedArray(8);
  const colours = ["ff0000", "00ff00"].map((colour) =>
    coloursOf(displayOf({ shown: true, colour, range: [0, 1] }, [0, 100]), [0, 1], false)
  );
  paintAdded(into, drawn.map(({ planes }) => planes), Int32Array.of(0), Int32Array.of(0, 1), colours);
  assertEquals([...into], [0, 255, 0, 255, 255, 0, 0, 255]);
  assert(colours.every(({ table }) => table.length === 768));
});
