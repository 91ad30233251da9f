"""Random geometries of analyses and masks, and what they give by definition, in plain NumPy; shares no code with what it
checks.

Usage: geometry.py OUT.jsonl        one line per data set, with all its cases

Centres lie anywhere, also far outside, on pixels and between; radii are 0, tiny, huge; rings have no pixel or all.
"""
import json
import sys

import numpy as np

GROUPS = 50
CASES_PER_GROUP = 22
FRAMES = 3
DTYPES = ["uint8", "uint16", "int16", "uint32", "int32", "float32", "float64"]


def samples(group):
    """Small numbers that every type holds, by a formula; the last frame is empty in every fourth group."""
    height, width = group["sig"]
    k = np.arange(FRAMES * height * width, dtype=np.int64)
    s = group["seed"]
    values = (k * k * 7 + k * (13 + s) + s * 31) % 97
    if group["dtype"].startswith("int"):
        values = values - 40
    data = values.reshape(FRAMES, height, width).astype(float)
    if group["dtype"].startswith("float"):
        data = data / 8
    if s % 4 == 0:
        data[-1] = 0
    return data


class Random:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def one_of(self, values):
        return values[int(self.rng.integers(len(values)))]

    def between(self, low, high):
        return round(float(self.rng.uniform(low, high)), 4)

    def whole(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def side(self):
        return self.one_of([2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 17])

    def centre(self, size):
        kind = self.whole(0, 19)
        if kind <= 5:
            return float(self.whole(0, size - 1))
        if kind <= 10:
            return self.whole(0, size - 1) + 0.5 * self.one_of([-1, 1])
        if kind <= 14:
            return self.between(-0.5, size - 0.5)
        if kind <= 17:
            return self.whole(-6, 2 * size + 6) / 2
        if kind == 18:
            return self.between(-3 * size, 4 * size)
        return self.one_of([-1.0, 1.0]) * self.one_of([30.0, 100.5, 1234.25, 1e4])

    def radius(self, size):
        kind = self.whole(0, 19)
        if kind == 0:
            return 0.0
        if kind <= 2:
            return self.one_of([1e-9, 0.01, 0.3, 0.5])
        if kind <= 6:
            return float(self.whole(1, int(size) + 1))
        if kind <= 8:
            return float(np.sqrt(self.whole(1, int(2 * size * size) + 1)))
        if kind <= 17:
            return self.between(0, 1.5 * size)
        return self.one_of([1e3, 3e4, 1e6])

    def ring(self, size):
        """ri < ro."""
        a, b = sorted([self.radius(size), self.radius(size)])
        return {"ri": a, "ro": b} if a < b else {"ri": a, "ro": a + self.one_of([1e-3, 0.2, 1.0, 2.5])}

    def centres(self, group):
        height, width = group["sig"]
        return {"cy": self.centre(height), "cx": self.centre(width)}


# Definitions

def grid(sig):
    return np.meshgrid(np.arange(sig[0], dtype=float), np.arange(sig[1], dtype=float), indexing="ij")


def square(sig, cy, cx):
    y, x = grid(sig)
    return (y - cy) * (y - cy) + (x - cx) * (x - cx)


def disk(sig, cy, cx, r):
    return (square(sig, cy, cx) <= r * r).astype(float)


def ring(sig, cy, cx, ri, ro):
    d = square(sig, cy, cx)
    return ((d <= ro * ro) & ~(d <= ri * ri)).astype(float)


def rectangle(sig, y, x, height, width):
    py, px = grid(sig)
    if height == 0 or width == 0:
        return np.zeros(sig)
    (top, bottom), (left, right) = [
        (np.trunc(min(a, a + n)), np.trunc(max(a, a + n))) for a, n in [(y, height), (x, width)]
    ]
    return ((py >= top) & (py <= bottom) & (px >= left) & (px <= right)).astype(float)


def bins_of(sig, cy, cx, ri, ro, bins, normalize=False):
    width = (ro - ri) / bins
    r = np.sqrt(square(sig, cy, cx))
    stack = np.stack([
        np.clip(width / 2 + 0.5 - np.abs(r - (ri + (b + 0.5) * width)), 0, 1) for b in range(bins)
    ])
    y, x = int(np.round(cy)), int(np.round(cx))
    if ri < 0.5 and 0 <= y < sig[0] and 0 <= x < sig[1]:
        stack[0, y, x] = 1 - ri
    if normalize:
        sums = stack.sum((1, 2), keepdims=True)
        stack = stack / np.where(sums <= 1e-8, 1, sums)
    return stack


def waves(sig, cy, cx, ri, ro, bins, maxOrder):
    y, x = grid(sig)
    angle = np.arctan2(y - cy, x - cx)
    orders = np.exp(1j * np.arange(maxOrder + 1)[:, None, None] * angle)
    stack = bins_of(sig, cy, cx, ri, ro, bins)
    return (stack[:, None] * orders[None]).reshape(-1, *sig)


def cone(sig, cy, cx, r):
    distance = np.sqrt(square(sig, cy, cx))
    return np.where((disk(sig, cy, cx, r) > 0) & (distance > 0), distance / (r or 1), 0)


def cone_with_ring(sig, cy, cx, r, ro, delta=1.0, stretchY=1.0, angle=0.0):
    y, x = grid(sig)
    dy, dx = y - cy, x - cx
    u = (dy * np.cos(angle) - dx * np.sin(angle)) / stretchY
    v = dx * np.cos(angle) + dy * np.sin(angle)
    d = np.sqrt(u * u + v * v)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.select(
            [d < r - delta / 2, d < r + delta / 2, d <= ro],
            [d / r, (r - d) / (delta / 2), -np.ones(sig)],
            0.0,
        )


def background(sig, cy, cx, ri, ro):
    inner, outer = disk(sig, cy, cx, ri), ring(sig, cy, cx, ri, ro)
    return inner - outer * (inner.sum() / max(1, outer.sum()))


def stamped(sig, count, template, stamps):
    stack = np.zeros((count, *sig))
    for mask, y, x in stamps:
        for i, row in enumerate(template):
            for j, value in enumerate(row):
                py, px = int(np.trunc(y)) + i, int(np.trunc(x)) + j
                if 0 <= py < sig[0] and 0 <= px < sig[1]:
                    stack[mask, py, px] += value
    return stack


def stamped_disks(sig, count, r, stamps):
    n = int(np.ceil(r))
    template = disk((2 * n + 1, 2 * n + 1), n, n, r)
    return stamped(sig, count, template, [(m, int(np.trunc(y)) - n, int(np.trunc(x)) - n) for m, y, x in stamps])


def mask_of(sig, make, stamps=None, template=None, **p):
    if stamps is not None:
        count = max(s["mask"] for s in stamps) + 1
        places = [(s["mask"], s["y"], s["x"]) for s in stamps]
        if make == "stampDisks":
            return stamped_disks(sig, count, p["r"], places)
        return stamped(sig, count, template, places)
    antialiased = p.pop("antialiased", False)
    y, x = grid(sig)
    return {
        "circular": lambda cy, cx, r: bins_of(sig, cy, cx, 0.0, r, 1)[0] if antialiased else disk(sig, cy, cx, r),
        "ring": lambda cy, cx, ri, ro: bins_of(sig, cy, cx, ri, ro, 1)[0] if antialiased else ring(sig, cy, cx, ri, ro),
        "rectangular": lambda **q: rectangle(sig, **q),
        "radialGradient": lambda cy, cx, r: cone_with_ring(sig, cy, cx, r, 0.0) if antialiased else cone(sig, cy, cx, r),
        "radialGradientBackgroundSubtraction": lambda **q: cone_with_ring(sig, **q),
        "backgroundSubtraction": lambda **q: background(sig, **q),
        "gradientX": lambda: x,
        "gradientY": lambda: y,
        "radialBins": lambda **q: bins_of(sig, **q),
        "sparseRadialBins": lambda **q: bins_of(sig, **q),
        "radialFourierMasks": lambda **q: waves(sig, **q),
    }[make](**p)


def moved(masks, shift):
    """Masks at larger coordinates for positive shifts; what comes in from outside is 0."""
    dy, dx = [int(np.rint(s)) for s in shift]
    out = np.zeros_like(masks)
    height, width = masks.shape[-2:]
    for y in range(height):
        for x in range(width):
            if 0 <= y - dy < height and 0 <= x - dx < width:
                out[..., y, x] = masks[..., y - dy, x - dx]
    return out


def products(data, masks):
    """Per frame one number per mask, and the size of the sums that they come from."""
    masks = masks.reshape(-1, *data.shape[1:])
    return np.tensordot(data, masks, axes=((1, 2), (1, 2))), np.tensordot(np.abs(data), np.abs(masks), axes=((1, 2), (1, 2)))


def run_masks(data, case):
    p = dict(case["params"])
    shifts, _ = p.pop("shifts", None), p.pop("useSparse", None)
    masks = mask_of(data.shape[1:], **p)
    masks = masks.reshape(-1, *data.shape[1:])
    if shifts is None or not isinstance(shifts[0], list):
        return products(data, moved(masks, shifts) if shifts else masks)
    each = [products(data[f:f + 1], moved(masks, shift)) for f, shift in enumerate(shifts)]
    return np.concatenate([a for a, _ in each]), np.concatenate([b for _, b in each])


def run_com(data, case):
    p = case["params"]
    sig = data.shape[1:]
    d = square(sig, p["cy"], p["cx"])
    mask = np.ones(sig)
    if "r" in p:
        mask = mask * (d <= p["r"] * p["r"])
    if p.get("ri", 0) > 0:  # 0 leaves out no pixel
        mask = mask * ~(d <= p["ri"] * p["ri"])
    y, x = grid(sig)
    total = (data * mask).sum((1, 2))
    safe = np.where(total == 0, 1, total)
    found = np.stack([
        np.where(total == 0, p["cy"], (data * mask * y).sum((1, 2)) / safe),
        np.where(total == 0, p["cx"], (data * mask * x).sum((1, 2)) / safe),
    ], -1)
    weight = (np.abs(data) * mask).sum((1, 2)) / np.abs(safe)  # what cancels makes the quotient less precise
    return found, weight * (max(sig) + abs(p["cy"]) + abs(p["cx"]))


def run_fem(data, case):
    inside = ring(data.shape[1:], **case["params"]) > 0
    chosen = data[:, inside]
    if not inside.any():
        return np.full(len(data), np.nan), np.ones(len(data))
    return chosen.std(1), np.abs(chosen).max(1) + 1


def run_crystallinity(data, case):
    p = case["params"]
    height, width = sig = data.shape[1:]
    if "real" in p:
        data = data * (1 - disk(sig, **p["real"]))
    d = square(sig, height * 0.5, width * 0.5)
    band = (d <= p["ro"] * p["ro"]) & ~(d <= p["ri"] * p["ri"])
    band = np.fft.fftshift(band)[:, :width // 2 + 1]
    found = (np.abs(np.fft.rfft2(data)) * band).sum((1, 2))
    return found, np.abs(data).sum((1, 2)) * max(1, band.sum())


def run_radial(data, case):
    return products(data, waves(data.shape[1:], **case["params"]))


def detector(mask):
    def work(data, case):
        found, size = products(data, mask(data.shape[1:], **case["params"]))
        return found[:, 0], size[:, 0]
    return work


def point(sig, cy, cx):
    mask = np.zeros(sig)
    mask[int(np.trunc(cy)), int(np.trunc(cx))] = 1
    return mask


RUNS = {
    "radialfourier": run_radial,
    "fem": run_fem,
    "crystallinity": run_crystallinity,
    "disk": detector(disk),
    "annular": detector(ring),
    "point": detector(point),
    "rectangle": detector(rectangle),
    "com": run_com,
    "mask": run_masks,
}


# Random cases

def radial_case(random, group):
    size = max(group["sig"])
    return {**random.centres(group), **random.ring(size), "bins": random.one_of([1, 1, 2, 3, 7]),
            "maxOrder": random.whole(0, 4)}


def crystallinity_case(random, group):
    size = max(group["sig"])
    p = random.ring(size / 2)
    if random.whole(0, 1):
        p["real"] = {**random.centres(group), "r": random.radius(size)}
    return p


def com_case(random, group):
    size = max(group["sig"])
    p = random.centres(group)
    limits = random.ring(size)
    kind = random.whole(0, 3)
    if kind != 0:
        p["r"] = limits["ro"]
    if kind >= 2:
        p["ri"] = limits["ri"]
    return p


def rectangle_case(random, group):
    def extent(n):
        kind = random.whole(0, 9)
        if kind == 0:
            return random.whole(-2, n + 2), 0
        if kind == 1:
            return -1000, 2000
        if kind <= 6:
            return random.whole(-2, n + 2), random.whole(-n - 2, n + 2)
        return random.between(-2, n + 2), random.between(-n - 2, n + 2)
    (y, height), (x, width) = [extent(n) for n in group["sig"]]
    return {"y": y, "x": x, "height": height, "width": width}


def inside_case(random, group):
    height, width = group["sig"]
    return {"cy": random.between(-0.99, height), "cx": random.between(-0.99, width)}


def mask_case(random, group):
    size = max(group["sig"])
    centre, r, limits = random.centres(group), random.radius(size), random.ring(size)
    stamps = [{"mask": random.whole(0, 2), "y": random.centre(group["sig"][0]), "x": random.centre(group["sig"][1])}
              for _ in range(random.whole(1, 4))]
    some = max(r, 0.25)
    p = random.one_of([
        {"make": "circular", **centre, "r": r},
        {"make": "circular", **centre, "r": some, "antialiased": True},
        {"make": "ring", **centre, **limits},
        {"make": "ring", **centre, **limits, "antialiased": True},
        {"make": "rectangular", **rectangle_case(random, group)},
        {"make": "radialGradient", **centre, "r": r},
        {"make": "radialGradient", **centre, "r": some, "antialiased": True},
        {"make": "radialGradientBackgroundSubtraction", **centre, "r": some, "ro": some + random.one_of([0, 1, 3.5]),
         "delta": random.one_of([0.5, 1.0, 2.0]), "stretchY": random.one_of([1.0, 1.3, 0.6]),
         "angle": random.one_of([0.0, 0.4, -2.0])},
        {"make": "backgroundSubtraction", **centre, **limits},
        {"make": "gradientX"},
        {"make": "gradientY"},
        {"make": "radialBins", **centre, **limits, "bins": random.whole(1, 5)},
        {"make": "radialBins", **centre, **limits, "bins": random.whole(1, 5), "normalize": True},
        {"make": "sparseRadialBins", **centre, **limits, "bins": random.whole(1, 9)},
        {"make": "radialFourierMasks", **centre, **limits, "bins": random.whole(1, 3), "maxOrder": random.whole(0, 3)},
        {"make": "stampTemplates", "stamps": stamps, "template": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]},
        {"make": "stampDisks", "stamps": stamps, "r": min(r, 4.0)},
    ])
    if p["make"] == "backgroundSubtraction" and ring(group["sig"], **centre, **limits).sum() == 0:
        p = {"make": "ring", **centre, **limits}  # nothing could be subtracted
    shift = lambda: [random.one_of([0, random.whole(-3, 3), random.between(-20, 20)]) for _ in range(2)]
    moves = random.whole(0, 3)
    if moves == 0:
        p["shifts"] = shift()
    if moves == 1:
        p["shifts"] = [shift() for _ in range(FRAMES)]
    else:
        p["useSparse"] = random.one_of(["auto", "auto", True, False])
    return p


def ring_case(random, group):
    return {**random.centres(group), **random.ring(max(group["sig"]))}


# How many of each in a group.
KINDS = [
    ("radialfourier", radial_case, 5),
    ("fem", ring_case, 2),
    ("crystallinity", crystallinity_case, 2),
    ("mask", mask_case, 6),
    ("disk", lambda random, group: {**random.centres(group), "r": random.radius(max(group["sig"]))}, 1),
    ("annular", ring_case, 1),
    ("point", inside_case, 1),
    ("rectangle", rectangle_case, 1),
    ("com", com_case, 3),
]


def projections(values):
    """Few numbers that change when any of the values does."""
    i = np.arange(len(values))
    return [float((values * np.cos(i * (j + 1) * 0.618 + j)).sum()) for j in range(4)]


def clean(value):
    return None if np.isnan(value) else float(f"{value:.11g}")


def flat(array):
    array = np.asarray(array)
    return np.stack([array.real, array.imag], -1).ravel() if np.iscomplexobj(array) else array.ravel()


THIN = [[1, 1], [1, 2], [2, 1], [1, 7], [9, 1], [1, 16], [17, 1], [1, 4]]


def group_of(number):
    random = Random(1000 + number)
    sig = THIN[number] if number < len(THIN) else [random.side(), random.side()]
    return random, {"sig": sig, "frames": FRAMES, "dtype": DTYPES[number % len(DTYPES)],
                    "order": random.one_of(["little", "big"]), "seed": number, "cases": []}


def expected(udf, params, data):
    found, size = RUNS[udf](data, {"params": params})
    values = flat(found)
    return {"udf": udf, "params": params, "size": float(f"{np.max(size, initial=0):.4g}"), "count": len(values),
            "values": [clean(v) for v in (values if len(values) <= 8 else projections(values))]}


def main(out):
    with open(out, "w") as file:
        for number in range(GROUPS):
            random, group = group_of(number)
            data = samples(group)
            for udf, make, count in KINDS:
                group["cases"] += [expected(udf, make(random, group), data) for _ in range(count)]
            assert len(group["cases"]) == CASES_PER_GROUP
            file.write(json.dumps(group, separators=(",", ":")) + "\n")


main(sys.argv[1])
