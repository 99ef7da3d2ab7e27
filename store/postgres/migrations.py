"""How the database is made and brought up to date: numbered steps, each committed with its own record.

What a step once did is never edited; a change is a further step. The append-only rule is held three times:
the program's role may SELECT and INSERT on the log and nothing else; triggers refuse what even the owner
tries; and what is appended must continue from the `head` row, which only a trigger moves. The one change
that the log allows is the loss of a body, when an erasure in the log itself names its engram.
"""

from __future__ import annotations

from dataclasses import dataclass

GUARD_STATE = "EN001"  # SQLSTATE of what the guards below refuse

_TABLES = """
CREATE TABLE engram.log (
    seq bigint PRIMARY KEY, header bytea NOT NULL, body bytea, body_hash bytea NOT NULL,
    hash bytea NOT NULL, signature bytea NOT NULL);

CREATE TABLE engram.head (
    single boolean PRIMARY KEY DEFAULT true CHECK (single), seq bigint NOT NULL, hash bytea NOT NULL);

INSERT INTO engram.head (seq, hash) VALUES (0, '');

CREATE TABLE engram.state (
    seq bigint PRIMARY KEY, id uuid NOT NULL UNIQUE, tail bigint NOT NULL, klass text NOT NULL,
    type text NOT NULL, author text NOT NULL, authority integer NOT NULL, created_us bigint NOT NULL,
    effective_us bigint NOT NULL, subject text, attribute text, ended_seq bigint, ended_us bigint,
    ended_why text, erased boolean NOT NULL DEFAULT false);

CREATE INDEX state_tail ON engram.state (tail);

CREATE INDEX state_current ON engram.state (klass, seq) WHERE ended_seq IS NULL;

CREATE INDEX state_class ON engram.state (klass, seq);

CREATE INDEX state_type ON engram.state (type, seq) WHERE ended_seq IS NULL;

CREATE INDEX state_time ON engram.state (klass, effective_us);

CREATE INDEX state_when ON engram.state (effective_us, seq);

CREATE INDEX state_key ON engram.state (subject, attribute) WHERE subject IS NOT NULL;

CREATE TABLE engram.edge (
    row bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, seq bigint NOT NULL, claim uuid NOT NULL,
    src uuid NOT NULL, relation text NOT NULL, dst uuid NOT NULL, author text NOT NULL,
    created_us bigint NOT NULL, ended_seq bigint);

CREATE INDEX edge_src ON engram.edge (src, relation);

CREATE INDEX edge_dst ON engram.edge (dst, relation);

CREATE INDEX edge_seq ON engram.edge (seq);

CREATE TABLE engram.posting (
    term text COLLATE "C" NOT NULL, seq bigint NOT NULL, tf integer NOT NULL, length integer NOT NULL,
    PRIMARY KEY (term, seq) INCLUDE (tf, length));

CREATE INDEX posting_seq ON engram.posting (seq);

CREATE TABLE engram.corpus (
    single boolean PRIMARY KEY DEFAULT true CHECK (single), texts bigint NOT NULL, words bigint NOT NULL);

INSERT INTO engram.corpus (texts, words) VALUES (0, 0);

CREATE TABLE engram.vector (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, seq bigint NOT NULL, model text NOT NULL,
    blob bytea NOT NULL, UNIQUE (seq, model));

ALTER TABLE engram.vector ALTER COLUMN blob SET STORAGE EXTERNAL;

CREATE INDEX vector_model ON engram.vector (model, position);

CREATE TABLE engram.access (seq bigint PRIMARY KEY, times bigint[] NOT NULL);

CREATE TABLE engram.meta (key text COLLATE "C" PRIMARY KEY, value bytea NOT NULL);
"""

