"""Writes TIFF files of every kind that the format has, also those that no library writes: any bits, orders and tables.

An image is a dict: "array" of (rows, columns, samples), "bits", "kind" (1 unsigned, 2 signed, 3 float, 5 complex integers, 6
complex floats) and, each with a default, "tile" (rows, columns) or "rows" per strip, "planar", "compression", "predictor",
"fill_order", "missing" (numbers of tiles that are not written), "nodata" (a text), "below" (images), "extra" (entries), "short"
(whether tiles at the end are), "magick" (whether GraphicsMagick is said to have written it), "counts" ("zero", "short": how the
byte counts of strips are told) and "lerc" (what LERC is packed with). Complex numbers that NumPy has not are integers that hold
both parts.
"""

import struct
import zlib

import imagecodecs
import numpy as np

REVERSED = bytes(int(f"{n:08b}"[::-1], 2) for n in range(256))
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 12: 8, 13: 4, 16: 8}
LETTERS = {1: "B", 3: "H", 4: "I", 5: "I", 12: "d", 13: "I", 16: "Q"}


def old_lzw(data):
    """LZW as it was before version 5 of the format: codes from their lowest bit, which get longer one code later."""
    bits, count, out = 0, 0, bytearray()
    width, table, free = 9, {bytes([n]): n for n in range(256)}, 258

    def put(code):
        nonlocal bits, count
        bits |= code << count
        count += width
        while count >= 8:
            out.append(bits & 255)
            bits >>= 8
            count -= 8

    put(256)
    word = b""
    for n in data:
        longer = word + bytes([n])
        if longer in table:
            word = longer
            continue
        put(table[word])
        table[longer] = free
        free += 1
        if free > 1 << width and width < 12:
            width += 1
        if free >= 4094:
            put(256)
            width, table, free = 9, {bytes([n]): n for n in range(256)}, 258
        word = bytes([n])
    if word:
        put(table[word])
        free += 1
        if free > 1 << width and width < 12:
            width += 1
    put(257)
    if count:
        out.append(bits & 255)
    return bytes(out)


PACK = {
    1: lambda data: data,
    5: imagecodecs.lzw_encode,
    "old": old_lzw,
    8: lambda data: zlib.compress(data, 6),
    32946: lambda data: zlib.compress(data, 1),
    32773: imagecodecs.packbits_encode,
    34925: imagecodecs.lzma_encode,
    50000: imagecodecs.zstd_encode,
    34926: imagecodecs.zstd_encode,
}


def packed_bits(values, bits):
    """Rows of whole numbers, the highest bit first; each row ends at a byte."""
    rows = values.shape[0]
    wide = values.reshape(rows, -1, 1).astype("u8")
    each = (wide >> np.arange(bits - 1, -1, -1, dtype="u8")) & np.uint64(1)
    return np.packbits(each.reshape(rows, -1).astype("u1"), axis=1).tobytes()


def differences(values):
    """Predictor 2: each sample less that of the pixel before it."""
    flat = values.view(f"u{values.dtype.itemsize}")
    result = flat.copy()
    result[:, 1:] = flat[:, 1:] - flat[:, :-1]
    return result


def float_bytes(values):
    """Predictor 3: bytes of a row by their weight, the highest first, each less that of the pixel before it."""
    rows, columns, samples = values.shape
    size = values.dtype.itemsize
    planes = values.astype(values.dtype.newbyteorder(">")).view("u1").reshape(rows, columns * samples, size)
    flat = planes.transpose(0, 2, 1).reshape(rows, -1)
    result = flat.copy()
    result[:, samples:] = flat[:, samples:] - flat[:, :-samples]
    return result.tobytes()


def lerc(values, image, order):
    """LERC as libtiff has it: of samples in the byte order of the file."""
    swapped = values if order == "<" else values.byteswap()
    blob = imagecodecs.lerc_encode(np.ascontiguousarray(swapped[..., 0] if swapped.shape[2] == 1 else swapped), version=4)
    return {0: bytes, 1: zlib.compress, 2: imagecodecs.zstd_encode}[image["lerc"]](blob)


