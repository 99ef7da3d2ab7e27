"""Clients of databases, mail and money, and every program that is only known by the words of its line."""

from __future__ import annotations

import re

from gate.actions.hosts import canonical_host
from gate.actions.money import currency_of, read_amount
from gate.actions.shell.catalogue import Handler
from gate.actions.shell.effects import Call
from gate.actions.shell.lexer import read_simple
from gate.actions.shell.marks import ANY, has_marks
from gate.actions.shell.options import parse
from gate.actions.shell.state import EMPTY, Data
from gate.actions.spelling import plain
from gate.actions.vocabulary import word_set
from gate.model import Amount

# words of a command line -> the act they name; the first that fits decides
ACT_WORDS = {
    "delete": "delete", "del": "delete", "rm": "delete", "remove": "delete", "destroy": "destroy",
    "purge": "delete",
    "wipe": "delete", "erase": "delete", "clean": "delete", "clear": "delete", "prune": "delete",
    "drop": "drop",
    "terminate": "delete", "uninstall": "do:uninstall", "unlink": "delete", "flush": "delete",
    "nuke": "delete",
    "pay": "pay", "payment": "pay", "transfer": "transfer", "payout": "pay", "wire": "transfer",
    "refund": "refund",
    "buy": "buy", "purchase": "buy", "order": "order", "donate": "donate", "invoice": "invoice",
    "charge": "pay",
    "deploy": "deploy", "rollout": "deploy", "release": "deploy", "promote": "deploy", "apply": "deploy",
    "publish": "publish", "upload": "upload", "post": "publish", "gist": "publish",
    "paste": "publish", "tweet": "publish", "push": "push",
    "send": "send",
    "email": "email", "mail": "email", "message": "message", "notify": "notify", "share": "share",
    "install": "install", "add": "install", "upgrade": "install", "start": "start", "stop": "stop",
    "shutdown": "stop",
    "halt": "stop", "restart": "restart", "reboot": "restart", "reload": "restart", "kill": "kill",
    "create": "create",
    "update": "update", "set": "set", "approve": "approve", "merge": "merge", "book": "book",
    "schedule": "schedule",
    "cancel": "cancel", "copy": "copy", "move": "move", "rename": "rename", "download": "download",
    "get": "read",
    "list": "list", "ls": "list", "show": "read", "describe": "read", "status": "read", "balance": "read",
    "logs": "read", "export": "copy", "import": "insert", "truncate": "truncate", "reset": "delete",
    "scale": "change", "edit": "change", "patch": "change", "migrate": "change", "rollback": "change",
}  # fmt: skip
_DESTRUCTIVE = re.compile(
    r"--?(delete|remove|purge|wipe|erase|destroy|prune|clean|reset|force-delete|nuke)\b"
)
_FILE = re.compile(r"[\w.-]*\w\.(?!(?:com|org|net|example|io|dev|eu|de|uk)\Z)[A-Za-z]\w{0,4}")
_PAYING = frozenset(("pay", "transfer", "refund", "donate", "buy", "order", "invoice"))
_PAYEE = ("to", "payee", "recipient", "beneficiary", "vendor", "supplier", "creditor", "iban", "name")
_AMOUNT = ("amount", "sum", "value", "total", "price")


def _is_path(word: str) -> bool:
    """Whether a word of an unknown program looks like a file: with a slash, or with a file's ending."""
    return "://" not in word and not has_marks(word) and ("/" in word or _FILE.fullmatch(word) is not None)


def _split_word(word: str) -> list[str]:
    parts = [part for part in re.split(r"[-_:.]", word.lower()) if part]
    return [part if part in ACT_WORDS else part.removesuffix("s") for part in parts]


