"""The SQLite backend: one file, written through SQLCipher's library (SQLite 3.53)."""
