"""Random Zarr arrays by zarr-python: both versions, every codec that it has, shards, orders, fill values, archives."""

import os
import warnings

import numcodecs
import numpy as np
import zarr
import zarr.codecs as codecs
from zarr.codecs import numcodecs as more
from zarr.storage import LocalStore, ZipStore

from values import digest, samples, told

DTYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]


def shape_and_chunks(rng):
    rank = rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 4])
    most = {0: 1, 1: 200, 2: 40, 3: 14, 4: 8}[rank]
    shape = [rng.randint(1, most) for _ in range(rank)]
    chunks = [rng.randint(1, n + rng.choice([0, 0, 3])) for n in shape]
    if rank and rng.random() < 0.03:
        shape[rng.randrange(rank)] = 0  # nothing at all
    return shape, chunks


def fill_for(rng, dtype):
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.choice([False, True])
    if kind in "ui":
        info = np.iinfo(dtype)
        return rng.choice([0, 1, 7, int(info.max), int(info.min)])
    if kind == "f":
        return rng.choice([0.0, 1.5, -0.25, float("nan"), float("inf"), float("-inf"), -0.0])
    return rng.choice([0j, 1 + 2j, complex("nan")])


def blosc_v2(rng):
    return numcodecs.Blosc(cname=rng.choice(["lz4", "lz4hc", "zstd", "zlib", "blosclz"]), clevel=rng.randint(0, 9), shuffle=rng.choice([0, 1, 2]))


def compressor_v2(rng):
    return rng.choice([None, blosc_v2(rng), blosc_v2(rng), numcodecs.Zstd(level=rng.randint(1, 9)), numcodecs.GZip(1), numcodecs.Zlib(1),
                       numcodecs.LZ4(), numcodecs.BZ2(), numcodecs.LZMA()])


def named(rng, dtype):
    """A type as NumPy names it: numcodecs keeps what it is given in version 3."""
    dtype = np.dtype(dtype)
    return rng.choice([dtype.str, dtype.name, dtype.str[1:]]) if dtype.str[0] != ">" else dtype.str


def filters_v2(rng, dtype):
    kind, found = dtype, []
    little = kind.newbyteorder("<")
    if kind.kind in "ui" and rng.random() < 0.3:
        kind = kind.newbyteorder(rng.choice("<>"))  # numcodecs takes bytes as they are, whatever the array says
    if kind.kind in "ui" and rng.random() < 0.3:
        found.append(numcodecs.Delta(dtype=kind.str))
    elif kind.kind == "f" and rng.random() < 0.15:
        found.append(numcodecs.BitRound(keepbits=rng.randint(3, 9)))
    elif kind.kind == "f" and kind.itemsize > 2 and rng.random() < 0.15:
        found.append(numcodecs.Quantize(digits=rng.randint(0, 3), dtype=kind.str, astype=rng.choice([kind.str, "<f4"])))
    elif kind.kind == "f" and kind.itemsize > 2 and rng.random() < 0.15:
        found.append(numcodecs.FixedScaleOffset(offset=rng.choice([0, -3, 10]), scale=rng.choice([1, 10, 100]), dtype=kind.str, astype=rng.choice(["<i4", "<i2"])))
    elif kind.kind in "uif" and kind.itemsize > 1 and rng.random() < 0.1:
        found.append(numcodecs.AsType(encode_dtype="<f8", decode_dtype=kind.str))
    elif kind.kind == "b" and rng.random() < 0.3:
        found.append(numcodecs.PackBits())
    if rng.random() < 0.15 and kind.kind != "b" and not found:
        found.append(numcodecs.Shuffle(elementsize=little.itemsize))
    if rng.random() < 0.2:
        found.append(rng.choice([numcodecs.CRC32(), numcodecs.Adler32(), numcodecs.Fletcher32(), numcodecs.CRC32C()] if hasattr(numcodecs, "CRC32C") else
                                [numcodecs.CRC32(), numcodecs.Adler32(), numcodecs.Fletcher32()]))
    return found or None