def parts(values, image, order):
    """Complex numbers in integers: each part in the byte order of the file."""
    size = image["bits"] // 16
    return values.view(f"<u{size}").astype(f"{order}u{size}").tobytes()


def triples(values, order):
    """Whole numbers of 24 bits, or floats: the lower three bytes of four."""
    wide = values.astype("<u4").view("u1").reshape(values.shape + (4,))[..., :3]
    return np.ascontiguousarray(wide if order == "<" else wide[..., ::-1]).tobytes()


def stored(values, image, order):
    """The bytes of a tile or strip of (rows, columns, samples)."""
    bits, predictor = image["bits"], image.get("predictor", 1)
    if image.get("compression") == 34887:
        data = lerc(values, image, order)
        return data.translate(REVERSED) if image.get("fill_order", 1) == 2 else data
    if predictor == 3:
        raw = float_bytes(values)
    elif bits == 24:
        isOfFile = image["kind"] == 3 or image.get("magick")
        raw = triples(values, order if isOfFile else "<>"[order == "<"])  # GDAL: the other one
    elif image["kind"] in (5, 6) and values.dtype.kind == "u" and predictor == 1:
        raw = parts(values, image, order)
    elif bits not in (8, 16, 32, 64, 128):
        raw = packed_bits(values, bits)
    else:
        if predictor == 2:
            values = differences(values)
        raw = values.astype(values.dtype.newbyteorder(order)).tobytes()
    data = PACK[image.get("compression", 1)](raw)
    return data.translate(REVERSED) if image.get("fill_order", 1) == 2 else data


def segments(image, order, rng):
    """The tiles or strips of an image in their order; `None`: not written."""
    array = image["array"]
    planes = [array] if image.get("planar", 1) == 1 else [array[..., s:s + 1] for s in range(array.shape[2])]
    height, width = array.shape[:2]
    rows, columns = image.get("tile") or (image.get("rows", height), width)
    number = 0
    for plane in planes:
        for y in range(0, height, rows):
            for x in range(0, width, columns):
                part = plane[y:y + rows, x:x + columns]
                if image.get("tile"):
                    tall = part.shape[0] if image.get("short") else rows
                    whole = np.full((tall, columns, part.shape[2]), 0, array.dtype)
                    if array.dtype.kind in "ui" and image["kind"] in (1, 2):
                        whole[:] = rng.randrange(2 ** min(image["bits"] - (image["kind"] == 2), 31))  # what lies outside
                    whole[:part.shape[0], :part.shape[1]] = part
                    part = whole
                yield None if number in image.get("missing", ()) else stored(part, image, order)
                number += 1


