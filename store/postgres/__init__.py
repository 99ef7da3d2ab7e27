"""The PostgreSQL backend: the same log for an operator who outgrows one machine (psycopg 3, server 14+)."""
