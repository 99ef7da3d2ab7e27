"""The one composition root: settings become an opened partner, and everything closes in reverse.

Only here are adapters named, the clock read and the process's surroundings looked at.
"""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from partner.context import Limits
from partner.errors import HomeUnavailable
from partner.interrupts import Interrupts
from partner.meaning import MeaningKeeper
from partner.operations import Partner
from partner.policy import Policy, Surroundings
from partner.settings import NO_ENGINE, Settings
from store import open_store
from store.errors import NoStore

if TYPE_CHECKING:
    from partner.proposing import Proposer
    from partner.rulecache import RuleCache
    from partner.session import Session
    from partner.tools.toolbox import Toolbox
    from router import Engine, Ledger, Router
    from router.keys import Keys
    from store import Store

MEMORY = "memory:"  # a store that lives as long as the process
Clock = Callable[[], datetime]


@contextmanager
def open_partner(
    settings: Settings,
    *,
    clock: Clock | None = None,
    interrupts: Interrupts | None = None,
    engine_free: bool = False,
    by_meaning: bool = True,
    engines: Mapping[str, Engine] | None = None,
    read_only: bool | None = None,
    create: bool = True,
) -> Iterator[Partner]:
    """Open the partner that lives in `settings.home`, making the home on first use.

    `engine_free` leaves the router out, for what needs no language, `by_meaning` False the embedder, for what
    neither searches nor writes; `engines` are those to use (tests). `read_only` of None: what cannot be
    written is read all the same, and writing raises StoreUnavailable. With `create` False a store that is not
    there raises NoStore. Of one in memory nothing is kept. Raises HomeUnavailable, and the store's errors.
    """
    now = clock or system_clock(settings)
    if read_only is None:
        read_only = _only_readable(settings.store)
    kept = not read_only and settings.store != MEMORY
    _make_ready(settings, create=create)
    with ExitStack() as stack:
        store = stack.enter_context(
            open_store(
                settings.store,
                clock=now,
                author=settings.config.operator.name,
                passphrase=settings.key_to_store,
                read_only=read_only,
                create=create,
            )
        )
        policy = Policy(store, _surroundings(settings), cache=_rules(settings, store, kept=kept))
        ledger = _ledger(settings, stack, now, kept=kept)
        meaning = _meaning(settings, stack, store) if by_meaning else None
        router = None
        if not engine_free and settings.engine != NO_ENGINE:
            cached = kept and not getattr(store.backend, "encrypted", False)
            router = _router(settings, stack, ledger, engines, cached=cached)

        def make_session() -> Session:
            from partner.session import Session

            session = Session(
                store=store,
                policy=policy,
                router=router,
                order=tuple(engines) if engines else settings.config.order,
                clock=now,
                limits=_limits(settings),
                session_id=f"s-{secrets.token_hex(6)}",
                interrupts=interrupts,
                toolbox=_toolbox(settings, store, policy),
                proposer=_proposer(settings, store, router, policy),
            )
            session.engine = settings.engine
            return session

        yield Partner(
            settings=settings,
            store=store,
            policy=policy,
            make_session=make_session,
            router=router,
            ledger=ledger,
            meaning=meaning,
            clock=now,
        )


def system_clock(settings: Settings) -> Clock:
    """The wall clock in the operator's zone, always with its offset."""
    zone = ZoneInfo(settings.config.operator.timezone) if settings.config.operator.timezone else None
    return lambda: datetime.now(zone) if zone else datetime.now().astimezone()


def engine_keys(settings: Settings) -> Keys:
    """Where the keys of hosted engines are: the system's keyring, or a file in the home."""
    from router.keys import Keys, system_keyring

    return Keys(settings.home / "keys.json", environment=os.environ, keyring=system_keyring)


def make_home(settings: Settings) -> None:
    """Make the folder a partner lives in. Raises HomeUnavailable, and OSError where the disk is full."""
    try:
        settings.home.mkdir(parents=True, exist_ok=True, mode=0o700)
    except FileExistsError:
        raise HomeUnavailable(
            f"{settings.home} is a file. Name a folder with --home or PARTNER_HOME."
        ) from None
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise  # no other name would help
        raise HomeUnavailable(
            f"The home {settings.home} cannot be made: {error.strerror}.\n"
            "Choose another with --home or PARTNER_HOME."
        ) from error


def _surroundings(settings: Settings) -> Surroundings:
    operator = settings.config.operator
    return Surroundings(
        cwd=os.getcwd(),
        home=str(Path.home()),
        operator_names=(*operator.words, operator.name),
        timezone=operator.timezone,
    )


def _limits(settings: Settings) -> Limits:
    context = settings.config.context
    return Limits(
        budget_tokens=context.budget_tokens,
        reply_tokens=context.reply_tokens,
        retrieved=context.retrieved,
        last_turns=context.last_turns,
    )


