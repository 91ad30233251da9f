"""Makes the stores of this folder, and expected.json with digests of what zarr-python reads from them.

Needs from PyPI: zarr 3.1, numcodecs 0.16, ome-zarr. Run it in this folder: python make_zarr.py
"""
import hashlib
import json
import shutil
import warnings
import zipfile
from pathlib import Path

import numcodecs
import numpy as np
import zarr
from zarr.codecs import BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, ShardingCodec, TransposeCodec, ZstdCodec

warnings.simplefilter("ignore")
HERE = Path(__file__).parent
rng = np.random.default_rng(11)


def zipped(folder: Path) -> None:
    """The folder as an archive with fixed times, so that it is the same every time."""
    target = HERE / f"{folder.name}.zip"
    with zipfile.ZipFile(target, "w") as archive:
        for i, path in enumerate(sorted(p for p in folder.rglob("*") if p.is_file())):
            info = zipfile.ZipInfo(str(path.relative_to(folder)), (2026, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED if i % 3 == 0 else zipfile.ZIP_STORED
            archive.writestr(info, path.read_bytes())
    shutil.rmtree(folder)


def version2() -> Path:
    folder = HERE / "v2"
    root = zarr.open_group(str(folder), mode="w", zarr_format=2)
    counts = rng.poisson(3, (5, 7, 9)).astype("u2")
    floats = rng.normal(size=(6, 10))

    def add(name, data, chunks, **options):
        array = root.create_array(name, shape=data.shape, chunks=chunks, dtype=data.dtype, **options)
        array[...] = data

    for codec in ["lz4", "zstd", "blosclz", "zlib"]:
        for shuffle in [0, 1, 2]:
            blosc = numcodecs.Blosc(codec, 5, shuffle)
            add(f"blosc/{codec}{shuffle}", counts, (2, 7, 4), compressors=blosc)
    for name, codec in {
        "lz4": numcodecs.LZ4(), "zstd": numcodecs.Zstd(3), "gzip": numcodecs.GZip(5), "zlib": numcodecs.Zlib(5),
        "bz2": numcodecs.BZ2(5), "lzma": numcodecs.LZMA(), "raw": None,
    }.items():
        add(f"packed/{name}", counts, (3, 3, 9), compressors=codec)
    add("order_f", counts, (2, 3, 4), order="F", chunk_key_encoding={"name": "v2", "separator": "/"})
    add("big", counts.astype(">u2"), (2, 3, 4))
    add("big_f", counts.astype(">i4"), (5, 3, 4), order="F")
    gz = numcodecs.GZip(1)
    add("filters/delta", counts.astype("i4"), (2, 7, 9), filters=[numcodecs.Delta("i4")], compressors=gz)
    add("filters/delta_narrow", counts.astype("i8"), (2, 7, 9), filters=[numcodecs.Delta("i8", "i2")], compressors=gz)
    add("filters/delta_big", counts.astype(">i2"), (2, 7, 9), filters=[numcodecs.Delta(">i2")], compressors=gz)
    scale = numcodecs.FixedScaleOffset(offset=-5, scale=100, dtype="f8", astype="u2")
    add("filters/fixedscaleoffset", floats, (4, 10), filters=[scale])
    add("filters/quantize", floats, (4, 5), filters=[numcodecs.Quantize(2, "f8")])
    add("filters/quantize_f4", floats, (4, 5), filters=[numcodecs.Quantize(2, "f8", "f4")])
    add("filters/astype", counts.astype("f8"), (2, 7, 9), filters=[numcodecs.AsType("u2", "f8")])
    add("filters/packbits", floats > 0, (4, 7), filters=[numcodecs.PackBits()])
    add("filters/shuffle", counts, (2, 7, 9), filters=[numcodecs.Shuffle(2)], compressors=gz)
    add("filters/sums", counts, (2, 7, 9), filters=[numcodecs.Adler32(), numcodecs.CRC32(), numcodecs.Fletcher32()])
    for dtype, fill in {
        "f4": float("nan"), "f8": float("-inf"), "i8": -(2**63), "u8": 2**64 - 1, "c16": 1.5 - 2j, "b1": True, ">f4": 2.5,
    }.items():
        array = root.create_array(f"fill/{dtype.strip('>')}{'be' * ('>' in dtype)}", shape=(5, 6), chunks=(2, 6), dtype=dtype,
                                  fill_value=np.dtype(dtype).type(fill))
        array[2:4] = np.arange(12).reshape(2, 6)
    root.create_array("scalar", shape=(), dtype="f4")[...] = 3.25
    root.create_array("empty", shape=(0, 4), chunks=(1, 4), dtype="u1")
    zarr.consolidate_metadata(str(folder), zarr_format=2)
    return folder


def version3() -> Path:
    folder = HERE / "v3"
    root = zarr.open_group(str(folder), mode="w", zarr_format=3)
    counts = rng.poisson(3, (6, 8, 12)).astype("u2")

    def add(name, data, chunks, **options):
        array = root.create_array(name, shape=data.shape, chunks=chunks, dtype=data.dtype, **options)
        array[...] = data

    def sharded(name, data, outer, inner, codecs, **options):
        codec = ShardingCodec(chunk_shape=inner, codecs=codecs, **options)
        add(name, data, outer, serializer=codec, compressors=None, filters=None)

    add("zstd", counts, (4, 4, 4), compressors=ZstdCodec(level=1), dimension_names=["t", None, "x"])
    add("gzip_crc", counts, (4, 4, 4), compressors=[GzipCodec(), Crc32cCodec()])
    add("blosc", counts, (4, 4, 4), compressors=BloscCodec(cname="zstd", shuffle="bitshuffle", typesize=2))
    add("big", counts, (4, 5, 4), serializer=BytesCodec(endian="big"))
    add("transpose", counts, (4, 5, 6), filters=TransposeCodec(order=(2, 0, 1)))
    sparse = counts * (np.arange(6) % 3 == 0)[:, None, None]
    add("shards", sparse, (2, 4, 4), shards=(4, 8, 8))
    inner = [BytesCodec(), ZstdCodec()]
    sharded("index_start", counts, (6, 8, 12), (2, 4, 4), inner, index_location="start")
    sharded("index_big", counts, (6, 8, 12), (2, 4, 4), inner, index_codecs=[BytesCodec(endian="big"), Crc32cCodec()])
    sharded("index_plain", counts, (6, 8, 12), (2, 4, 4), [BytesCodec()], index_codecs=[BytesCodec()])
    sharded("inner_transpose", counts, (6, 8, 12), (2, 4, 3), [TransposeCodec(order=(1, 2, 0)), BytesCodec(endian="big")])
    nested = [ShardingCodec(chunk_shape=(1, 2, 4), codecs=inner, index_location="start")]
    sharded("nested", sparse, (6, 8, 12), (3, 4, 4), nested)
    add("packed_shards", counts, (6, 8, 12), filters=None, compressors=[Crc32cCodec()],
        serializer=ShardingCodec(chunk_shape=(2, 4, 4), codecs=inner))
    for dtype, fill in {"float16": float("nan"), "float32": float("inf"), "float64": 0.1, "int64": -(2**63), "complex64": 1j}.items():
        array = root.create_array(f"fill/{dtype}", shape=(5, 6), chunks=(2, 6), dtype=dtype, fill_value=fill)
        array[2:4] = np.arange(12).reshape(2, 6)
    root.create_array("scalar", shape=(), dtype="float32")[...] = 3.25
    zarr.consolidate_metadata(str(folder))
    return folder


def images(version: str) -> Path:
    from ome_zarr.format import FormatV04, FormatV05
    from ome_zarr.writer import write_image, write_labels

    folder = HERE / f"ome{version}"
    form = FormatV04() if version == "04" else FormatV05()
    root = zarr.open_group(str(folder), mode="w", zarr_format=form.zarr_format)
    axes = [{"name": "c", "type": "channel"}, {"name": "y", "type": "space", "unit": "micrometer"},
            {"name": "x", "type": "space", "unit": "nanometer"}]
    data = rng.poisson(9, (2, 32, 48)).astype("u2")
    labels = (data[0] > 9).astype("u1") * 3
    steps = [[{"type": "scale", "scale": [1, 0.5 * 2**n, 20.0 * 2**n]}, {"type": "translation", "translation": [0, 0.25 * n, 5]}]
             for n in range(3)]
    pyramid = [data[:, ::2**n, ::2**n] for n in range(3)]
    from ome_zarr.writer import write_multiscale
    write_multiscale(pyramid, root, fmt=form, axes=axes, coordinate_transformations=steps, name="beads",
                     storage_options={"chunks": (1, 16, 16)})
    write_labels(labels, root, "cells", axes=axes[1:], fmt=form, scaler=None, storage_options={"chunks": (16, 16)},
                 label_metadata={"colors": [{"label-value": 3, "rgba": [255, 0, 0, 255]}]})
    return folder


def digests(folder: Path) -> dict:
    found = {}

    def visit(node, path):
        if isinstance(node, zarr.Array):
            data = np.ascontiguousarray(node[...])
            data = data.astype(data.dtype.newbyteorder("<"))
            found[path or "/"] = [data.dtype.name, list(node.shape), hashlib.sha256(data.tobytes()).hexdigest()]
        else:
            for name, child in sorted(node.members()):
                visit(child, f"{path}/{name}".strip("/"))

    visit(zarr.open(str(folder), mode="r", use_consolidated=False), "")
    return found


def main() -> None:
    expected = {}
    for make in [version2, version3, lambda: images("04"), lambda: images("05")]:
        folder = make()
        expected[f"{folder.name}.zip"] = digests(folder)
        zipped(folder)
    counts = rng.poisson(3, (3, 4, 6, 8)).astype("u2")
    for name, options in {"keyed": {"chunks": (2, 2, 6, 8)}, "sharded": {"chunks": (1, 1, 6, 4), "shards": (2, 2, 6, 8)}}.items():
        folder = HERE / f"{name}.zarr"
        shutil.rmtree(folder, ignore_errors=True)
        array = zarr.create_array(str(folder), shape=counts.shape, dtype="u2", fill_value=5, **options)
        array[...] = counts
        array[2:, 2:] = 5  # never written
        expected[folder.name] = digests(folder)
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


main()
