"""Makes written.tgz: UVFITS and UVH5 files of drawn contents, as pyuvdata writes them, and UVFITS files whose groups are written
byte by byte (any order of axes, scaled integers, subarrays, several setups of frequencies), with what pyuvdata, or astropy, reads
from them in written.json.

Needs pyuvdata, astropy and numpy. Run it in this folder: python make_written.py
For more files, in another folder: python make_written.py COUNT FOLDER
"""

import io
import json
import os
import sys
import tarfile
import tempfile
import warnings

import astropy.units as u
import numpy as np
from astropy.coordinates import EarthLocation, SkyCoord
from astropy.io import fits
from astropy.time import Time
from pyuvdata import Telescope, UVData

C = 299792458.0
MJD = 2400000.5
warnings.simplefilter("ignore")
NAMES = {-1: "RR", -2: "LL", -3: "RL", -4: "LR", -5: "XX", -6: "YY", -7: "XY", -8: "YX", 1: "I", 2: "Q", 3: "U", 4: "V"}
FRAMES = [("icrs", 2000.0), ("fk5", 2000.0), ("fk4", 1950.0), ("galactic", 2000.0), ("fk4noeterms", 1950.0)]


def pick(rng, values, usual=0.3):
    values = list(values)
    return values[0] if rng.random() < usual else values[int(rng.integers(len(values)))]


def centre(frame, lon, lat):
    """Longitude and latitude in the system that directions of lists count as."""
    if frame == "fk5":
        return [float(lon), float(lat)]
    at = SkyCoord(lon * u.rad, lat * u.rad, frame=frame).icrs
    return [at.ra.rad, at.dec.rad]


def numbers(values):
    return [float(value) for value in np.ravel(values)]


def pairs(values):
    values = np.ravel(values)
    return numbers(np.stack([values.real, values.imag], axis=1))


def wide(rng, most):
    return int(rng.integers(1, most + 1))


