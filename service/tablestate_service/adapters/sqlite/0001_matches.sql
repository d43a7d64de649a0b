-- The log of a match is the truth; its row in `matches` says where the log ends and
-- holds what lists show, so that neither a list nor a start-up has to fold logs.

CREATE TABLE matches (
    number      INTEGER PRIMARY KEY,          -- order of creation
    match_id    TEXT    NOT NULL UNIQUE,
    game        TEXT    NOT NULL,
    phase       INTEGER NOT NULL,             -- MatchPhase
    version     INTEGER NOT NULL,             -- version of the last entry
    head_hash   BLOB    NOT NULL,             -- hash of the last entry
    ply         INTEGER NOT NULL,
    actors      TEXT    NOT NULL,             -- JSON: seat numbers
    seats       TEXT    NOT NULL,             -- JSON: [occupant, display name] a seat
    outcome     BLOB,                         -- Outcome, once there is one
    update_time INTEGER NOT NULL,             -- nanoseconds since 1970
    bot_to_move INTEGER NOT NULL              -- 1: the server must act for the actor
) STRICT;

CREATE INDEX matches_by_phase ON matches (phase, number);
CREATE INDEX matches_by_game ON matches (game, phase, number);
CREATE INDEX matches_bot_to_move ON matches (number) WHERE bot_to_move = 1;

CREATE TABLE entries (
    match_id     TEXT    NOT NULL,
    version      INTEGER NOT NULL,            -- from 1, without gaps
    change       INTEGER NOT NULL,            -- MatchChange
    seat         INTEGER,
    notation     TEXT    NOT NULL,            -- the action, else empty
    draws        TEXT    NOT NULL,            -- JSON: values drawn by chance
    payload      TEXT    NOT NULL,            -- JSON: terms, player or bot, else empty
    time         INTEGER NOT NULL,            -- nanoseconds since 1970
    request_key  BLOB,                        -- see Request in domain/entry.py
    request_hash BLOB,
    hash         BLOB    NOT NULL,            -- chained to the entry before
    PRIMARY KEY (match_id, version)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX entries_by_request ON entries (request_key) WHERE request_key IS NOT NULL;
