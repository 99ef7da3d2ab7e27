"""The subject: the turn, formation, context, and the places where people meet it.

Nothing is imported here: `partner --help` must not pay for a database or a model.
"""

__version__ = "0.1.0"
__all__ = ["__version__"]
