"""Computes with LiberTEM what `tests/compare` asks for: a JSON line a request on stdin, one a reply on stdout.

{"id": 0, "open": {data, run, folder, path}} opens a data set; {"id": 1, "word": ..., "params": {...}} computes on it.
"""

import json
import os
import sys
import traceback

from exchange import decoded, encoded


def requests():
    for line in sys.stdin:
        yield json.loads(line, object_hook=decoded)


def described(error):
    """What went wrong, and where if the error does not say what."""
    if str(error):
        return f"{type(error).__name__}: {error}"
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {last.name}: {last.line}"


def main():
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is not a reply

    from subject import open_subject
    from words import WORDS

    subject = None
    for request in requests():
        reply = {"id": request["id"]}
        try:
            if "open" in request:
                subject, reply["results"] = None, {}
                subject = open_subject(request["open"])
            else:
                results = WORDS[request["word"]](subject, request["params"])
                reply["results"] = {name: encoded(value) for name, value in results.items()}
        except Exception as error:  # whatever it is, the other side wants to know
            reply["error"] = described(error)[:500]
        print(json.dumps(reply), file=replies, flush=True)


if __name__ == "__main__":
    main()
