/** Images through a host: their pixels in the memory of the kernel, the bounds of their place, files that are not images. */

import "../fences/mod.ts";
import { assertEquals, assertThrows } from "@std/assert";
import { openImage, toRgba } from "../../src/channel_images/service.ts";
import { images } from "../../src/channel_images/mod.ts";
import { pixelSize } from "../../src/channel_images/common/image.ts";
import { startHost } from "../../src/channels/host/host.ts";
import type { HostOptions } from "../../src/channels/host/options.ts";
import { statusName } from "../../src/channels/protocol/status.ts";
import { imageCalls, type ImageForm, imageImports } from "../../src/channels/remote/images.ts";
import { remoteImports } from "../../src/channels/remote/imports.ts";
import type { ChannelLayout } from "../../src/channels/protocol/channel.ts";
import { TilewiseError } from "../../src/errors.ts";
import { createContext, insideOf } from "../../src/runner/context.ts";
import { sha256 } from "../../src/io/hash.ts";
import expected from "./data/expected.json" with { type: "json" };
import { insideOfHost } from "../../src/channels/host/inside.ts";

const FOLDER = new URL("./data/", import.meta.url).pathname;

/** Bytes of the room for pixels, and of the fence on either side. */
const ROOM = 1 << 17, FENCE = 4096;

interface Side {
  readonly memory: WebAssembly.Memory;
  readonly layout: ChannelLayout;
  /** The room, with its fences. */
  readonly bytes: Uint8Array;
  /** Address of the room. */
  readonly at: number;
}

async function withHost(
  body: (side: Side) => void | Promise<void>,
  options: Partial<HostOptions> = { images: images() },
): Promise<void> {
  await using context = createContext({ memory: 1 << 20 });
  const { arena } = insideOf(context);
  {
    const counts = { channels: 3, bufferLength: 64, elementSize: 1 };
    await using host = await startHost(context, { ...counts, ...options });
    using lease = arena.lease(ROOM + 2 * FENCE, "pixels");
    const { memory } = arena, bytes = new Uint8Array(memory.buffer, lease.offset, lease.byteLength);
    await body({ memory, layout: insideOfHost(host)!.layout, bytes, at: lease.offset + FENCE });
  }
  await context.settled();
  assertEquals(arena.used, 0);
}

const FILL = 0xa5;

/** The pixels of a file as dense rows, by the decoder alone. */
async function pixelsOf(
  name: string,
  form: ImageForm,
): Promise<{ readonly rows: Uint8Array; readonly pixel: number }> {
  const image = await openImage(Deno.readFileSync(FOLDER + name));
  const pixel = form === "rgba8" ? 4 : pixelSize(image), stride = image.width * pixel;
  const rows = new Uint8Array(stride * image.height);
  const convert = form === "rgba8" ? toRgba(image) : undefined;
  await image.decode((y, row) => {
    if (convert) convert(row, rows.subarray(y * stride, (y + 1) * stride));
    else rows.set(row, y * stride);
  });
  return { rows, pixel };
}

Deno.test("pixels arrive in their rows, and nothing else is written", () =>
  withHost(async ({ memory, layout, bytes, at }) => {
    const calls = imageCalls(memory, layout);
    for (const [name, { height, width, samples, dtype, rgba }] of Object.entries(expected)) {
      for (const form of rgba === null ? ["native"] as const : ["rgba8", "native"] as const) {
        const { rows, pixel } = await pixelsOf(name, form);
        const [stride, skew] = [(width + 3) * pixel + 5, width % 7];
        bytes.fill(FILL);
        const place = { offset: at + skew, width: width + 1, height: height + 2, stride, form };
        assertEquals(calls.load(1, FOLDER + name, place), {
          height,
          width,
          samples,
          dtype: dtype as "uint8",
        });
        const wanted = new Uint8Array(bytes.length).fill(FILL);
        for (let y = 0; y < height; y++) {
          wanted.set(rows.subarray(y * width * pixel, (y + 1) * width * pixel), FENCE + skew + y * stride);
        }
        assertEquals(await sha256(bytes.slice()), await sha256(wanted), `${name}, ${form}`);
      }
    }
  }));

function statusOf(work: () => unknown): unknown {
  return assertThrows(work, TilewiseError).details["status"];
}

Deno.test("a place that is too small in either direction is refused, and stays as it is", () =>
  withHost(({ memory, layout, bytes, at }) => {
    const calls = imageCalls(memory, layout), file = FOLDER + "rgba8.png"; // 37 × 23
    bytes.fill(FILL);
    const place = { offset: at, width: 37, height: 23, stride: 4 * 37 };
    for (
      const less of [{ width: 36 }, { height: 22 }, { width: 0 }, { height: 0 }, { width: 0, height: 0 }]
    ) {
      assertEquals(statusOf(() => calls.load(0, file, { ...place, ...less })), "too-big");
    }
    assertEquals(bytes.every((byte) => byte === FILL), true);
    assertEquals(calls.load(0, file, place).height, 23);
    assertEquals(calls.facts(0, file), { height: 23, width: 37, samples: 4, dtype: "uint8" });
  }));

