"""Programs that reach other machines: which hosts they contact, what they send and what they bring back."""

from __future__ import annotations

import re

from gate.actions.paths import argument
from gate.actions.shell.catalogue import Handler
from gate.actions.shell.effects import NETWORK, Call, child, remote
from gate.actions.shell.marks import ANY, DEEP, has_marks
from gate.actions.shell.options import parse
from gate.actions.shell.state import EMPTY, Data
from gate.actions.vocabulary import word_set

_CURL_SHORT = "AbcCdDeEFhHKmoPQrTuUwxXyYz"
_CURL_LONG = word_set(
    """
    url data data-ascii data-binary data-raw data-urlencode json form form-string upload-file output
    header request user user-agent referer cookie cookie-jar proxy preproxy socks5 socks4
    socks5-hostname resolve connect-to config max-time connect-timeout retry retry-delay cacert cert
    key range write-out interface limit-rate dump-header output-dir stderr trace trace-ascii
    url-query mail-from mail-rcpt doh-url oauth2-bearer netrc-file unix-socket abstract-unix-socket
    proto max-redirs ciphers tls-max
    """
)
_WGET_LONG = word_set(
    """
    output-document directory-prefix post-data post-file body-data body-file method header input-file user
    password tries timeout user-agent level accept reject domains execute base referer load-cookies
    output-file
    append-output
    """
)
_DATA = ("d", "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "json")


def _curl(call: Call) -> Data:
    args = [word for word in call.args if word not in (":", "-:", "--next")]
    parsed = parse(args, _CURL_SHORT, _CURL_LONG)
    urls = [*_globbed(parsed.operands), *_globbed(parsed.all("url")), *parsed.all("doh-url")]
    through = parsed.all("x", "proxy", "preproxy", "socks5", "socks4", "socks5-hostname")
    for pair in parsed.all("connect-to", "resolve"):
        parts = pair.split(":")
        through += [parts[0], parts[2]] if len(parts) > 2 else [pair]
    through += [value.split(":", 1)[1].strip() for value in parsed.all("H", "header") if _is_host(value)]
    local = [url for url in urls if url.lower().startswith("file:")]
    call.read([argument(url)[0] for url in local])
    urls = [url for url in urls if url not in local]
    hosts = call.contact(
        [*urls, *(word for word in through if word)], labels=_method(parsed.value("X", "request"))
    )
    if parsed.has("K", "config") or parsed.unsure:
        call.not_understood()
    files, data = _curl_body(call, parsed.all(*_DATA), parsed.all("data-raw"), parsed.all("F", "form"))
    uploads = parsed.all("T", "upload-file")
    files += [word for word in uploads if word not in ("-", ".")]
    if any(word in ("-", ".") for word in uploads):
        data = data.joined(call.stdin)
    method = (parsed.value("X", "request") or "").upper()
    writes = bool(
        parsed.has(*_DATA, "F", "form", "form-string", "T", "upload-file") and not parsed.has("G", "get")
    )
    call.read(files)
    if writes or files or data.sources or call.sources or method not in ("", "GET", "HEAD", "OPTIONS"):
        call.send(files, hosts, data=data, objects=("http request", "request", "data"))
    if parsed.value("mail-rcpt"):
        call.emit("email", objects=("email",), recipients=parsed.all("mail-rcpt"), hosts=hosts)
    if method == "DELETE":
        call.emit("delete", objects=("resource",), hosts=hosts)
    targets, named = parsed.all("o", "output"), parsed.has("O", "remote-name")
    return _download(call, targets, named, urls, parsed.value("output-dir"), hosts)


def _is_host(header: str) -> bool:
    return header.lower().startswith("host:")


def _method(name: str | None) -> tuple[str, ...]:
    return (f"method:{name.upper()}",) if name and not has_marks(name) else ()


def _globbed(urls: list[str]) -> list[str]:
    """curl's own `{a,b}` in a URL; a range `[1-9]` can change the host only in its own part."""
    from gate.actions.shell.scan import braces

    return [
        found for url in urls for found in (braces(url) if "{" in url else [re.sub(r"\[\d+-\d+\]", "0", url)])
    ]


def _curl_body(call: Call, data: list[str], raw: list[str], forms: list[str]) -> tuple[list[str], Data]:
    files: list[str] = []
    body = EMPTY
    for value in data:
        name = value.partition("@")[2] if "@" in value and (value[0] == "@" or "=" not in value) else None
        if value in raw:
            name = None
        if name is None:
            body = body.joined(Data(value))
        elif name == "-":
            body = body.joined(call.stdin)
        else:
            files.append(name)
    for value in forms:
        content = value.partition("=")[2]
        if content[:1] in ("@", "<"):
            name = content[1:].split(";", 1)[0].strip('"')
            if name == "-":
                body = body.joined(call.stdin)
            else:
                files.append(name)
        else:
            body = body.joined(Data(content))
    return files, body


def _download(
    call: Call, targets: list[str], named: bool, urls: list[str], folder: str | None, hosts: list[str]
) -> Data:
    """What is fetched, and the files that it is written to."""
    targets = [word for word in targets if word != "-"]
    if named:
        targets += [re.sub(r"[?#].*", "", url).rstrip("/").rpartition("/")[2] or ANY for url in urls]
    if folder:
        targets = [child(folder, word) for word in targets]
    call.emit("download", targets, objects=("file", "data"), hosts=hosts, unknown=() if hosts else ("host",))
    if targets:
        call.write(targets, Data(None))
        return EMPTY
    return Data(None)


def _wget(call: Call) -> Data:
    parsed = parse(call.args, "OPioaeBtTQUlARDIXS", _WGET_LONG)
    hosts = call.contact(parsed.operands, labels=_method(parsed.value("method")))
    if parsed.has("i", "input-file", "e", "execute") or parsed.unsure:
        call.not_understood()
    files = parsed.all("post-file", "body-file")
    body = "".join(parsed.all("post-data", "body-data"))
    call.read(files)
    if files or body or call.sources:
        call.send(files, hosts, data=Data(body), objects=("http request", "request", "data"))
    target = parsed.value("O", "output-document")
    if target == "-" or (target and target.startswith("/dev/")):
        return Data(None)
    folder = parsed.value("P", "directory-prefix")
    named = target is None and not parsed.has("spider")
    return _download(call, [target] if target else [], named, parsed.operands, folder, hosts)


def _httpie(call: Call) -> Data:
    parsed = parse(call.args, "aAobp", ("auth", "output", "session", "proxy", "verify", "timeout"))
    words = list(parsed.operands)
    method = words.pop(0).upper() if words and re.fullmatch(r"[A-Za-z]{3,8}", words[0]) else ""
    hosts = call.contact(words[:1], labels=_method(method or None))
    items = words[1:]
    files = [re.split(r"[:=]?@", item, maxsplit=1)[1] for item in items if "@" in item.split("=")[0]]
    if call.stdin.text != "" or any("=" in item or "@" in item for item in items):
        call.read(files)
        call.send(files, hosts, data=call.stdin, objects=("http request", "request", "data"))
    return _download(call, parsed.all("o", "output"), False, [], None, hosts)


def _copy_over(call: Call) -> Data:
    """scp, rsync and rclone: paths of the form host:path are elsewhere."""
    short, long = {
        "rsync": ("efTBM", ("rsh", "exclude", "include", "exclude-from", "include-from", "files-from",
        "filter",
                            "password-file", "rsync-path", "log-file", "backup-dir", "temp-dir",
                            "compare-dest",
                            "link-dest", "max-size", "bwlimit", "port", "chmod")),
    }.get(call.name, ("cFiJlloPSX", ()))  # fmt: skip
    parsed = parse(
        call.args, short, long, known="delete delete-after delete-before delete-excluded remove-source-files"
    )
    for command in [*parsed.all("e", "rsh"), *parsed.all("S")]:
        if " " in command:
            call.runner.script(command, call.world.copy())
    for option in parsed.all("o"):
        if option.lower().startswith(("proxycommand", "localcommand")):
            call.runner.script(re.split(r"[=\s]", option, maxsplit=1)[1], call.world.copy())
    words = parsed.operands
    if len(words) < 2:
        return EMPTY
    sources, destination = words[:-1], words[-1]
    tree = call.name == "rsync" or parsed.has("r", "R", "a", "recursive", "archive")
    jumps = [part for value in parsed.all("J") for part in value.split(",")]
    hosts = [host for host in map(remote, [*words, *jumps]) if host]
    unknown = any(has_marks(word.partition(":")[0]) and ":" in word for word in words)
    here = [word for word in sources if remote(word) is None]
    if hosts or unknown:
        call.emit("connect", hosts=hosts, objects=NETWORK, unknown=("host",) if unknown else ())
    call.read(here, tree=tree)
    target = remote(destination)
    if target or (unknown and ":" in destination):
        call.send(here, [target] if target else [], tree=tree, objects=("file",))
        call.emit("copy", here, hosts=hosts, labels=("tree",) if tree else ())
    else:
        _received(call, here, sources, destination, tree)
        if parsed.has("delete", "del", "delete-after", "delete-before", "delete-excluded", "delete-during"):
            call.delete([destination], tree=True)
    if parsed.has("remove-source-files"):
        call.delete(here, tree=True)
    return EMPTY


def _received(call: Call, here: list[str], sources: list[str], destination: str, tree: bool) -> None:
    inside = [child(destination, word) for word in sources if not word.endswith("/")]
    call.emit("write", [destination, *inside], labels=("overwrite", "tree") if tree else ("overwrite",))
    if here:
        call.emit("copy", [*here, destination], labels=("local", "tree") if tree else ("local",))


def _ssh(call: Call) -> Data:
    """The words after the host are a script that the other machine's shell runs."""
    parsed = parse(call.args, "bcDEeFIiJLlmOopQRSWw", stop=True)
    for option in parsed.all("o"):
        if option.lower().startswith(("proxycommand", "localcommand", "remotecommand")):
            call.runner.script(re.split(r"[=\s]", option, maxsplit=1)[1], call.world.copy())
    if not parsed.operands:
        return EMPTY
    host, *words = parsed.operands
    jumps = [part for value in parsed.all("J") for part in value.split(",")]
    names = [word.removeprefix("ssh://").split("/")[0] for word in [host, *jumps]]
    hosts = call.contact([name.rpartition("@")[2] for name in names], urls=False)
    call.emit("execute", objects=("ssh", "remote command"), hosts=hosts)
    as_root = parsed.value("l") == "root" or host.startswith("root@")
    if as_root and {"localhost", "127.0.0.1", "::1"}.intersection(hosts):
        call.emit("escalate", objects=("ssh", "root", "privilege"))
    if call.stdin.sources or call.sources or call.stdin.text:
        call.send((), hosts, data=call.stdin)
    world = call.world.copy()
    world.cwd, world.links = None, {}
    if words:
        data = call.runner.script(" ".join(words), world, Data(call.stdin.text))
        return Data(None, data.data.sources)
    if call.stdin.text != "":
        if call.stdin.text is None:
            return call.not_understood()
        call.runner.script(call.stdin.text, world)
    return Data(None)


def _netcat(call: Call) -> Data:
    parsed = parse(call.args, "eciIopPqsTVwxX", ("exec", "sh-exec", "proxy", "source"))
    for command in parsed.all("e", "c", "exec", "sh-exec"):
        call.runner.script(command, call.world.copy(), Data(None))
    if parsed.has("l", "listen"):
        call.emit("start", objects=("listener", "server", "port"))
        if call.stdin.text != "":
            call.send((), [], data=call.stdin)
        return Data(None)
    hosts = call.contact(parsed.operands[:1], urls=False)
    if call.stdin.text != "" or call.sources:
        call.send((), hosts, data=call.stdin)
    return Data(None)


def _socat(call: Call) -> Data:
    for word in parse(call.args, "lLWbtT").operands:
        kind, _, rest = word.partition(":")
        if kind.upper() in ("EXEC", "SYSTEM", "SHELL"):
            call.runner.script(rest.split(",")[0], call.world.copy(), Data(None))
        elif re.match(r"(TCP|UDP|SSL|OPENSSL|SCTP)", kind.upper()) and "LISTEN" not in kind.upper():
            hosts = call.contact([rest.split(":")[0]], urls=False)
            call.send((), hosts, data=call.stdin)
        elif kind.upper() in ("OPEN", "FILE", "CREATE", "GOPEN"):
            name = rest.split(",")[0]
            call.read([name])
            call.write([name], Data(None))
        elif kind.startswith("/"):
            call.read([kind])
    return Data(None)


def _transfer(call: Call) -> Data:
    """ftp, sftp, lftp and tftp read their commands from the input or from -c, -e and -b."""
    parsed = parse(call.args, "bBcDFiJloPRsSeup")
    target = (parsed.operands or [ANY])[0]
    host = remote(target) or target.rpartition("@")[2]
    hosts = call.contact([host], urls="://" in host)
    commands = [*parsed.all("c", "e"), *([call.stdin.text] if call.stdin.text else [])]
    if parsed.has("b", "B") or call.stdin.text is None:
        call.not_understood()
    for line in re.split(r"[;\n]", "\n".join(commands)):
        words = line.split()
        if words[:1] and words[0] in ("put", "mput", "send", "append", "mirror", "reput"):
            files = [word for word in words[1:] if not word.startswith("-")]
            call.read(files, tree=words[0] == "mirror")
            call.send(files, hosts, tree=words[0] == "mirror", objects=("file",))
        elif words[:1] and words[0] in ("get", "mget"):
            call.emit("write", [words[-1]])
        elif words[:1] and words[0] in ("rm", "delete", "mdelete", "rmdir", "mrm"):
            call.emit("delete", words[1:], hosts=hosts)
        elif words[:1] and words[0].startswith("!"):
            call.runner.script(line.strip()[1:], call.world.copy())
    return Data(None)


def _probe(call: Call) -> Data:
    operands = parse(call.args, "cistWIpmMOqQbfnwt46").operands
    words = [word for word in operands if not re.fullmatch(r"[A-Z]{1,6}|@.*|\+.*|\d+", word)]
    call.contact([*words, *(word[1:] for word in operands if word.startswith("@"))], urls=False)
    return Data(None)


def _openssl(call: Call) -> Data:
    """s_client contacts a host; enc and base64 turn text into text."""
    words = call.args
    parsed = parse(words[1:], "", ("connect", "proxy", "host", "in", "out", "servername", "k", "pass", "key"))
    if words[:1] == ["s_client"]:
        targets = [*parsed.all("connect", "proxy", "host"), *parsed.operands]
        hosts = call.contact(targets, urls=False)
        if call.stdin.text != "":
            call.send((), hosts, data=call.stdin)
        return Data(None)
    data = call.read(parsed.all("in"))
    if parsed.value("out"):
        call.write(parsed.all("out"), Data(None, data.sources))
    if words[:1] in (["base64"], ["enc"]) and ("-d" in words or "-a" in words or "-base64" in words):
        from gate.actions.shell.search import run_words

        decode = ["-d"] if "-d" in words else []
        return run_words(call, ["base64", *decode], data)
    return Data(None, data.sources)


def cloud_copy(call: Call) -> Data:
    """aws s3, gsutil, rclone, mc, b2, azcopy: bucket addresses are elsewhere."""
    words = [word for word in call.args if not word.startswith("-")]
    verbs = {
        "cp",
        "mv",
        "sync",
        "put",
        "get",
        "copy",
        "move",
        "upload",
        "copyto",
        "moveto",
        "rm",
        "rb",
        "del",
        "delete",
        "purge",
    }
    verb = next((word for word in words if word in verbs), None)
    if verb is None or (call.name == "gcloud" and "storage" not in words[:1]) or "buckets" in words[:2]:
        from gate.actions.shell.clients import by_words
        from gate.actions.shell.platforms import platform

        return platform(call) if call.name == "gcloud" else by_words(call)
    places = words[words.index(verb) + 1 :]
    away = [word for word in places if re.match(r"(\w+://|[\w-]+:(?!\\))", word)]
    here = [word for word in places if word not in away]
    call.emit(
        "connect",
        objects=("host", call.name),
        hosts=[re.sub(r"^\w+://([^/]+).*", r"\1", word).lower() for word in away if "://" in word],
    )
    if verb in ("rm", "rb", "del", "delete", "purge"):
        from gate.actions.shell.platforms import stored

        call.emit("delete", here, objects=("object",), labels=("tree",))
        stored(call, [word for word in places if word in away or call.name in ("mc", "s3cmd")])
    elif places and places[-1] in away:
        call.read(here, tree=True)
        call.send(
            here, [re.sub(r"^\w+:(//)?([^/]+).*", r"\2", places[-1]).lower()], tree=True, objects=("file",)
        )
        if verb in ("mv", "move", "moveto"):
            call.delete(here, tree=True)
    elif here:
        call.emit("write", [here[-1], here[-1].rstrip("/") + "/" + DEEP])
        if verb in ("mv", "move", "moveto"):
            call.delete(here[:-1], tree=True)
        if "--delete" in call.args or (verb == "sync" and call.name == "rclone"):
            call.delete([here[-1]], tree=True)
    return EMPTY


PROGRAMS: dict[str, Handler] = {
    "curl": _curl,
    **dict.fromkeys(("wget", "wget2"), _wget),
    **dict.fromkeys(("http", "https", "xh", "xhs", "httpie"), _httpie),
    **dict.fromkeys(("scp", "rsync", "pscp"), _copy_over),
    **dict.fromkeys(("ssh", "autossh", "mosh", "slogin", "dbclient", "rsh", "plink"), _ssh),
    **dict.fromkeys(("nc", "ncat", "netcat", "nc.openbsd", "nc.traditional", "telnet"), _netcat),
    "socat": _socat,
    "openssl": _openssl,
    **dict.fromkeys(("ftp", "sftp", "lftp", "tftp", "ncftp"), _transfer),
    **dict.fromkeys(word_set("ping ping6 traceroute tracepath mtr dig nslookup host whois nmap"), _probe),
    **dict.fromkeys(("gsutil", "rclone", "mc", "s3cmd", "azcopy", "b2", "gcloud"), cloud_copy),
}  # fmt: skip
