"""Writes TIFF files whose tags say how large pixels are, in the ways of programs of microscopes, with tifffile; the steps are
those that tifffile reads from these tags again, or that follow from the numbers that went in. Needs tifffile and numpy from PyPI.

    python make_pixels.py
"""

import base64
import io
import json
import math
import pathlib
import struct

import numpy
import tifffile

HERE = pathlib.Path(__file__).parent
IMAGE = numpy.arange(6 * 8, dtype="u1").reshape(6, 8)
FILES = []


def write(image=IMAGE, **options):
    """The bytes of a file without other descriptions."""
    stream = io.BytesIO()
    tifffile.imwrite(stream, image, **{"metadata": None, "photometric": "minisblack", **options})
    return bytearray(stream.getvalue())


def opened(file):
    return tifffile.TiffFile(io.BytesIO(bytes(file)))


def axis(scale, unit, offset=0.0):
    return {"scale": scale, "unit": unit, "offset": offset}


def add(name, file, y=None, x=None, first=None, **facts):
    """Keeps a file, with the steps of its rows and columns, and of its pages."""
    FILES.append({"name": name, "file": base64.b64encode(file).decode(), "y": y, "x": x, "first": first, **facts})


def patch(file, tag, **values):
    """Changes type, count or value of an entry of the first directory."""
    at = struct.unpack_from("<I", file, 4)[0]
    for i in range(struct.unpack_from("<H", file, at)[0]):
        entry = at + 2 + 12 * i
        if struct.unpack_from("<H", file, entry)[0] != tag:
            continue
        for key, (place, letter) in {"type": (2, "<H"), "count": (4, "<I"), "value": (8, "<I")}.items():
            if key in values:
                struct.pack_into(letter, file, entry + place, values[key])


def resolutions():
    add("resolution in cm", write(resolution=(20000, 40000), resolutionunit="CENTIMETER"), axis(0.25, "µm"), axis(0.5, "µm"))
    add("resolution in inch", write(resolution=(50800, 25400), resolutionunit="INCH"), axis(1, "µm"), axis(0.5, "µm"))
    add("resolution without unit", write(resolution=(20000, 40000), resolutionunit="NONE"))
    add("resolution of screens", write(resolution=(72, 72), resolutionunit="INCH"))
    add("resolution of prints", write(resolution=(118.11, 118.11), resolutionunit="CENTIMETER"))
    add("whole resolution in cm", write(resolution=(100, 100), resolutionunit="CENTIMETER"), axis(100, "µm"), axis(100, "µm"))
    add("no resolution", write(resolution=(0, 0), resolutionunit="CENTIMETER"))
    pages = write(numpy.stack([IMAGE] * 3), resolution=(20000, 20000), resolutionunit="CENTIMETER")
    add("resolution of pages", pages, axis(0.5, "µm"), axis(0.5, "µm"))


def fei():
    text = "[User]\r\nUser=a\r\n[Beam]\r\nHV=5000\r\n[Scan]\r\nPixelWidth=3.3724e-006\r\nPixelHeight=2.5e-006\r\n"
    for tag in (34680, 34682):
        file = write(extratags=[(tag, 2, None, text, True)], resolution=(96, 96), resolutionunit="INCH")
        scan = opened(file).fei_metadata["Scan"]
        add(f"FEI in tag {tag}", file, axis(scan["PixelHeight"], "m"), axis(scan["PixelWidth"], "m"), voltage=5000)
    text = "[IRBeam]\r\nHFW=0.2\r\nVFW=0.12\r\n[Image]\r\nResolutionX=8\r\nResolutionY=6\r\n"
    file = write(extratags=[(34682, 2, None, text, True)])
    add("FEI of a camera", file, axis(0.02, "m"), axis(0.025, "m"))
    add("FEI without steps", write(extratags=[(34682, 2, None, "[Scan]\r\nPixelWidth=\r\n", True)]))


