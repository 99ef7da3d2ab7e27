"""Keys of hosted engines: in the system's keyring where one works, otherwise in a file only its owner reads.

A key is never in the store, the ledger, a log, an error or the configuration: that names it only.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from router.errors import BadConfig, EngineFailed, FailureKind

SERVICE = "partner"


class Keys:
    """Keys by name. `environment` is looked at first, for names of the form env:VARIABLE.

    `keyring` is the keyring module, anything with its three functions, or what finds one when it is first
    needed (system_keyring); None uses the file alone.
    """

    def __init__(self, file: Path, *, environment: Mapping[str, str], keyring: Any = None) -> None:
        self._file = file
        self._environment = environment
        self._keyring = keyring

    def get(self, name: str) -> str:
        """The key.

        Raises:
            EngineFailed: (auth) there is none of that name, or others can read the file.
        """
        if name.startswith("env:"):
            variable = name.removeprefix("env:")
            if value := self._environment.get(variable, "").strip():
                return value
            raise _missing(f"the environment has no {variable}")
        if (ring := self._found_keyring()) is not None:
            try:
                if found := ring.get_password(SERVICE, name):
                    return str(found)
            except Exception:  # noqa: BLE001  a locked or absent keyring raises its backend's own errors
                self._keyring = None
        if found := self._read().get(name):
            return found
        raise _missing(f"there is no key named {name}; set it with: partner engines key ENGINE")

    def set(self, name: str, value: str) -> str:
        """Keep a key; returns where it went, "keyring" or the file's path."""
        if not name or name.startswith("env:") or not value.strip():
            raise BadConfig("key", "a key needs a name and a value")
        value = value.strip()  # a pasted key brings its line's end along, which no header may hold
        if (ring := self._found_keyring()) is not None:
            try:
                ring.set_password(SERVICE, name, value)
                return "keyring"
            except Exception:  # noqa: BLE001  as above: fall back to the file
                self._keyring = None
        self._write({**self._read(), name: value})
        return str(self._file)

    def delete(self, name: str) -> bool:
        """Forget a key wherever it is; False when there was none."""
        removed = False
        if (ring := self._found_keyring()) is not None:
            try:
                ring.delete_password(SERVICE, name)
                removed = True
            except Exception:  # noqa: BLE001  also raised when the keyring has no such entry
                removed = False
        kept = self._read()
        if name in kept:
            del kept[name]
            self._write(kept)
            removed = True
        return removed

    def _found_keyring(self) -> Any:
        if callable(self._keyring):
            self._keyring = self._keyring()
        return self._keyring

    def _read(self) -> dict[str, str]:
        try:
            mode = self._file.stat().st_mode
            if stat.S_IMODE(mode) & 0o077:
                raise EngineFailed(
                    f"others can read {self._file}; run: chmod 600 {self._file}", kind=FailureKind.AUTH
                )
            return json.loads(self._file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except ValueError:
            raise EngineFailed(f"{self._file} is damaged", kind=FailureKind.AUTH) from None

    def _write(self, keys: Mapping[str, str]) -> None:
        part = self._file.with_suffix(".part")
        part.unlink(missing_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(dict(keys), file)
        os.replace(part, self._file)


def system_keyring() -> Any:
    """The keyring module where it is installed and has a working backend, otherwise None."""
    try:
        import keyring  # pyright: ignore[reportMissingImports]  an extra

        return keyring if keyring.get_keyring().priority > 0 else None
    except Exception:  # noqa: BLE001  not installed, or its backends fail to load on this platform
        return None


def _missing(reason: str) -> EngineFailed:
    return EngineFailed(reason, kind=FailureKind.AUTH)