class Writer:
    def __init__(self, order, big, rng):
        self.order, self.big, self.rng = order, big, rng
        self.word = "Q" if big else "I"
        self.quiet = False
        mark = b"II" if order == "<" else b"MM"
        self.data = bytearray(mark + (self.pack("HHHQ", 43, 8, 0, 0) if big else self.pack("HI", 42, 0)))

    def pack(self, letters, *values):
        return struct.pack(self.order + letters, *values)

    def put(self, at, value):
        size = struct.calcsize("=" + self.word)
        self.data[at:at + size] = self.pack(self.word, value)

    def append(self, data):
        if not self.quiet and self.rng.random() < 0.1:
            self.data += bytes(self.rng.randrange(256) for _ in range(self.rng.randint(1, 30)))  # nobody's bytes
        if len(self.data) % 2:
            self.data += b"\0"
        at = len(self.data)
        self.data += data
        return at

    def file(self, images):
        link = 8 if self.big else 4
        if self.rng.random() < 0.1:
            self.data += b"\0" * self.rng.choice([2, 70000])  # offsets beyond 16 bits
        for image in images:
            link = self.image(image, link)
        return bytes(self.data)

    def table(self, values):
        """The smallest type that fits, or a larger one."""
        kinds = [3] if max(values) < 2 ** 16 else []
        return self.rng.choice(kinds + [4] + ([16] if self.big else []))

    def image(self, image, link):
        array = image["array"]
        height, width, samples = array.shape
        places = []
        self.quiet = "counts" in image  # bytes are then those up to what follows
        for data in segments(image, self.order, self.rng):
            places.append((0, 0) if data is None else (self.append(data), len(data)))
        offsets, counts = [list(values) for values in zip(*places)]
        compression = image.get("compression", 1)
        entries = [
            (256, self.table([width]), [width]), (257, self.table([height]), [height]), (258, 3, [image["bits"]] * samples),
            (259, 3, [5 if compression == "old" else compression]), (262, 3, [2 if samples == 3 else 1]), (277, 3, [samples]),
            (284, 3, [image.get("planar", 1)]), (317, 3, [image.get("predictor", 1)]), (339, 3, [image["kind"]] * samples),
        ]
        if image.get("fill_order", 1) == 2:
            entries.append((266, 3, [2]))
        if image.get("magick"):
            entries.append((305, 2, b"GraphicsMagick 1.3.40\0"))
        if "nodata" in image:
            entries.append((42113, 2, image["nodata"].encode() + b"\0"))
        if "lerc" in image:
            entries.append((50674, 4, [4, image["lerc"]]))
        if image.get("counts") == "zero":
            counts = [0] * len(counts)
        elif image.get("counts") == "short":
            counts = counts[:self.rng.randint(1, len(counts))]
        if samples not in (1, 3):
            entries.append((338, 3, [0] * (samples - 1)))
        if image.get("tile"):
            entries += [(322, self.table([image["tile"][1]]), [image["tile"][1]]), (323, 3, [image["tile"][0]])]
            entries += [(324, self.table(offsets), offsets), (325, self.table(counts), counts)]
        else:
            rows = image.get("rows", height)
            entries += [(278, self.table([rows]), [rows])] if rows < height or self.rng.random() < 0.7 else []
            entries += [(273, self.table(offsets), offsets), (279, self.table(counts), counts)]
        entries = self.spared(entries, image)
        below = image.get("below", [])
        if below:
            entries.append((330, 16 if self.big else self.rng.choice([4, 13]), [0] * len(below)))
        entries += image.get("extra", [])
        return self.directory(sorted(entries), below, link)

    def spared(self, entries, image):
        """Entries without those that may be missing: of defaults, and the bytes of strips that follow from the image."""
        array, plain = image["array"], image.get("compression", 1) == 1 and not image.get("tile")
        kept = []
        for tag, kind, values in entries:
            default = {258: [1], 259: [1], 277: [1], 284: [1], 317: [1], 339: [1], 262: None}.get(tag, None)
            if default is not None and values == default and self.rng.random() < 0.4:
                continue
            if tag == 279 and plain and not image.get("missing") and "counts" not in image and self.rng.random() < 0.1:
                image["no_counts"] = True
                continue
            if tag == 278 and values[0] >= array.shape[0] and self.rng.random() < 0.2:
                values = [2 ** 32 - 1]
                kind = 4
            if tag in (258, 339) and len(values) > 1 and self.rng.random() < 0.1:
                values = values[:1]
            kept.append((tag, kind, values))
        return kept

    def directory(self, entries, below, link):
        inline = 8 if self.big else 4
        body, pointers = b"", None
        for tag, kind, values in entries:
            if isinstance(values, bytes):
                raw, count = values, len(values)
            else:
                raw, count = self.pack(f"{len(values)}{LETTERS[kind]}", *values), len(values) // (2 if kind == 5 else 1)
            outside = len(raw) > inline
            if outside:
                at = self.append(raw)
                if tag == 330:
                    pointers = at
                raw = self.pack(self.word, at)
            body += self.pack("HH" + self.word, tag, kind, count)
            if tag == 330 and not outside:
                pointers = -len(body)
            body += raw.ljust(inline, b"\0")
        head = self.pack("Q" if self.big else "H", len(entries))
        at = self.append(head + body + self.pack(self.word, 0))
        self.put(link, at)
        if pointers is not None and pointers < 0:
            pointers = at + len(head) - pointers
        end = len(self.data) - inline
        for n, image in enumerate(below):
            self.image(image, pointers + n * inline)
        return end


def write(path, images, order, big, rng):
    with open(path, "wb") as file:
        file.write(Writer(order, big, rng).file(images))