def zeiss():
    numbers = ["0", "0", "0", "5.824988e-009", "5.000000e+004"]
    pairs = ["AP_ACTUALKV", "EHT =  5.00 kV", "AP_MAG", "Mag =  50.00 K X"]
    file = write(extratags=[(34118, 2, None, "\r\n".join(numbers + pairs) + "\r\n", True)])
    step = opened(file).sem_metadata[""][3] * 1024 / 8
    add("Zeiss SEM", file, axis(step, "m"), axis(step, "m"), voltage=5000, magnification=50000)


def tvips():
    one = numpy.zeros((), tifffile.TIFF.TVIPS_HEADER_V1)
    two = numpy.zeros((), tifffile.TIFF.TVIPS_HEADER_V2)
    one["Version"] = 2
    two["PixelSizeX"], two["PixelSizeY"], two["TemHighTension"], two["Magic"] = 1.25, 0.75, 2e5, 0xAAAAAAAA
    for version in (2, 1):
        one["Version"] = version
        file = write(extratags=[(37706, "I", 1, 0, True)], resolution=(4e6, 8e6), resolutionunit="CENTIMETER")
        patch(file, 37706, value=len(file))
        file += one.tobytes() + (two.tobytes() if version == 2 else b"")
        told = opened(file).tvips_metadata
        if version == 2:
            add("TVIPS", file, axis(told["PixelSizeY"], "nm"), axis(told["PixelSizeX"], "nm"), voltage=200000)
        else:
            add("TVIPS of version 1", file, axis(1.25e-9, "m"), axis(2.5e-9, "m"))


def gatan():
    def tags(units, offsets, scales):
        return [
            *((65003 + i, 2, None, unit.encode("latin-1"), True) for i, unit in enumerate(units)),
            *((65006 + i, 12, 1, offset, True) for i, offset in enumerate(offsets)),
            *((65009 + i, 12, 1, scale, True) for i, scale in enumerate(scales)),
        ]

    image = write(extratags=tags(["µm", "µm"], [139.5, 128.25], [0.168, 0.169]), resolution=(72, 72))
    add("DigitalMicrograph", image, axis(0.169, "µm", 128.25), axis(0.168, "µm", 139.5))
    pattern = write(extratags=tags(["1/nm", "1/nm"], [-0.04, -0.03], [0.01, 0.01]))
    add("pattern of DigitalMicrograph", pattern, axis(0.01, "1/nm", -0.03), axis(0.01, "1/nm", -0.04), kind="detector")
    stack = write(numpy.stack([IMAGE] * 2), extratags=tags(["nm", "nm", "s"], [0, 0, 1.5], [0.2, 0.3, 2.5]))
    add("stack of DigitalMicrograph", stack, axis(0.3, "nm"), axis(0.2, "nm"), axis(2.5, "s", 1.5), of="time")


def jeol():
    def report(mode, value, unit, eos="eosTEM"):
        return (
            f'<?xml version="1.0"?><TemReporter xmlns:x="y"><ElectronGun><AccelerationVoltage>200000</AccelerationVoltage>'
            f"</ElectronGun><Eos><EosMode>{eos}</EosMode></Eos><ImageFormingSystem><ModeString>{mode}</ModeString>"
            f"<SelectorValue>{value}</SelectorValue><SelectorUnitString>{unit}</SelectorUnitString></ImageFormingSystem>"
            f"</TemReporter>"
        )

    def file(*words, **more):
        text = report(*words, **more)
        return write(description=text, extratags=[(271, 2, None, "JEOL Ltd.", True)], resolution=(93, 93), resolutionunit="INCH")

    camera = 0.0254 / 93
    step = camera / 150000 * 1e9
    add("JEOL image", file("MAG", 150000, "X"), axis(step, "nm"), axis(step, "nm"), voltage=200000, magnification=150000)
    # 2.5079 pm at 200 kV, as tables of electron wavelengths have it
    step = camera / (0.4 * 2.50793e-12) * 1e-9
    add("JEOL pattern", file("DIFF", 400, "mm"), axis(step, "1/nm"), axis(step, "1/nm"), kind="detector", cameraLength=0.4)
    add("JEOL scan", file("MAG", 400000, "X", eos="eosASID"))
    other = write(extratags=[(271, 2, None, "Other", True)], resolution=(20000, 20000), resolutionunit="CENTIMETER")
    add("another maker", other, axis(0.5, "µm"), axis(0.5, "µm"))