Deno.test("a place outside of the memory, or whose rows overlap, is refused", () =>
  withHost(({ memory, layout, bytes, at }) => {
    const calls = imageCalls(memory, layout), file = FOLDER + "rgba8.png";
    const end = memory.buffer.byteLength;
    bytes.fill(FILL);
    const place = { offset: at, width: 37, height: 23, stride: 4 * 37 };
    const odd = [
      { offset: end - 22 * 148 - 147 },
      { offset: end },
      { offset: -1 },
      { offset: 0.5 },
      { offset: NaN },
      { stride: 147 },
      { stride: 0 },
      { stride: -148 },
      { stride: 2 ** 40 },
      { height: 2 ** 31 },
      { width: 2 ** 50 },
    ];
    for (const part of odd) {
      assertEquals(
        statusOf(() => calls.load(0, file, { ...place, ...part })),
        "invalid",
        JSON.stringify(part),
      );
    }
    const other = assertThrows(
      () => calls.load(0, file, { ...place, form: "other" as "rgba8" }),
      TilewiseError,
    );
    assertEquals([other.code, other.details.option], ["invalid", "form"]);
    assertEquals(bytes.every((byte) => byte === FILL), true);
  }));

Deno.test("files that are missing, damaged, or no images are refused with their reason", () =>
  withHost(async ({ memory, layout, bytes, at }) => {
    const calls = imageCalls(memory, layout), folder = await Deno.makeTempDir();
    try {
      const whole = Deno.readFileSync(FOLDER + "rgb8.png");
      Deno.writeFileSync(`${folder}/cut.png`, whole.subarray(0, whole.length - 20));
      Deno.writeFileSync(`${folder}/cut.jpg`, Deno.readFileSync(FOLDER + "gray.jpg").subarray(0, 200));
      Deno.writeFileSync(`${folder}/cut.tif`, Deno.readFileSync(FOLDER + "gray8.tif").subarray(0, 300));
      Deno.writeTextFileSync(`${folder}/text`, "no image, only words\n".repeat(30));
      Deno.writeTextFileSync(`${folder}/empty`, "");
      const place = { offset: at, width: 100, height: 100, stride: 400 };
      bytes.fill(FILL);
      const rows = [
        ["missing.png", ["not-found"]],
        [".", ["is-directory"]],
        ["cut.png", ["malformed"]],
        ["cut.jpg", ["malformed"]],
        ["cut.tif", ["malformed"]],
        ["text", ["unknown-format"]],
        ["empty", ["unknown-format"]],
        ["x".repeat(2000), ["name-too-long"]],
        ["a\0b", ["invalid"]],
      ] as const;
      for (const [name, wanted] of rows) {
        const status = statusOf(() => calls.load(0, `${folder}/${name}`, place)) as string;
        assertEquals((wanted as readonly string[]).includes(status), true, `${name.slice(0, 20)}: ${status}`);
      }
      assertEquals(statusOf(() => calls.load(0, "", place)), "invalid");
      assertEquals(statusOf(() => calls.load(9, `${folder}/cut.png`, place)), "bad-channel");
      assertEquals(statusOf(() => calls.load(0, FOLDER + "float32.tif", place)), "unsupported");
      const outside = [...bytes.subarray(0, FENCE), ...bytes.subarray(FENCE + 40000)];
      assertEquals(outside.every((byte) => byte === FILL), true);
      assertEquals(calls.facts(0, FOLDER + "gray.jpg").dtype, "uint8", "the channel can be used again");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  }));

Deno.test("a host that was not started with images says so", () =>
  withHost(({ memory, layout }) => {
    assertEquals(statusOf(() => imageCalls(memory, layout).facts(0, FOLDER + "gray8.png")), "no-function");
  }, {}));

Deno.test("a kernel gets facts as words, also of an image that does not fit", () =>
  withHost(({ memory, layout, bytes, at }) => {
    const kernel = imageImports(memory, layout), rpc = remoteImports(memory, layout);
    const name = new TextEncoder().encode(FOLDER + "gray16_big.tif");
    bytes.set(name, FENCE);
    const facts = (at + 4095) & -16, words = () => [...new Int32Array(memory.buffer, facts, 4)];
    assertEquals(kernel.image_facts(2, at, name.length, facts), 0);
    assertEquals(words(), [20, 33, 1, 4]);
    const to = facts + 16;
    assertEquals(statusName(kernel.load_image(0, at, name.length, to, 32, 20, 66, 1, facts)), "too-big");
    assertEquals(words(), [20, 33, 1, 4]);
    assertEquals(kernel.load_image(0, at, name.length, to, 33, 20, 66, 1, 0), 0);
    bytes[FENCE + name.length - 1] = 0x58; // ".tiX", which is not there
    assertEquals(statusName(kernel.image_facts(0, at, name.length, facts)), "not-found");
    bytes.set(name, FENCE);
    assertEquals(words(), [0, 0, 0, 0]);
    const end = memory.buffer.byteLength;
    assertEquals(statusName(kernel.image_facts(0, end - 1, 2, facts)), "invalid");
    assertEquals(statusName(kernel.image_facts(0, at, name.length, end - 8)), "invalid");
    assertEquals(statusName(kernel.image_facts(0, at, name.length, facts + 1)), "invalid");
    assertEquals(rpc["rpc_release"]!(0) < 0, true, "no channel is held");
  }));