_FUNCTIONS = """
CREATE FUNCTION engram.lock_head() RETURNS TABLE (seq bigint, hash bytea) LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$ SELECT h.seq, h.hash FROM engram.head h FOR UPDATE $$;

CREATE FUNCTION engram.log_grows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    here bigint; n bigint; low bigint; high bigint;
BEGIN
    SELECT count(*), min(seq), max(seq) INTO n, low, high FROM added;
    IF n = 0 THEN RETURN NULL; END IF;
    SELECT seq INTO here FROM engram.head FOR UPDATE;
    IF low <> here + 1 OR high <> here + n THEN
        RAISE EXCEPTION 'the log is append-only: after entry % comes %, not %', here, here + 1, low
            USING ERRCODE = 'EN001';
    ELSIF here > 0 AND NOT EXISTS (SELECT FROM engram.log l WHERE l.seq = here) THEN
        RAISE EXCEPTION 'the end of the log is gone: entry % is not there', here USING ERRCODE = 'EN001';
    END IF;
    UPDATE engram.head SET seq = high, hash = (SELECT a.hash FROM added a WHERE a.seq = high);
    RETURN NULL;
END $$;

CREATE FUNCTION engram.log_refuses() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'the log is append-only: % refused', lower(TG_OP) USING ERRCODE = 'EN001';
END $$;

CREATE FUNCTION engram.log_forgets() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    target text := convert_from(OLD.header, 'UTF8')::jsonb ->> 'id';
BEGIN
    IF NEW.body IS NULL AND ROW(NEW.seq, NEW.header, NEW.body_hash, NEW.hash, NEW.signature)
            = ROW(OLD.seq, OLD.header, OLD.body_hash, OLD.hash, OLD.signature)
        AND EXISTS (
            SELECT FROM engram.edge e JOIN engram.log l ON l.seq = e.seq
            WHERE e.dst = target::uuid AND e.relation = 'retracts'
                AND convert_from(l.header, 'UTF8')::jsonb @> jsonb_build_object('type', 'erasure', 'links',
                    jsonb_build_array(jsonb_build_object('relation', 'retracts', 'target', target))))
    THEN RETURN NEW; END IF;
    RAISE EXCEPTION 'the log is append-only: update refused' USING ERRCODE = 'EN001';
END $$;

CREATE FUNCTION engram.erase(entry bigint) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
    UPDATE engram.log SET body = NULL WHERE seq = entry AND body IS NOT NULL $$;

CREATE FUNCTION engram.meta_keeps() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF OLD.key IN ('store_id', 'root_key') THEN
        RAISE EXCEPTION 'the identity of a store does not change' USING ERRCODE = 'EN001';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;

CREATE FUNCTION engram.scrub() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM seq FROM engram.head FOR UPDATE;  -- keeps writers out
    FOR attempt IN 1..50 LOOP  -- to wait for one lock with others held can deadlock with a reader
        BEGIN
            LOCK TABLE engram.log, engram.state, engram.posting, engram.vector, engram.meta
                IN ACCESS EXCLUSIVE MODE NOWAIT;
            CLUSTER (VERBOSE) engram.log USING log_pkey;
            CLUSTER (VERBOSE) engram.state USING state_pkey;
            CLUSTER (VERBOSE) engram.posting USING posting_pkey;
            CLUSTER (VERBOSE) engram.vector USING vector_pkey;
            CLUSTER (VERBOSE) engram.meta USING meta_pkey;
            RETURN true;
        EXCEPTION WHEN lock_not_available THEN PERFORM pg_sleep(0.1);
        END;
    END LOOP;
    RETURN false;
END $$;
"""

_GUARDS = """
CREATE TRIGGER log_grows AFTER INSERT ON engram.log REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION engram.log_grows();

CREATE TRIGGER log_forgets BEFORE UPDATE ON engram.log FOR EACH ROW EXECUTE FUNCTION engram.log_forgets();

CREATE TRIGGER log_keeps BEFORE DELETE ON engram.log FOR EACH ROW EXECUTE FUNCTION engram.log_refuses();

CREATE TRIGGER log_stays BEFORE TRUNCATE ON engram.log
    FOR EACH STATEMENT EXECUTE FUNCTION engram.log_refuses();

CREATE TRIGGER meta_keeps BEFORE UPDATE OR DELETE ON engram.meta
    FOR EACH ROW EXECUTE FUNCTION engram.meta_keeps();
"""

# `{writer}` is the quoted name of the program's role
_GRANTS = """
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA engram FROM PUBLIC;

GRANT USAGE ON SCHEMA engram TO {writer};

GRANT SELECT ON ALL TABLES IN SCHEMA engram TO {writer};

GRANT INSERT ON engram.log, engram.state, engram.edge, engram.posting, engram.vector, engram.access,
    engram.meta TO {writer};

GRANT UPDATE (ended_seq, ended_us, ended_why, erased, subject, attribute) ON engram.state TO {writer};

GRANT UPDATE (ended_seq) ON engram.edge TO {writer};

GRANT UPDATE (texts, words) ON engram.corpus TO {writer};

GRANT UPDATE (times) ON engram.access TO {writer};

GRANT UPDATE (value) ON engram.meta TO {writer};

GRANT DELETE ON engram.state, engram.edge, engram.posting, engram.vector, engram.access,
    engram.meta TO {writer};

GRANT EXECUTE ON FUNCTION engram.lock_head(), engram.erase(bigint), engram.scrub() TO {writer};
"""

RECORDS = """
CREATE TABLE engram.migration (
    number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step forward: statements separated by blank lines, run in one transaction as the owner role."""

    name: str
    script: str

    @property
    def statements(self) -> list[str]:
        return [part.strip() for part in self.script.split("\n\n") if part.strip()]


MIGRATIONS: tuple[Migration, ...] = (
    Migration("first tables", "\n\n".join((_TABLES, _FUNCTIONS, _GUARDS, _GRANTS))),
)
