"""Verifies a store from store/FORMAT.md alone: imports nothing of the project.

python tests/independent_reader.py identity.partner [checkpoint.json]
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

AUTHORITY = {"operator": 4, "action": 3, "document": 2, "inference": 1}
CONTROL = {"link", "retraction", "erasure", "approval", "checkpoint_signature"}


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def signed(key: bytes, message: bytes, signature: bytes) -> bool:
    try:
        VerifyKey(key).verify(message, signature)
    except (BadSignatureError, ValueError):
        return False
    return True


def head_bytes(store: str, seq: int, tagged: str) -> bytes:
    return b"engram/1 head\n" + f'{{"hash":"{tagged}","seq":{seq},"store":"{store}"}}'.encode()


def devices(meta: dict[str, bytes]) -> dict[str, bytes]:
    known = {}
    for name, value in meta.items():
        if name.startswith("device:"):
            record = json.loads(value)
            public, certificate = bytes.fromhex(record["public_key"]), bytes.fromhex(record["certificate"])
            own = "d1:" + hashlib.sha256(public).hexdigest()[:32]
            if name == f"device:{own}" and signed(
                meta["root_key"], b"engram/1 device\n" + public, certificate
            ):
                known[own] = public
    return known


def check(path: str, checkpoint: dict[str, Any] | None = None) -> dict[str, Any]:
    """{"entries": n, "head": hash, "holds": ids}; raises ValueError for a store that does not verify."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        meta = dict(db.execute("SELECT key, value FROM meta"))
        rows = db.execute(
            "SELECT seq, header, body, body_hash, hash, signature FROM log ORDER BY seq"
        ).fetchall()
    db.close()
    headers = [json.loads(row[1]) for row in rows]
    erased = {link["target"] for h in headers if h["type"] == "erasure" for link in h["links"]}
    keys = devices(meta)
    store = meta["store_id"].decode()
    last = sha(b"engram/1 genesis\n", meta["store_id"], meta["root_key"])
    tagged: list[str] = ["e1:" + last.hex()]
    for place, (header, (seq, raw, body, body_hash, digest, signature)) in enumerate(
        zip(headers, rows, strict=True), 1
    ):
        if seq != place:
            raise ValueError(f"{place}: missing")
        if body is None and header["id"] not in erased:
            raise ValueError(f"{seq}: content gone without an erasure")
        if body is not None and sha(b"engram/1 body\n", body) != body_hash:
            raise ValueError(f"{seq}: content altered")
        last = sha(b"engram/1 entry\n", last, body_hash, raw)
        if last != digest:
            raise ValueError(f"{seq}: does not continue the chain")
        key = keys.get(header["device"])
        if key is None or not signed(key, b"engram/1 entry\n" + digest, signature):
            raise ValueError(f"{seq}: not signed by its author's device")
        tagged.append("e1:" + digest.hex())
    head = json.loads(meta["head"]) if rows else {"seq": 0, "hash": tagged[0]}
    if (head["seq"], head["hash"]) != (len(rows), tagged[-1]):
        raise ValueError(f"{len(rows)}: the signed head is {head['seq']}")
    if rows and not signed(
        keys[head["device"]],
        head_bytes(store, head["seq"], head["hash"]),
        bytes.fromhex(head["signature"]),
    ):
        raise ValueError("the head is not signed")
    if checkpoint is not None:
        compare(checkpoint, store, tagged)
    return {"entries": len(rows), "head": tagged[-1], "holds": holding(headers, [r[2] for r in rows])}


def compare(checkpoint: dict[str, Any], store: str, tagged: list[str]) -> None:
    seq, digest = checkpoint["seq"], checkpoint["hash"]
    public, signature = bytes.fromhex(checkpoint["public_key"]), bytes.fromhex(checkpoint["signature"])
    if not signed(public, head_bytes(checkpoint["store"], seq, digest), signature):
        raise ValueError("the checkpoint is not signed")
    if checkpoint["store"] != store or seq >= len(tagged) or tagged[seq] != digest:
        raise ValueError(f"{seq}: not an extension of the checkpoint")


def holding(headers: list[dict[str, Any]], bodies: list[bytes | None]) -> list[str]:
    """Ids of what holds, control entries left out: section 6."""
    rank: dict[str, int] = {}
    holds: dict[str, bool] = {}
    later: dict[str, list[str]] = {}
    for header, body in zip(headers, bodies, strict=True):
        own = header["id"]
        rank[own], holds[own] = AUTHORITY[header["provenance"]], True
        for link in header["links"]:
            source = json.loads(body)["metadata"]["source"] if header["type"] == "link" and body else own
            relation, target = link["relation"], link["target"]
            if relation == "supersedes":
                front = later.get(target, []) if not holds[target] else []
                seen: list[str] = []
                while front:
                    seen += front
                    front = [s for f in front for s in later.get(f, []) if s not in seen]
                rivals = [r for r in seen if holds[r] and r != source]
                if any(rank[r] > rank[source] for r in rivals):
                    holds[source] = False
                else:
                    holds |= dict.fromkeys(rivals, False)
                holds[target] = False
                later.setdefault(target, []).append(source)
            elif relation == "retracts":
                holds[target] = False
            elif relation == "contradicts" and rank[source] != rank[target]:
                lower, higher = sorted((source, target), key=lambda i: rank[i])
                holds[lower] = holds[lower] and not holds[higher]
    return [h["id"] for h in headers if holds[h["id"]] and h["type"] not in CONTROL]


if __name__ == "__main__":
    kept = json.loads(Path(sys.argv[2]).read_text()) if len(sys.argv) > 2 else None
    try:
        sys.stdout.write(json.dumps(check(sys.argv[1], kept)) + "\n")
    except ValueError as error:
        sys.exit(f"does not verify: {error}")
