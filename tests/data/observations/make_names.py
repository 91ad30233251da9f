"""Makes names.json: all names that pyuvdata can write to the header of UVH5, and those of the schema of Measurement Sets of version 4.

Needs pyuvdata and xradio. Run it in this folder: python make_names.py
"""

import dataclasses
import inspect
import json
import re
import typing

import pyuvdata.telescopes
import pyuvdata.utils.phase_center_catalog
import pyuvdata.uvdata.uvh5 as uvh5
from xradio.measurement_set import schema

# of versions 1.0 and before, which pyuvdata reads
OLDER = ["phase_type", "phase_center_ra", "phase_center_dec", "phase_center_epoch", "phase_center_frame", "object_name", "x_orientation"]
GROUPS = {"AntennaXds": "antenna_xds", "FieldSourceXds": "field_and_source", "VisibilityXds": ""}


def header_names():
    names = set(OLDER)
    for module in (uvh5, pyuvdata.telescopes):
        names |= set(re.findall(r'header\["(\w+)"\] =', inspect.getsource(module)))
        names |= set(re.findall(r'header.create_group\("(\w+)"\)', inspect.getsource(module)))
    catalog = set(re.findall(r'"(cat_\w+|info_source)"', inspect.getsource(pyuvdata.utils.phase_center_catalog)))
    names |= {f"phase_center_catalog/{name}" for name in catalog - {"cat_id"}}
    data = set(re.findall(r'dgrp.create_dataset\(\s*"(\w+)"', inspect.getsource(uvh5)))
    return sorted(names - {"phase_center_catalog"}), sorted(data)


def version4_names():
    arrays, attributes = set(), set()
    seen = set()

    def visit(kind, group):
        if kind in seen or not dataclasses.is_dataclass(kind):
            return
        seen.add(kind)
        for name, hint in typing.get_type_hints(kind, include_extras=True).items():
            text = repr(hint)
            if "Attr" in text or ("Role.ATTR" in text):
                attributes.add(name)
            elif name != "data" and group is not None:
                arrays.add(f"{group}/{name}" if group else name)
            for inner in re.findall(r"\w+Array", text):
                visit(getattr(schema, inner, None), None)

    for name, group in GROUPS.items():
        visit(getattr(schema, name), group)
    others = [re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name in vars(schema) if name.endswith("Xds")]
    beside = {"antenna_xds", "field_source_xds", "field_source_ephemeris_xds", "visibility_xds", "spectrum_xds", "doppler_xds"}
    return sorted(arrays | (set(others) - beside)), sorted(attributes)


header, data = header_names()
arrays, attributes = version4_names()
with open("names.json", "w") as out:
    json.dump({"uvh5": {"Header": header, "Data": data}, "version4": {"arrays": arrays, "attributes": attributes}}, out, indent=2)
    out.write("\n")
