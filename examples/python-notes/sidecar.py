#!/usr/bin/env python3
"""Adds a note to what is typed and refuses one command: a sidecar without an SDK."""
import base64, hashlib, json, sys

NAME = {"name": "python-notes", "version": "0.1.0", "protocolVersion": "2", "stateSchemaVersion": 0}
inbox, asked = [], 0


def send(**frame):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **frame}) + "\n")
    sys.stdout.flush()


def receive():
    while line := sys.stdin.buffer.readline():
        if line.strip():
            return json.loads(line)
    sys.exit(0)  # The host is gone.


def call(method, **params):
    """Asks the host; what it asks meanwhile waits in the inbox."""
    global asked
    asked += 1
    send(id=asked, method=method, params=params)
    while "method" in (frame := receive()) or frame.get("id") != asked:
        if "method" in frame:
            inbox.append(frame)
    return frame["result"]


def fetch(field):
    """Pages a payload that was too large for its frame."""
    data, offset = b"", 0
    while offset is not None:
        page = call("host/content/read", contentRef=field["contentRef"], offset=offset)
        data, following = data + base64.b64decode(page["dataBase64"]), page.get("nextOffset")
        if following is not None and following <= offset:
            raise ValueError("the content does not advance")
        offset = following
    if len(data) != field["totalBytes"] or hashlib.sha256(data).hexdigest() != field["sha256"]:
        raise ValueError("the content is damaged")
    return json.loads(data)


def rule(event, payload):
    if event == "input.receive":
        return {"decision": "replace", "replacement": {**payload, "text": payload["text"] + "\n(noted)"}}
    if event == "tool.before" and "rm -rf" in payload["arguments"]:
        return {"decision": "block", "reason": "python-notes: nothing is removed by force"}
    return {"decision": "continue"}


def answer(method, params):
    if method == "extension/initialize":
        return NAME
    if method == "extension/intercept":
        large = params.get("externalized")
        return rule(params["event"], fetch(large[0]) if large else params["payload"])
    if method == "extension/shutdown":
        return {"accepted": True}
    raise NotImplementedError(method)


while True:
    frame = inbox.pop(0) if inbox else receive()
    if "method" not in frame or "id" not in frame:
        continue  # A notification, or an answer that nobody waits for.
    try:
        send(id=frame["id"], result=answer(frame["method"], frame.get("params", {})))
    except NotImplementedError as unknown:
        send(id=frame["id"], error={"code": -32601, "message": f"{unknown} is not served"})
    except Exception as error:
        send(id=frame["id"], error={"code": -32603, "message": f"{type(error).__name__}: {error}"})
    if frame["method"] == "extension/shutdown":
        break