def blosc_v3(rng):
    return codecs.BloscCodec(cname=rng.choice(["lz4", "lz4hc", "zstd", "zlib", "blosclz"]), clevel=rng.randint(0, 9),
                             shuffle=rng.choice(["noshuffle", "shuffle", "bitshuffle"]))


def pack_v3(rng):
    """Codecs of bytes."""
    first = rng.choice([None, blosc_v3(rng), blosc_v3(rng), codecs.ZstdCodec(level=rng.randint(0, 9), checksum=rng.random() < 0.5), codecs.GzipCodec(level=1),
                        more.LZMA(), more.BZ2(), more.LZ4(), more.Zlib(), more.Zstd()])
    found = [first] if first else []
    if rng.random() < 0.2:
        found.append(rng.choice([codecs.Crc32cCodec(), more.CRC32(), more.Adler32(), more.Fletcher32()]))
    return found


def filters_v3(rng, dtype):
    kind = np.dtype(dtype)
    name = named(rng, kind.newbyteorder("<"))
    if kind.kind in "ui" and rng.random() < 0.15:
        return [more.Delta(dtype=name)]
    if kind.kind == "f" and rng.random() < 0.1:
        return [more.BitRound(keepbits=rng.randint(3, 9))]
    if kind.kind == "f" and kind.itemsize > 2 and rng.random() < 0.1:
        return [more.FixedScaleOffset(offset=rng.choice([0, -3]), scale=rng.choice([1, 10]), dtype=name, astype=named(rng, "<i4"))]
    if kind.kind == "f" and kind.itemsize > 2 and rng.random() < 0.1:
        return [more.Quantize(digits=rng.randint(0, 3), dtype=name)]
    return []


def transposed(rng, rank):
    order = list(range(rank))
    rng.shuffle(order)
    return [codecs.TransposeCodec(order=tuple(order))] if rank > 1 and rng.random() < 0.3 else []


def bytes_v3(rng, dtype):
    return codecs.BytesCodec(endian=rng.choice(["little", "big"]) if np.dtype(dtype).itemsize > 1 else None)


def version_2(rng, store, path, shape, chunks, dtype, fill):
    stored = np.dtype(dtype).newbyteorder(rng.choice("<>"))
    filters = filters_v2(rng, stored)
    facts = {"order": rng.choice("CF"), "dimension_separator": rng.choice("./"), "filters": filters, "compressors": compressor_v2(rng), "fill_value": fill}
    array = zarr.create_array(store, name=path or None, shape=shape, chunks=chunks, dtype=stored, zarr_format=2,
                              order=facts["order"], chunk_key_encoding={"name": "v2", "separator": facts["dimension_separator"]},
                              filters=filters, compressors=facts["compressors"], fill_value=fill)
    return array, {**{key: str(value) for key, value in facts.items()}, "dtype": stored.str}


def version_3(rng, store, path, shape, chunks, dtype, fill):
    rank = len(shape)
    filters, order = filters_v3(rng, dtype), transposed(rng, rank)
    pack = pack_v3(rng)
    facts = {"filters": filters, "order": order, "pack": pack, "fill_value": fill}
    if rng.random() < 0.45 and rank > 0 and not filters:
        shards = [n * rng.randint(1, 3) for n in chunks]
        index = [codecs.BytesCodec(endian=rng.choice(["little", "big"]))] + ([codecs.Crc32cCodec()] if rng.random() < 0.8 else [])
        inner = [*order, bytes_v3(rng, dtype), *pack]
        outside = transposed(rng, rank) if rng.random() < 0.3 else []
        order_outside = outside[0].order if outside else range(rank)
        inside, shards_inside = [chunks[d] for d in order_outside], [shards[d] for d in order_outside]
        outer = shards
        sharding = codecs.ShardingCodec(chunk_shape=tuple(inside), codecs=inner, index_codecs=index, index_location=rng.choice(["start", "end"]))
        facts |= {"shards": shards, "index": index, "where": str(sharding.index_location)}
        if rng.random() < 0.2:  # shards in shards
            outer = [n * rng.randint(1, 2) for n in shards]
            sharding = codecs.ShardingCodec(chunk_shape=tuple(shards_inside), codecs=[sharding], index_location=rng.choice(["start", "end"]))
            facts["outer"] = outer
        serializer, chunks, filters, pack = sharding, outer, outside, []
        facts["outside"] = filters
    else:
        big = codecs.BytesCodec() if filters else bytes_v3(rng, dtype)  # codecs of numcodecs take all bytes for little-endian
        serializer, filters = big, [*filters, *order]
        facts["bytes"] = serializer
    key = rng.choice([{"name": "default", "separator": "/"}, {"name": "default", "separator": "."}, {"name": "v2", "separator": "."}, {"name": "v2", "separator": "/"}])
    names = [rng.choice(["z", "y", "x", "t", None]) for _ in shape] if rng.random() < 0.3 else None
    array = zarr.create_array(store, name=path or None, shape=shape, chunks=chunks, dtype=dtype, zarr_format=3, serializer=serializer,
                              filters=filters or None, compressors=pack or None, fill_value=fill, chunk_key_encoding=key, dimension_names=names)
    return array, {**{name: str(value) for name, value in facts.items()}, "key": str(key), "dtype": dtype}