def imagej():
    stream = io.BytesIO()
    tifffile.imwrite(stream, numpy.stack([IMAGE] * 3), imagej=True, resolution=(4, 2), metadata={"unit": "um", "spacing": 1.5, "axes": "ZYX"})
    add("ImageJ stack", stream.getvalue(), axis(0.5, "µm"), axis(0.25, "µm"), axis(1.5, "µm"), of="space")
    one = write(description="ImageJ=1.54f\nunit=\\u00B5m\n", resolution=(4, 2), resolutionunit="NONE")
    add("ImageJ image", one, axis(0.5, "µm"), axis(0.25, "µm"))
    add("ImageJ without unit", write(description="ImageJ=1.54f\n", resolution=(4, 2), resolutionunit="NONE"))


def metamorph(name, distances, step=None, heights=None, known=None, **axes):
    count = len(distances)
    fraction = lambda value: struct.pack("<2I", round(value * 10000), 10000)
    numbers = numpy.zeros((count, 6), "<u4")
    numbers[:, 0], numbers[:, 1] = [round(d * 10000) for d in distances], 10000
    tags = [(33628, "I", 10, [0] * 10, True), (33629, "I", 6 * count, numbers.ravel().tolist(), True)]
    if heights:
        tags.append((33631, "I", 3, [0, 0, 0], True))
    file = write(extratags=tags)
    file += IMAGE.tobytes() * (count - 1)  # the samples of the first plane come last
    page = opened(file).pages[0]
    facts = page.tags[33628].valueoffset
    unit = len(file)
    file += struct.pack("<I", 3) + b"um\0\0"
    steps = len(file)
    file += fraction(step[1] if step else 1) + fraction(step[0] if step else 1)
    struct.pack_into("<10I", file, facts, 3, 1 if step else 0, 4, steps, 5, steps + 8, 6, unit, 0, 1)
    patch(file, 33628, count=5)
    patch(file, 33629, type=5, count=count)
    if heights:
        patch(file, 33631, count=count, value=len(file))
        file += struct.pack("<H", 37) + (struct.pack("<I", 3) + b"ab\0") * count
        file += struct.pack("<H", 40) + b"".join(map(fraction, heights))
        file += struct.pack(f"<H{count}IH", 41, *(known or [1] * count), 0)
    told = opened(file)
    assert told.is_stk and numpy.allclose(told.stk_metadata["ZDistance"], distances)
    if step:
        assert math.isclose(told.stk_metadata["XCalibration"], step[1]) and told.stk_metadata["CalibrationUnits"] == "um"
    if heights:
        assert numpy.allclose(told.stk_metadata["AbsoluteZ"], heights)
    y, x = (axis(step[0], "µm"), axis(step[1], "µm")) if step else (None, None)
    add(name, file, y, x, **axes)


def stacks():
    even = axis(0.5, "µm")
    metamorph("even MetaMorph stack", [0.5] * 4, (0.25, 0.5), first=even, of="space")
    metamorph("MetaMorph stack that begins at 0", [0, 0.5, 0.5, 0.5], first=even, of="space")
    metamorph("uneven MetaMorph stack", [0, 0.5, 0.5, 1], (0.25, 0.5), positions=[0, 0.5, 1, 2], of="space")
    metamorph("MetaMorph stack with heights", [0.5] * 3, heights=[10, 10.5, 12], positions=[10, 10.5, 12], of="space")
    metamorph("even heights of MetaMorph", [0] * 3, heights=[7, 8, 9], first=axis(1, "µm", 7.0), of="space")
    metamorph("unknown heights of MetaMorph", [0.5] * 3, heights=[10, 10.5, 12], known=[1, 0, 1], first=even, of="space")
    metamorph("MetaMorph stack in time", [0] * 3, of="time")


for make in (resolutions, fei, zeiss, tvips, gatan, jeol, imagej, stacks):
    make()
text = ",\n".join(json.dumps(file, ensure_ascii=False) for file in FILES)
(HERE / "pixels.json").write_text(f'{{"files": [\n{text}\n]}}\n', encoding="utf-8")
