"""Base-level learning: what was used lately and often comes to mind first (Anderson & Schooler 1991).

B = ln(sum over uses of age^-d), with d = 0.5. Writing counts as the first use; the last 10 accesses are kept
(E7). Importance never changes; what age lowers is how salient it is now (E6), and nothing is ever dropped
(E8).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

import numpy as np
from numpy.typing import NDArray

MAX_ACCESSES = 10
_SHORTEST_DAYS = 1.0 / 1440.0  # a minute: what was used this instant is not infinitely present


def base_level(ages_days: Sequence[float], *, decay: float = 0.5) -> float:
    """B over ages in days, the creation's among them; only the 11 most recent uses count."""
    recent = sorted(max(age, _SHORTEST_DAYS) for age in ages_days)[: MAX_ACCESSES + 1]
    return log(sum(age**-decay for age in recent)) if recent else float("-inf")


def presence(ages_days: Sequence[float], *, decay: float = 0.5) -> float:
    """Base level squashed to 0..1 by the logistic; one use a day ago is 0.5."""
    level = base_level(ages_days, decay=decay)
    return 1.0 / (1.0 + exp(-level)) if level > float("-inf") else 0.0


def once(ages_days: NDArray[np.float64], *, decay: float = 0.5) -> NDArray[np.float64]:
    """`presence` of many engrams used a single time each, their creation."""
    return 1.0 / (1.0 + np.maximum(ages_days, _SHORTEST_DAYS) ** decay)


def effective_salience(importance: float, ages_days: Sequence[float], *, decay: float = 0.5) -> float:
    """Importance (0..1, fixed) times presence: falls with age, rises with use."""
    return importance * presence(ages_days, decay=decay)
