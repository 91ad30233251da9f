"""Runs the code cells of notebooks in the Deno kernel and prints what each cell gave, a JSON object a notebook.

python run_notebooks.py FOLDER NOTEBOOK...

FOLDER is where the kernel starts: the one with deno.json. Ends with 3 where jupyter_client is not installed.
"""

import json
import os
import pathlib
import queue
import sys
import tempfile

try:
    from jupyter_client.manager import KernelManager
except ImportError:
    sys.exit(3)

SPEC = {"argv": ["deno", "jupyter", "--kernel", "--conn", "{connection_file}"], "display_name": "Deno", "language": "typescript"}


def run_cell(client, code):
    """The kinds of output of a cell, and its error if it failed."""
    request = client.execute(code)
    kinds, error, idle = [], None, False
    while True:
        try:
            message = client.get_iopub_msg(timeout=0.5 if idle else 120)
        except queue.Empty:
            if not idle:
                raise
            return {"outputs": kinds, "error": error}
        if message["parent_header"].get("msg_id") != request:
            continue
        kind, content = message["msg_type"], message["content"]
        if kind == "error":
            error = content["evalue"] or content["ename"]
        if kind in ("execute_result", "display_data", "update_display_data"):
            kinds.append([kind, sorted(content["data"])])
        if kind == "status" and content["execution_state"] == "idle":
            idle = True  # the kernel may send the value of the cell a moment later


def run_notebook(folder, path):
    cells = json.loads(pathlib.Path(path).read_text())["cells"]
    manager = KernelManager(kernel_name="deno-tilewise")
    manager.start_kernel(cwd=folder)
    client = manager.client()
    try:
        client.start_channels()
        client.wait_for_ready(timeout=60)
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        return [run_cell(client, text) for text in code]
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def main(folder, *paths):
    with tempfile.TemporaryDirectory() as home:
        spec = pathlib.Path(home, "kernels", "deno-tilewise")
        spec.mkdir(parents=True)
        (spec / "kernel.json").write_text(json.dumps(SPEC))
        os.environ["JUPYTER_PATH"] = home
        for path in paths:
            print(json.dumps({"notebook": pathlib.Path(path).name, "cells": run_notebook(folder, path)}), flush=True)


main(*sys.argv[1:])
