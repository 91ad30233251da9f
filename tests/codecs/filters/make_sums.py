"""Writes sums.json: streams of xz with each of its checks, by the Python standard library, which calls liblzma.

Run it in this folder: python make_sums.py
"""

import base64
import json
import lzma
import random

random.seed(9)
CHECKS = {"none": lzma.CHECK_NONE, "CRC-32": lzma.CHECK_CRC32, "CRC-64": lzma.CHECK_CRC64, "SHA-256": lzma.CHECK_SHA256}
DELTA = [{"id": lzma.FILTER_DELTA, "dist": 2}, {"id": lzma.FILTER_LZMA2, "preset": 6}]

cases = []
for name, check in CHECKS.items():
    for count in (0, 5, 700):
        value, plain = 30000, b""
        for _ in range(count):
            value += random.randint(-9, 9)
            plain += value.to_bytes(2, "little")
        for filters in (None, DELTA):
            stored = lzma.compress(plain, format=lzma.FORMAT_XZ, check=check, filters=filters)
            cases.append({
                "name": f"xz with {name}, {2 * count} bytes{', differences' if filters else ''}",
                "filter": "lzma",
                "values": [],
                "stored": base64.b64encode(stored).decode(),
                "plain": base64.b64encode(plain).decode(),
            })

with open("sums.json", "w") as f:
    json.dump(cases, f, indent=2)