def by_words(call: Call) -> Data:
    """A program that is not known: its name and first words say what it does, if they are verbs.

    Paths among its words are used by it; with a destructive option they are taken to be deleted.
    """
    operands = [word for word in call.args if not word.startswith("-")]
    verbs = [part for word in (call.name.rpartition("/")[2], *operands[:3]) for part in _split_word(word)]
    acts = [ACT_WORDS[word] for word in [*verbs[1:], *verbs[:1]] if word in ACT_WORDS]
    act = next((found for found in acts if found in _PAYING), acts[0] if acts else None)
    nouns = [word.lower() for word in operands[:4] if re.fullmatch(r"[A-Za-z][\w./:@=+-]{0,60}", word)]
    paths = [word for word in operands if _is_path(word)]
    options = _named_values(call.args)
    files_and_hosts(call)
    if act in _PAYING:
        _pay(call, act or "pay", options, operands)
    elif act == "deploy":
        from gate.actions.shell.platforms import put

        put(call, [act], [call.name, *nouns], operands[4:])
    elif act is not None:
        call.emit(
            act, paths, objects=[call.name, *nouns], labels=("tree",) if act in ("delete", "destroy") else ()
        )
    if any(_DESTRUCTIVE.match(word) for word in call.args):
        call.emit("delete", paths, objects=nouns, labels=("tree",))
    return Data(None, call.stdin.sources | call.sources)


def files_and_hosts(call: Call) -> None:
    """Whatever a program does with its words: files among them are read, addresses contacted."""
    operands = [word for word in call.args if not word.startswith("-")]
    given = [word for word in (*operands, *_named_values(call.args).values()) if _is_path(word)]
    if given:
        call.emit("read", given, objects=("file",))
    hosts = [host for word in call.args if "://" in word and not has_marks(word) for host in _hosts(word)]
    if hosts:
        call.emit("connect", hosts=hosts, objects=("host",))


def _hosts(word: str) -> list[str]:
    from gate.actions.hosts import host_of

    found = host_of(re.sub(r"^[^:/]*=", "", word))
    return [found] if found else []


