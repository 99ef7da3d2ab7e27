"""The closed taxonomy of acts: what can be forbidden, and what each act brings with it.

An act is an id in lower case. A verb that no act covers stands for itself as `do:<stem>`; such an act
implies nothing. Everything here is data; the words of each language that mean an act live in
configs/lexicon.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Family -> its acts. A family says which acts are near each other: doing one may be meant by the other.
FAMILIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "inspect": ("read", "open", "list", "search", "check", "download", "summarise"),
        "make": ("write", "create", "insert", "print", "translate", "sign", "cook"),
        "alter": ("change", "update", "overwrite", "rename", "set", "repair", "mix", "merge"),
        "remove": ("delete", "drop", "truncate", "discard", "destroy", "empty", "kill"),
        "place": ("move", "copy", "push", "upload", "carry", "store", "remove", "lend", "fetch"),
        "tell": ("send", "email", "call", "message", "contact", "reply", "forward", "notify", "invite"),
        "disclose": ("reveal", "share", "discuss", "publish", "mention", "show"),
        "urge": ("recommend", "advise", "promise", "offer", "criticise", "praise", "accept"),
        "money": ("pay", "transfer", "refund", "invoice", "donate", "invest"),
        "acquire": ("buy", "order", "book", "rent", "subscribe"),
        "part": ("sell", "give", "give_back", "hand_out", "discount"),
        "plan": ("schedule", "postpone", "assign", "enrol"),
        "decide": ("approve", "reject", "cancel", "hire", "dismiss", "admit"),
        "operate": (
            "deploy",
            "execute",
            "install",
            "start",
            "stop",
            "restart",
            "connect",
            "escalate",
            "access",
        ),
        "body": ("touch", "feed", "treat", "cut", "wash", "heat", "cool", "build", "plant", "spray"),
        "go": ("enter", "leave", "drive", "lock", "unlock", "close", "ride"),
        "general": ("use", "do"),
    }
)

ACTS: frozenset[str] = frozenset(act for acts in FAMILIES.values() for act in acts)
FAMILY_OF: Mapping[str, str] = MappingProxyType(
    {act: family for family, acts in FAMILIES.items() for act in acts}
)

_TELLING = (
    *("reveal", "share", "discuss", "publish", "mention", "show", "send", "email", "message", "forward"),
    *("notify", "reply", "contact", "call", "write", "insert"),
)

AT_SITES = frozenset((*FAMILIES["acquire"], "pay", "donate", "use"))  # what sending a site something may do

# A ban on the key covers the listed acts as certainly as the act itself.
IMPLIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "change": (
            *(
                "write",
                "delete",
                "move",
                "overwrite",
                "rename",
                "update",
                "insert",
                "set",
                "drop",
                "truncate",
            ),
            *("repair", "merge", "empty", "postpone", "destroy", "mix", "cut"),
        ),
        "write": ("overwrite", "insert", "update", "create"),
        "delete": ("truncate", "drop", "empty", "destroy", "discard"),
        "discard": ("destroy", "delete"),
        "destroy": ("delete", "discard", "drop", "truncate"),
        "drop": ("destroy",),
        "send": ("email", "message", "forward", "notify", "reply", "upload", "publish"),
        "contact": ("email", "call", "message", "send", "reply", "connect", "invite", "notify"),
        "message": ("notify",),
        "share": (*_TELLING, "upload", "hand_out", "give"),
        "reveal": (*_TELLING, "upload", "hand_out", "give"),
        "discuss": _TELLING,
        "mention": _TELLING,
        "publish": ("deploy", "upload"),
        "show": ("share", "reveal"),
        "pay": ("transfer", "refund", "donate", "buy", "order", "book", "rent", "invest"),
        "transfer": ("pay", "donate", "refund", "send"),
        "buy": ("order", "subscribe"),
        "order": ("buy",),
        "book": ("order", "rent", "schedule"),
        "schedule": ("book", "invite", "postpone"),
        "postpone": ("schedule",),
        "execute": ("start",),
        "restart": ("stop", "start"),
        "stop": ("restart", "kill"),
        "give": ("hand_out", "lend", "donate", "sell"),
        "lend": ("give", "rent", "hand_out", "send"),
        "accept": ("approve",),
        "refund": ("give_back",),
        "reply": ("write", "email", "message", "publish", "send", "contact"),
        "hand_out": ("give", "treat", "sell", "lend", "send"),
        "read": ("open", "download", "summarise", "check", "enter", "search"),
        "treat": ("give", "order"),
        "heat": ("set", "start"),
        "offer": ("discount", "promise"),
        "promise": ("offer",),
        "recommend": ("praise", "advise", "offer"),
        "advise": ("recommend", "notify", "discuss", "reply", "reveal"),
        "enrol": ("insert", "invite"),
        "admit": ("enrol",),
        "remove": ("move", "delete", "carry"),
        "move": ("rename", "remove", "carry", "postpone"),
        "leave": ("enter",),
        "touch": (),
        "connect": ("access",),
        "access": ("read", "open", "write", "connect"),
        "copy": ("download", "upload"),
        "use": (),
    }
)

# What only looks and leaves the thing as it was: never an effect that an object-only ban is about.
LOOKING: frozenset[str] = frozenset(FAMILIES["inspect"])
# A ban on touching, or on an object alone, covers every act that reaches the thing except looking at it.
EFFECTS: frozenset[str] = ACTS - LOOKING - {"reject", "lock", "give_back"} | {"open"}

# What brings a thing about or to a place: what 'no X in Y' is about when it names no act.
PRESENCE: tuple[str, ...] = tuple(
    sorted(
        EFFECTS
        - {
            "delete",
            "remove",
            "discard",
            "destroy",
            "empty",
            "dismiss",
            "kill",
            "stop",
            "cut",
            "criticise",
            "cancel",
            "refund",
        }
        - {"drop", "truncate", "wash", "postpone", "change", "overwrite"}
    )
)

# act -> the acts that undo or decline it; a request for one of these is not a request for the act.
REVERSES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "delete": ("create", "write", "store", "insert", "enrol"),
        "remove": ("insert", "give_back"),
        "leave": ("stop",),
        "discard": ("store", "buy", "create"),
        "destroy": ("create", "store", "repair"),
        "create": ("delete", "discard"),
        "insert": ("delete", "remove"),
        "enrol": ("remove", "delete", "dismiss"),
        "write": ("delete",),
        "send": ("cancel",),
        "publish": ("cancel", "delete", "remove"),
        "deploy": ("cancel",),
        "buy": ("refund", "sell", "cancel", "give_back", "reject"),
        "order": ("refund", "cancel", "sell", "give_back", "reject"),
        "book": ("cancel",),
        "schedule": ("cancel", "remove", "delete"),
        "pay": ("refund", "reject", "cancel"),
        "approve": ("reject", "cancel"),
        "hire": ("dismiss", "reject"),
        "admit": ("reject", "dismiss"),
        "start": ("stop",),
        "stop": ("start",),
        "open": ("close", "lock"),
        "lock": ("unlock",),
        "unlock": ("lock", "close"),
        "close": ("unlock", "open"),
        "heat": ("cool",),
        "cool": ("heat",),
        "recommend": ("criticise", "reject"),
        "lend": ("give_back", "reject"),
        "give": ("give_back", "reject"),
        "rent": ("give_back", "cancel", "reject"),
        "sell": ("buy", "cancel", "reject"),
        "accept": ("reject", "give_back"),
        "use": ("give_back",),
        "offer": ("reject", "cancel"),
        "promise": ("reject",),
        "invite": ("cancel", "reject"),
        "reveal": (),
    }
)


def _close(acts: frozenset[str]) -> frozenset[str]:
    """One step of implication; it is not transitive on purpose ('share' covers 'send', 'send' not 'pay')."""
    return acts | {implied for act in acts for implied in IMPLIES.get(act, ())}


COVERED: Mapping[str, frozenset[str]] = MappingProxyType({act: _close(frozenset((act,))) for act in ACTS})


def covers(forbidden: str, act: str) -> bool:
    """Whether a ban on `forbidden` is a ban on `act`."""
    return act == forbidden or act in COVERED.get(forbidden, frozenset())


def near(forbidden: str, act: str) -> bool:
    """Whether `act` is of the same family, so that it may be what the ban means."""
    return FAMILY_OF.get(forbidden, forbidden) == FAMILY_OF.get(act, act)


def reverses(forbidden: str, act: str) -> bool:
    """Whether `act` undoes or declines what is forbidden."""
    return act in REVERSES.get(forbidden, ())