def written(rng, array, shape, dtype):
    """Writes all samples, or a box of them. Returns what is there now."""
    data, now = samples(rng, shape, dtype), np.full(shape, array.fill_value, dtype)
    if rng.random() < 0.3 and shape and now.size > 0:
        start = [rng.randint(0, n - 1) for n in shape]
        stop = [rng.randint(o + 1, n) for o, n in zip(start, shape)]
        part = tuple(slice(a, b) for a, b in zip(start, stop))
        array[part] = now[part] = data[part]
    elif rng.random() < 0.9 and now.size > 0:
        array[...] = now[...] = data
    return now


def make(rng, folder, index):
    version = rng.choice([2, 3, 3])
    archive = rng.random() < 0.2
    file = f"{index}.zarr" + (".zip" if archive else "")
    where = os.path.join(folder, file)
    single = rng.random() < 0.6
    arrays, spec = [], {"version": version, "archive": archive, "arrays": []}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        store = ZipStore(where, mode="w", compression=rng.choice([0, 8])) if archive else LocalStore(where)
        if not single:
            zarr.create_group(store, zarr_format=version)
        try:
            for path in [""] if single else [rng.choice(["a", "0", "ä ö", "a.b"]), "b/c"][:rng.randint(1, 2)]:
                shape, chunks = shape_and_chunks(rng)
                dtype = rng.choice(DTYPES)
                fill = fill_for(rng, dtype)
                one = {"shape": shape, "chunks": chunks, "name": path}
                array, facts = (version_2 if version == 2 else version_3)(rng, store, path, shape, chunks, dtype, fill)
                spec["arrays"].append({**one, **facts})
                lossless = not any(word in str(facts["filters"]) for word in ("BitRound", "Quantize", "FixedScale", "AsType"))
                arrays.append((path or "/", array, written(rng, array, shape, dtype) if lossless else (written(rng, array, shape, dtype), None)[1]))
            if not single and rng.random() < 0.4 and not archive:
                zarr.consolidate_metadata(store)
                spec["consolidated"] = True
            told_arrays = []
            peers = {}
            for name, array, wanted in arrays:
                if wanted is None:
                    wanted = np.asarray(array[...])
                elif digest(np.asarray(array[...])) != digest(wanted):
                    if array.dtype.kind == "c" and np.isnan(array.fill_value):
                        wanted = np.asarray(array[...])  # a chunk of NaN in one part is not written, as if it was the fill
                    else:
                        peers[name] = "other samples"
                told_arrays.append(told(name, wanted))
        except Exception as error:
            store.close()
            return {"writer": f"version_{version}", "file": file, "skipped": f"{type(error).__name__}: {error}"[:150]}
        store.close()
    return {"writer": f"version_{version}", "file": file, "arrays": told_arrays, "spec": spec, "peers": peers}