def _named_values(args: list[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for index, word in enumerate(args):
        if word.startswith("-"):
            name, equals, value = word.lstrip("-").partition("=")
            following = args[index + 1] if index + 1 < len(args) else ""
            if equals or not following.startswith("-"):
                values[name.lower()] = value if equals else following
    return values


def _pay(call: Call, act: str, options: dict[str, str], operands: list[str]) -> None:
    payee = next((options[name] for name in _PAYEE if name in options), None)
    given = next((options[name] for name in _AMOUNT if name in options), None)
    free = [word for word in operands if word not in options.values()]
    if given is None:
        given = next(
            (word for word in free if re.search(r"\d", word) and not re.search(r"[A-Za-z]{4}", word)), None
        )
    value, unit = read_amount(given) if given and not has_marks(given) else (None, None)
    unit = currency_of(options.get("currency", "")) or unit
    unit = unit or next(
        (code for word in free for code in (currency_of(word),) if code and word.isupper()), None
    )
    names = [payee] if payee else [word for word in free[1:] if word != given and currency_of(word) is None]
    missing = [slot for slot, found in (("amount", value), ("currency", unit)) if found is None]
    if payee is None and not names:
        missing.append("recipient")
    call.emit(
        act,
        objects=("payment",),
        recipients=[plain(name) for name in names if not has_marks(name)],
        amounts=(Amount(value=value, unit=unit),) if value is not None else (),
        unknown=missing + (["recipient"] if any(has_marks(name) for name in names) else []),
        text=options.get("memo", options.get("reference", "")),
    )


# -- databases -------------------------------------------------------------------------------------

# program -> (dialect, letters with a value, options for the database, for statements, for files, for hosts)
_SQL = {
    "psql": ("postgres", "cdfFhoLpPRTUv", ("d", "dbname"), ("c", "command"), ("f", "file"), ("h", "host")),
    "mysql": ("mysql", "eDhPuS", ("D", "database"), ("e", "execute"), (), ("h", "host")),
    "mariadb": ("mysql", "eDhPuS", ("D", "database"), ("e", "execute"), (), ("h", "host")),
    "sqlite3": ("sqlite", "", (), ("cmd",), ("init",), ()),
    "sqlcmd": ("tsql", "QqdiSUPo", ("d",), ("Q", "q"), ("i",), ("S",)),
    "clickhouse-client": (
        "clickhouse",
        "qdhu",
        ("d", "database"),
        ("q", "query"),
        ("queries-file",),
        ("h", "host"),
    ),
    "duckdb": ("duckdb", "cs", (), ("c", "s"), ("init",), ()),
    "cockroach": ("postgres", "ed", ("d", "database"), ("e", "execute"), ("f", "file"), ("host",)),
    "bq": ("bigquery", "", ("project_id",), (), (), ()),
    "snowsql": ("snowflake", "qdfhu", ("d", "dbname"), ("q", "query"), ("f", "filename"), ("h",)),
}


def _sql_client(call: Call) -> Data:
    dialect, short, names, statements, files, hosts = _SQL[call.name]
    long = [
        name
        for name in (*names, *statements, *files, *hosts, "user", "username", "port", "variable")
        if len(name) > 1
    ]
    parsed = parse(call.args, short, long)
    operands = [word for word in parsed.operands if not (call.name == "cockroach" and word == "sql")]
    database = parsed.value(*names)
    if database is None and operands:
        database, operands = operands[0], operands[1:]
    elif call.name in ("sqlite3", "duckdb"):
        operands = operands[1:]
    texts = parsed.all(*statements)
    if call.name in ("sqlite3", "duckdb", "bq"):
        texts += operands if call.name != "bq" else [*(parsed.operands[-1:])]
    if parsed.value(*hosts):
        call.contact([parsed.value(*hosts) or ""], urls=False)
    given = parsed.all(*files)
    known = [call.content(word).text for word in given if word != "-"]
    call.read(given)
    if (not texts and not given) or "-" in given:
        known.append(call.stdin.text if call.stdin.text != "" else "")
    for text in [*texts, *known]:
        statement(call, text, _database(database, call), dialect)
    return Data(None)


def _database(name: str | None, call: Call) -> str | None:
    """The database's bare name, from a name, a connection string or a file."""
    if name is None or has_marks(name):
        return None
    found = re.search(r"\bdbname\s*=\s*(\S+)", name)
    if found:
        return found.group(1).strip("'\"")
    if "://" in name:
        host = canonical_host(re.sub(r"^\w+://(?:[^@/]*@)?([^/?]*).*", r"\1", name))
        call.emit("connect", hosts=[host] if host else [], objects=("host", "database"))
        return re.sub(r"^\w+://[^/]*/?([^?]*).*", r"\1", name) or None
    return re.sub(r"\.(db|sqlite3?|duckdb)\Z", "", name.rpartition("/")[2])


def statement(call: Call, text: str | None, database: str | None, dialect: str | None) -> None:
    """The frames of SQL text that a client is given; unknown text could be any statement."""
    from gate.actions.sql import statement_frames, unreadable

    if text == "":
        return
    if text is None or has_marks(text):
        call.runner.sink.put(unreadable(database, "", call.argv))
        return
    commands = "\n".join(re.findall(r"^\s*(?:\\!|\.shell|\.system)(.*)$", text, re.M))
    if commands:
        call.runner.script(commands, call.world.copy())
    switched = re.findall(r"^\s*\\c(?:onnect)?\s+(\w+)", text, re.M)
    body = re.sub(r"^\s*[\\.].*$", "", text, flags=re.M)
    for frame in statement_frames(
        body, database=switched[-1] if switched else database, dialect=dialect, argv=call.argv
    ):
        call.runner.sink.put(frame)


_REDIS = {
    "flushall": "truncate", "flushdb": "truncate", "del": "delete", "unlink": "delete", "set": "set",
    "get": "read", "keys": "list",
}  # fmt: skip


def _mysql_admin(call: Call) -> None:
    """mysqladmin drop NAME, create NAME; its other commands look or run the server."""
    parsed = parse(call.args, "uhPSO", ("host", "port", "user", "socket"))
    verb, *names = [*parsed.operands, ""]
    if parsed.value("h", "host"):
        call.contact([parsed.value("h", "host") or ""], urls=False)
    known = [name.lower() for name in names if name and not has_marks(name)]
    labels = {f"database:{name}" for name in known}
    if verb == "drop":
        missing = ("table",) if known else ("table", "database")
        call.emit("drop", objects=("database", "table", *known), labels=labels, unknown=missing)
    elif verb == "create":
        call.emit("create", objects=("database", *known), labels=labels)


def _database_tool(call: Call) -> Data:
    """dropdb, createdb, pg_dump, mysqldump, mongosh, redis-cli."""
    parsed = parse(call.args, "hpUFfEOTWdn", ("host", "port", "username", "file", "eval", "dbname"))
    names = [word for word in parsed.operands if not has_marks(word)]
    labels = {f"database:{name.lower()}" for name in names[:1]}
    if parsed.value("h", "host"):
        call.contact([parsed.value("h", "host") or ""], urls=False)
    if call.name == "dropdb":
        missing = ("table",) if names else ("table", "database")  # its tables go with it
        call.emit("drop", objects=("database", "table", *names), labels=labels, unknown=missing)
    elif call.name == "createdb":
        call.emit("create", objects=("database", *names), labels=labels)
    elif call.name in ("pg_dump", "pg_dumpall", "mysqldump", "mongodump"):
        call.emit("read", objects=("database", *names), labels=labels)
        call.emit("copy", objects=("database", *names), labels=labels)
        call.write(parsed.all("f", "file"), Data(None))
    elif call.name == "redis-cli":
        words = [word.lower() for word in names]
        act = _REDIS.get(words[0] if words else "", "execute")
        call.emit(act, objects=("redis", "database", "key", *words[1:]))
    else:
        call.not_understood()
    return Data(None)


# -- mail ------------------------------------------------------------------------------------------


def _mail(call: Call) -> Data:
    parsed = parse(
        call.args,
        "sacbrfFteAqSoOuH",
        ("to", "from", "subject", "attach", "cc", "bcc", "server", "body", "header"),
    )
    attached = parsed.all("attach") + (parsed.all("a", "A") if call.name not in ("msmtp", "sendmail") else [])
    listed = [*parsed.operands, *parsed.all("c", "b", "to", "cc", "bcc")]
    if call.name in ("swaks", "sendemail"):
        listed += parsed.all("t")
    recipients = [part.strip() for word in listed for part in word.split(",") if part.strip()]
    reads_headers = call.name in ("sendmail", "msmtp", "ssmtp") and parsed.has("t")
    unknown = any(has_marks(word) for word in recipients) or (reads_headers and not recipients)
    if reads_headers and call.stdin.text:
        recipients += re.findall(
            r"[\w.+-]+@[\w.-]+", "\n".join(re.findall(r"(?im)^(?:to|cc|bcc):.*$", call.stdin.text))
        )
        unknown = ANY in call.stdin.text
    from gate.actions.addresses import email_frames

    call.read(attached)
    body = "\n".join([*parsed.all("s", "subject"), call.stdin.text or "", *parsed.all("body")])
    known = [word for word in recipients if not has_marks(word)]
    for frame in email_frames(known, text=body, unknown=unknown, argv=call.argv):
        call.runner.sink.put(frame)
    hosts = [
        host
        for word in known
        if "@" in word
        for host in (canonical_host(word.rpartition("@")[2].strip("> ")),)
        if host
    ]
    if attached or call.stdin.sources or call.sources:
        call.send(attached, hosts, data=call.stdin, objects=("email", "attachment"))
    return EMPTY


def lines_read(head: str, stdin: Data) -> list[str] | None:
    """The lines that `while read ...` goes through, when its input is known."""
    words = read_simple(head).words
    if "read" not in words[:2] or stdin.text is None or not stdin.text or "-d" in words or "-N" in words:
        return None
    return [line + "\n" for line in stdin.text.splitlines()]


PROGRAMS: dict[str, Handler] = {
    **dict.fromkeys(_SQL, _sql_client),
    "mysqladmin": _mysql_admin,
    **dict.fromkeys(
        ("dropdb", "createdb", "pg_dump", "pg_dumpall", "mysqldump", "mongodump", "mongosh", "mongo",
        "redis-cli"),
        _database_tool,
    ),
    **dict.fromkeys(
        word_set(
            """
                mail mailx s-nail mutt neomutt sendmail msmtp ssmtp swaks sendemail heirloom-mailx
            """
        ),
        _mail,
    ),
}  # fmt: skip