def drawn(rng, kind):
    """A UVData object of drawn contents, for a kind of phase centre."""
    count = int(rng.integers(2, 6))
    ids = sorted(int(i) for i in rng.choice(np.arange(1, 300 if rng.random() < 0.1 else 200), count, replace=False))
    place = EarthLocation.from_geodetic(float(rng.uniform(-180, 180)), float(rng.uniform(-70, 70)), float(rng.uniform(0, 3000)))
    circular = rng.random() < 0.4
    feeds = pick(rng, [["r", "l"]] if circular else [["x", "y"], ["y", "x"]])
    angles = [0.0, 0.0] if circular else pick(rng, [[np.pi / 2, 0.0], [0.0, np.pi / 2], [0.3, 0.3 + np.pi / 2]])
    telescope = Telescope.new(
        name="T", location=place, instrument="I",
        antenna_positions={i: rng.normal(size=3) * 300 for i in ids},
        antenna_names=[f"ant{i}" for i in ids], antenna_numbers=ids,
        feed_array=np.tile(feeds, (count, 1)), feed_angle=np.tile(angles, (count, 1)),
        mount_type=pick(rng, ["alt-az", "fixed", "equatorial"]),
    )
    pols = pick(rng, [[-1, -2, -3, -4], [-1], [-1, -2]] if circular else [[-5, -6, -7, -8], [-5, -6], [-6], [1, 2, 3, 4], [1]])
    bands = pick(rng, [1, 2, 3], 0.6)
    chans, width = wide(rng, 5), float(pick(rng, [1e5, 1.5e6, 24414.0625])) * (1 if rng.random() < 0.8 else -1)
    starts = 1.2e8 + np.cumsum(rng.integers(20, 40, bands)) * 1e6
    freqs = np.concatenate([start + width * np.arange(chans) for start in starts])
    times = 2459000.5 + float(rng.uniform(0, 400)) + np.arange(wide(rng, 3)) * 10.0 / 86400
    catalog = {}
    for i in range(pick(rng, [1, 2, 3], 0.5) if kind == "sidereal" else 1):
        frame, epoch = pick(rng, FRAMES) if i == 0 else (frame, epoch)
        catalog[i] = dict(cat_name=f"f{i}", cat_type=kind, cat_frame=frame, cat_epoch=epoch,
                          cat_lon=float(rng.uniform(0, 2 * np.pi)), cat_lat=float(rng.uniform(-1.4, 1.4)))
    if kind == "unprojected":
        catalog[0].update(cat_frame="altaz", cat_lon=0.0, cat_lat=np.pi / 2, cat_epoch=2000.0)
    if kind == "driftscan":
        catalog[0].update(cat_frame="altaz", cat_lon=0.3, cat_lat=1.2, cat_epoch=2000.0)
    if kind == "ephem":
        catalog[0].update(cat_times=[times[0] - 0.1, times[-1] + 0.1], cat_lon=[0.3, 0.4], cat_lat=[0.2, 0.3], cat_frame="icrs", cat_epoch=2000.0)
    antpairs = [(a, b) for n, a in enumerate(ids) for b in ids[n + int(rng.random() < 0.5):]] or [(ids[0], ids[1])]
    uv = UVData.new(
        freq_array=freqs, polarization_array=pols, times=times, telescope=telescope, antpairs=antpairs, do_blt_outer=True,
        integration_time=float(pick(rng, [10.0, 2.5])), channel_width=np.full(freqs.size, abs(width)),
        flex_spw_id_array=np.repeat(np.arange(bands), chans), phase_center_catalog=catalog,
        phase_center_id_array=None if len(catalog) == 1 else rng.integers(0, len(catalog), len(times) * len(antpairs)),
        vis_units=pick(rng, ["Jy", "uncalib"]), empty=True, x_orientation=None,
    )
    shape = uv.data_array.shape
    values = rng.normal(size=shape) + 1j * rng.normal(size=shape)
    uv.data_array = values.astype(np.complex64 if rng.random() < 0.5 else np.complex128)
    uv.flag_array = rng.random(shape) < 0.2
    uv.nsample_array = rng.uniform(0.1, 2, shape).astype(np.float32)
    uv.reorder_blts(order="time", minor_order="baseline")
    if kind == "sidereal":
        uv.set_uvws_from_antenna_positions(update_vis=False)
    return uv


def meant(uv, sign):
    """What a file means, as pyuvdata reads it; `sign` is -1 where files hold the negative of its baselines."""
    number = int(uv.phase_center_id_array[0])
    rows = np.flatnonzero(uv.phase_center_id_array == number)
    one = uv.phase_center_catalog[number]
    ids = list(uv.telescope.antenna_numbers)
    data = uv.data_array[rows]
    feeds = uv.telescope.feed_array
    return dict(
        rows=len(rows), field=one["cat_name"], fields=[v["cat_name"] for v in uv.phase_center_catalog.values()],
        frame=one["cat_frame"], phaseCentre=centre(one["cat_frame"], one["cat_lon"], one["cat_lat"]),
        antennas=list(map(str, uv.telescope.antenna_names)),
        positions=numbers(uv.telescope.antenna_positions + uv.telescope._location.xyz()),
        receptors=None if feeds is None else [[str(f).upper(), float(a)] for f, a in zip(feeds[0], uv.telescope.feed_angle[0])],
        correlations=[NAMES[int(p)] for p in uv.polarization_array], frequencies=numbers(uv.freq_array),
        widths=numbers(np.abs(uv.channel_width)), times=numbers((uv.time_array[rows] - MJD) * 86400),
        antenna1=[ids.index(a) for a in uv.ant_1_array[rows]], antenna2=[ids.index(a) for a in uv.ant_2_array[rows]],
        uvw=numbers(sign * uv.uvw_array[rows]), interval=numbers(uv.integration_time[rows]),
        visibility=pairs(data if sign > 0 else np.conj(data)), flag=numbers(uv.flag_array[rows]),
        weight=numbers(uv.nsample_array[rows]), unit=uv.vis_units,
    )