def _toolbox(settings: Settings, store: Store, policy: Policy) -> Toolbox | None:
    """The tools that are turned on; None where there are none."""
    wanted = settings.config.tools
    known = ("read_file", "list_folder", "write_file", "run_command", "http_get", "recall", "remember")
    names = [name for name in known if getattr(wanted, name)]
    if not names:
        return None
    from partner.context import note_line
    from partner.tools import builtin, memory
    from partner.tools.model import Bounds, Place
    from partner.tools.toolbox import Toolbox

    tools = {
        tool.name: tool for tool in (*builtin.TOOLS, memory.recall(store, note_line), memory.remember(store))
    }
    place = Place(
        cwd=os.getcwd(),
        home=str(Path.home()),
        closed=(os.path.realpath(settings.home),),
        offline=settings.config.router.offline,
    )
    return Toolbox(
        [tools[name] for name in names],
        store=store,
        policy=policy,
        place=place,
        bounds=Bounds(timeout_s=wanted.timeout_s, output_chars=wanted.output_chars),
        rounds=wanted.rounds,
    )


def _proposer(settings: Settings, store: Store, router: Router | None, policy: Policy) -> Proposer | None:
    """The engine that proposes after a turn, where one is named and engines are used at all."""
    wanted = settings.config.formation
    if router is None or not wanted.engine:
        return None
    from partner.proposing import Proposer

    return Proposer(
        store=store, router=router, policy=policy, engine=wanted.engine, auto=wanted.accept == "auto"
    )


def _make_ready(settings: Settings, *, create: bool) -> None:
    """Make the home, unless nothing is to be kept in it or the store that is to be read is not there.

    Of a store on a server its opening tells whether it is there. Raises NoStore, HomeUnavailable.
    """
    if settings.store == MEMORY:
        return
    path = Path(settings.store).expanduser()
    if not create and "://" not in settings.store and not path.exists():
        raise NoStore(f"at {path.absolute()}")
    make_home(settings)


def _only_readable(target: str) -> bool:
    """Whether a store is there that this process cannot write: a read-only file, folder or mount."""
    if "://" in target:
        return False
    from store.files import can_write

    path = Path(target).expanduser()
    return path.is_file() and not can_write(path)


def _rules(settings: Settings, store: Store, *, kept: bool) -> RuleCache | None:
    """Where compiled rules are kept: in the clear, so not of an encrypted store."""
    from partner.rulecache import RuleCache

    if not kept or getattr(store.backend, "encrypted", False):
        return None
    return RuleCache(settings.cache_dir / "rules", store)


def _ledger(settings: Settings, stack: ExitStack, clock: Clock, *, kept: bool) -> Ledger:
    from router import Ledger

    ledger = Ledger(settings.ledger_path if kept else "memory:", clock=clock)
    stack.callback(ledger.close)
    return ledger


def _meaning(settings: Settings, stack: ExitStack, store: Store) -> MeaningKeeper | None:
    """Retrieval by meaning, where the embedding model is here; without it words alone are used."""
    from partner import embedding_models

    embedder = embedding_models.configured(settings)
    if embedder is None:
        return None  # `partner doctor` says so
    folder = settings.cache_dir / "vectors"
    earlier = embedding_models.served_before(folder, embedder)
    sealed = store.backend.encrypted  # a published index lies beside the store in the clear
    store.use_embedder(
        embedding_models.ForStore(embedder),
        index_dir=None if sealed else folder,
        reranker=embedding_models.reranker(settings),
        meanwhile=embedding_models.ForStore(earlier) if earlier is not None else None,
    )

    def arrived() -> None:
        embedding_models.remember_served(folder, embedder)

    keeper = MeaningKeeper(store, embedder, earlier=earlier, arrived=arrived)
    stack.callback(keeper.close)
    return keeper


def _router(
    settings: Settings,
    stack: ExitStack,
    ledger: Ledger,
    engines: Mapping[str, Engine] | None,
    *,
    cached: bool,
) -> Router:
    """`cached`: answers may be kept beside the store, in the clear."""
    from router import Cache, Router, RouterConfig
    from router.config import build

    selection = settings.config.router
    cache = Cache(settings.cache_dir, limit_bytes=selection.cache_limit_mb * 1024**2) if cached else None
    if engines is not None:
        router = Router(engines, order=list(engines), ledger=ledger, cache=cache, rules=selection.rules())
    else:
        config = RouterConfig(router=selection, engines=settings.config.engines)
        keys = engine_keys(settings)
        router = build(config, models_dir=settings.models_dir, ledger=ledger, keys=keys, cache=cache)
    stack.callback(router.close)
    return router