def by_pyuvdata(name, rng):
    is_fits = name.endswith(".uvfits")
    kind = "sidereal" if is_fits else pick(rng, ["sidereal", "unprojected", "driftscan", "ephem"], 0.6)
    uv = drawn(rng, kind)
    if is_fits:
        uv.write_uvfits(name, run_check=False)
    else:
        uv.write_uvh5(name, clobber=True, run_check=False)
    if kind != "sidereal":
        return dict(refused=kind)
    back = UVData()
    back.read(name, run_check=False, file_type="uvfits" if is_fits else "uvh5")
    return meant(back, -1 if is_fits else 1)


def uvw_of(places, first, second, days, lon, lat):
    """Baselines from antenna 2 to antenna 1, in metres."""
    angle = np.radians(280.46061837 + 360.98564736629 * (days + MJD - 2451545.0)) - lon
    x, y, z = (places[first] - places[second]).T
    along = np.cos(angle) * x - np.sin(angle) * y
    return np.stack([np.sin(angle) * x + np.cos(angle) * y, -np.sin(lat) * along + np.cos(lat) * z, np.cos(lat) * along + np.sin(lat) * z], axis=1)


def by_bytes(name, rng):
    """Groups that are written byte by byte."""
    bits = pick(rng, [-32, -64, 16, 32])
    axes = {"COMPLEX": pick(rng, [3, 2], 0.8), "STOKES": wide(rng, 4), "FREQ": wide(rng, 4), "IF": pick(rng, [1, 2, 3]), "RA": 1, "DEC": 1}
    order = list(axes) if rng.random() < 0.3 else list(rng.permutation(list(axes)))
    bands, chans, pols = axes["IF"], axes["FREQ"], axes["STOKES"]
    first_pol = int(pick(rng, [-1, -5, 1]))
    width, pixel = float(rng.choice([1e5, -2e5])), float(pick(rng, [1.0, 2.0, 0.5]))
    start = float(rng.uniform(1, 2) * 1e9)
    arrays, setups = pick(rng, [1, 2], 0.7), pick(rng, [1, 2], 0.7)
    has_sources, has_fq = rng.random() < 0.6, bands > 1 or setups > 1 or rng.random() < 0.5
    sources = 3 if has_sources else 1
    left = rng.random() < 0.3
    straight = rng.random() < 0.3
    absolute = rng.random() < 0.2
    named = pick(rng, ["", "ICRS", "FK5", "FK4"])
    equinox = {"ICRS": 2000.0, "FK5": 2000.0, "FK4": 1950.0}.get(named) or pick(rng, [2000.0, 1950.0])
    frame = named.lower() or ("fk4" if equinox == 1950 else "fk5")
    scale = pick(rng, ["UTC", "IAT", "TAI"])
    form = pick(rng, ["BASELINE", "2048", "ANTENNAS"])
    suffix = pick(rng, ["", "---SIN", "-L-SIN", "-L"])

    # antennas: one table per subarray, and their places from the centre of the Earth
    tables, places, keys = [], [], {}
    centre_at = np.array([3e6, 2e6, 5e6]) + rng.normal(size=3) * 1e5
    longitude = np.arctan2(centre_at[1], centre_at[0])
    turn = np.array([[np.cos(longitude), -np.sin(longitude), 0], [np.sin(longitude), np.cos(longitude), 0], [0, 0, 1]])
    for subarray in range(1, arrays + 1):
        count = int(rng.integers(3, 6))
        ids = sorted(int(i) for i in rng.choice(np.arange(1, 250), count, replace=False))
        local = rng.normal(size=(count, 3)) * 500
        for i in ids:
            keys[subarray, i] = len(keys)
        places += list(centre_at + (local if straight or absolute else local @ turn.T))
        stored = local + (centre_at if absolute else 0)
        columns = [
            fits.Column("ANNAME", "8A", array=[f"A{i}" for i in ids]),
            fits.Column("STABXYZ", "3D", "METERS", array=stored * np.array([1, -1 if left else 1, 1])),
            fits.Column("NOSTA", "1J", array=ids), fits.Column("MNTSTA", "1J", array=[0] * count),
            fits.Column("POLTYA", "1A", array=["X" if first_pol == -5 else "R"] * count),
            fits.Column("POLAA", "1E", "DEGREES", array=[30.0] * count),
            fits.Column("POLTYB", "1A", array=["Y" if first_pol == -5 else "L"] * count),
            fits.Column("POLAB", "1E", "DEGREES", array=[120.0] * count),
            fits.Column("ORBPARM", "0D", array=np.zeros((count, 0))),
        ]
        table = fits.BinTableHDU.from_columns(columns[:-1] if rng.random() < 0.5 else columns, name="AIPS AN", ver=subarray)
        x, y, z = np.zeros(3) if absolute else centre_at
        table.header.update(dict(ARRAYX=x, ARRAYY=y, ARRAYZ=z, TIMSYS=scale, FRAME=pick(rng, ["ITRF", "????"]), XYZHAND="LEFT" if left else "RIGHT"))
        tables.append(table)
    places = np.array(places)

    # setups of frequencies
    setup_ids, offsets, widths = list(range(1, setups + 1)), np.zeros((setups, bands)), np.full((setups, bands), width)
    if has_fq:
        offsets = np.round(rng.uniform(0, 1e8, (setups, bands)))
        widths = rng.choice([1e5, -1e5, 5e4], (setups, bands))
        as_cell = (lambda a: a[:, 0]) if bands == 1 else (lambda a: a)
        tables.append(fits.BinTableHDU.from_columns([
            fits.Column("FRQSEL", "1J", array=setup_ids),
            fits.Column("IF FREQ", f"{bands}D", "HZ", array=as_cell(offsets)),
            fits.Column("CH WIDTH", f"{bands}E", "HZ", array=as_cell(widths)),
        ], name="AIPS FQ"))
    lon, lat = rng.uniform(0, 2 * np.pi, sources), rng.uniform(-1.2, 1.2, sources)
    shifts = np.round(rng.uniform(-1e5, 1e5, (sources, bands))) * (rng.random() < 0.5) * has_sources
    source_ids = [4, 1, 12][:sources] if has_sources else [0]
    if has_sources:
        tables.append(fits.BinTableHDU.from_columns([
            fits.Column("ID. NO.", "1J", array=source_ids), fits.Column("SOURCE", "16A", array=[f"s{i}" for i in source_ids]),
            fits.Column("QUAL", "1J", array=[0] * sources),
            fits.Column("RAEPO", "1D", "DEGREES", array=np.degrees(lon)), fits.Column("DECEPO", "1D", "DEGREES", array=np.degrees(lat)),
            fits.Column("EPOCH", "1D", "YEARS", array=[equinox] * sources), fits.Column("PMRA", "1D", array=np.zeros(sources)),
            fits.Column("FREQOFF", f"{bands}D", "HZ", array=shifts[:, 0] if bands == 1 else shifts),
        ], name="AIPS SU"))

    # rows
    rows = int(rng.integers(4, 30))
    subarray = rng.integers(1, arrays + 1, rows)
    own = [[i for s, i in keys if s == n] for n in subarray]
    antenna1, antenna2 = (np.array(x) for x in zip(*[sorted(rng.choice(ids, 2, replace=False)) for ids in own]))
    first, second = (np.array([keys[s, a] for s, a in zip(subarray, x)]) for x in (antenna1, antenna2))
    days = 59000.0 + np.sort(rng.integers(0, 4, rows)) * 16 / 86400
    which = rng.integers(0, sources, rows)
    setup = rng.integers(1, setups + 1, rows)
    stored_days = days + (37.0 / 86400 if scale != "UTC" else 0)  # TAI - UTC since 2017
    uvw = uvw_of(places, first, second, days, lon[0], lat[0]) / (C / start if suffix.startswith("-L") else C)

    parameters = []  # name, values, scale, zero
    def put(name, values, zero=0.0):
        if bits > 0:
            values = np.asarray(values, dtype=float) - zero
            step = float(max(1e-30, np.abs(values).max() / (30000 if bits == 16 else 2e9)))
            parameters.append((name, np.round(values / step), step, zero))
            if bits == 16:  # the rest in a second term
                rest = values - np.round(values / step) * step
                step = float(max(1e-30, np.abs(rest).max() / 30000))
                parameters.append((name, np.round(rest / step), step, 0.0))
            return
        low = (np.asarray(values, dtype=float) - zero).astype(np.float32 if bits == -32 else float)
        parameters.append((name, low, 1.0, zero))
        if bits == -32:
            parameters.append((("_" + name) if name == "DATE" and rng.random() < 0.5 else name, (np.asarray(values) - zero - low.astype(float)).astype(np.float32), 1.0, 0.0))
    def whole(name, values):
        parameters.append((name, np.asarray(values, dtype=float), 1.0, 0.0))
    for k, letter in enumerate("UVW"):
        put(f"{letter}{letter}{suffix}", uvw[:, k])
    put("DATE", stored_days + MJD, zero=59000.0 + MJD)
    if form == "ANTENNAS":
        whole("ANTENNA1", antenna1), whole("ANTENNA2", antenna2), whole("SUBARRAY", subarray)
    elif bits > 0 and (arrays > 1 or bits == 16):
        put("BASELINE", (256 * antenna1 + antenna2) + (subarray - 1) * 0.01)
    else:
        whole("BASELINE", (256 * antenna1 + antenna2 if form == "BASELINE" else 2048 * antenna1 + antenna2 + 65536) + (subarray - 1) * (0.01 if form == "BASELINE" else 0))
        if form == "2048" and arrays > 1:
            whole("SUBARRAY", subarray)
    if has_sources:
        whole("SOURCE", np.array(source_ids)[which])
    if setups > 1:
        whole("FREQSEL", setup)
    has_inttim = rng.random() < 0.7
    if has_inttim:
        whole("INTTIM", np.full(rows, 16.0))
    days = sum(values.astype(float) * step + (zero - MJD if zero else 0) for what, values, step, zero in parameters if what.endswith("DATE"))
    days = days - (37.0 / 86400 if scale != "UTC" else 0)  # what is left of them

    # samples
    sizes = [axes[name] for name in order]
    count = int(np.prod(sizes))
    bscale, bzero = (1.0, 0.0) if bits < 0 else (0.25, 1.0)
    samples = np.round(rng.normal(size=(rows, count)) * 40) if bits > 0 else rng.normal(size=(rows, count))
    kind = {16: ">i2", 32: ">i4", -32: ">f4", -64: ">f8"}[bits]
    raw = np.concatenate([np.stack([p[1] for p in parameters], axis=1), samples], axis=1).astype(kind)

    header = fits.Header()
    header["SIMPLE"], header["BITPIX"], header["NAXIS"], header["NAXIS1"] = True, bits, len(order) + 1, 0
    for n, size in enumerate(sizes):
        header[f"NAXIS{n + 2}"] = size
    header["EXTEND"], header["GROUPS"], header["PCOUNT"], header["GCOUNT"] = True, True, len(parameters), rows
    for n, (what, _, step, zero) in enumerate(parameters):
        header[f"PTYPE{n + 1}"], header[f"PSCAL{n + 1}"], header[f"PZERO{n + 1}"] = what, step, zero
    for n, what in enumerate(order):
        value = {"COMPLEX": (1.0, 1.0, 1.0), "STOKES": (first_pol, 1.0, 1.0 if first_pol > 0 else -1.0), "FREQ": (start, pixel, width),
                 "IF": (1.0, 1.0, 1.0), "RA": (np.degrees(lon[0]), 1.0, 1.0), "DEC": (np.degrees(lat[0]), 1.0, 1.0)}[what]
        header[f"CTYPE{n + 2}"], header[f"CRVAL{n + 2}"], header[f"CRPIX{n + 2}"], header[f"CDELT{n + 2}"] = (what, *value)
    header["BSCALE"], header["BZERO"], header["OBJECT"], header["BUNIT"] = bscale, bzero, "one", "JY"
    header[pick(rng, ["EPOCH", "EQUINOX"])] = equinox
    header["OBSRA"], header["OBSDEC"] = 12.0, 13.0
    if named:
        header["RADESYS"] = named
    data = raw.tobytes()
    with open(name, "wb") as file:
        file.write(header.tostring(padding=True).encode() + data + b"\0" * (-len(data) % 2880))
        for table in tables:
            held = io.BytesIO()
            fits.HDUList([fits.PrimaryHDU(), table]).writeto(held)
            file.write(held.getvalue()[2880:])

    with fits.open(name) as opened:  # what astropy reads; of integers it leaves out BZERO
        groups = opened[0].data
        read = np.asarray(groups.data, dtype=float) + bzero
        np.testing.assert_allclose(read.reshape(rows, -1), samples.astype(kind) * bscale + bzero)
        read = read.reshape([rows] + sizes[::-1])
        uvw = np.stack([groups.par(f"{letter}{letter}{suffix}") for letter in "UVW"], axis=1) * (C / start if suffix.startswith("-L") else C)
    mine = (which == which[0]) & (setup == setup[(which == which[0]).argmax()])
    index = setup[mine.argmax()] - 1
    where = [0] + [1 + order[::-1].index(what) for what in ("RA", "DEC", "IF", "FREQ", "STOKES", "COMPLEX")]
    read = read.transpose(where).reshape(rows, bands * chans, pols, axes["COMPLEX"])[mine]
    frequencies = start + offsets[index][:, None] + (np.arange(chans)[None] + 1 - pixel) * widths[index][:, None] + shifts[which[0]][:, None]
    weight = read[..., 2] if axes["COMPLEX"] == 3 else np.ones(read.shape[:3])
    steps = np.diff(np.unique(days[mine]))
    return dict(
        rows=int(mine.sum()), field=f"s{source_ids[which[0]]}" if has_sources else "one",
        fields=[f"s{i}" for i in source_ids] if has_sources else ["one"], frame=frame,
        phaseCentre=centre(frame, lon[which[0]], lat[which[0]]), antennas=[f"A{i}" for _, i in keys],
        positions=None if which[0] != 0 else numbers(places),
        receptors=[["X" if first_pol == -5 else "R", np.radians(30)], ["Y" if first_pol == -5 else "L", np.radians(120)]],
        correlations=[NAMES[first_pol + k * (1 if first_pol > 0 else -1)] for k in range(pols)],
        frequencies=numbers(frequencies), widths=numbers(np.repeat(np.abs(widths[index]), chans)), times=numbers(days[mine] * 86400),
        antenna1=[int(i) for i in first[mine]], antenna2=[int(i) for i in second[mine]], uvw=numbers(uvw[mine]),
        interval=numbers(np.full(mine.sum(), 16.0 if has_inttim else (np.round(steps.min() * 86400, 3) if steps.size else 0.0))),
        visibility=pairs(read[..., 0] + 1j * read[..., 1]), flag=numbers(weight <= 0), weight=numbers(np.abs(weight)), unit="Jy",
    )


def main(count, folder):
    found = {}
    for seed in range(count):
        rng = np.random.default_rng(seed)
        for name, make in ((f"p{seed}.uvfits", by_pyuvdata), (f"a{seed}.uvfits", by_bytes), (f"h{seed}.uvh5", by_pyuvdata)):
            found[name] = make(os.path.join(folder, name), rng)
    return found


if __name__ == "__main__":
    if len(sys.argv) > 2:
        os.makedirs(sys.argv[2], exist_ok=True)
        with open(os.path.join(sys.argv[2], "written.json"), "w") as file:
            json.dump(main(int(sys.argv[1]), sys.argv[2]), file)
        sys.exit()
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as folder, tarfile.open(os.path.join(here, "written.tgz"), "w:gz") as packed:
        found = main(5, folder)
        for name in sorted(found):
            packed.add(os.path.join(folder, name), name)
    with open(os.path.join(here, "written.json"), "w") as file:
        json.dump(found, file, separators=(",", ":"))
        file.write("\n")
