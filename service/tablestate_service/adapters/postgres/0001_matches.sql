-- The log of a match is the truth; its row in `matches` says where the log ends and
-- holds what lists show. Writers never wait for a lock on it: that of two entries for one
-- place in a log only one is written is seen to by the keys of `entries` alone.

CREATE TABLE tablestate.matches (
    number      bigint   GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- order of creation
    match_id    text     COLLATE "C" NOT NULL UNIQUE,
    game        text     COLLATE "C" NOT NULL,
    phase       smallint NOT NULL,            -- MatchPhase
    version     bigint   NOT NULL,            -- version of the last entry
    head_hash   bytea    NOT NULL,            -- hash of the last entry
    ply         bigint   NOT NULL,
    actors      text     NOT NULL,            -- JSON: seat numbers
    seats       text     NOT NULL,            -- JSON: [occupant, display name] a seat
    outcome     bytea,                        -- Outcome, once there is one
    update_time bigint   NOT NULL,            -- nanoseconds since 1970
    bot_to_move smallint NOT NULL             -- 1: the server must act for the actor
) WITH (fillfactor = 70);                     -- room for rows that change with every action

CREATE INDEX matches_by_phase ON tablestate.matches (phase, number);
CREATE INDEX matches_by_game ON tablestate.matches (game, phase, number);
CREATE INDEX matches_bot_to_move ON tablestate.matches (number) WHERE bot_to_move = 1;

CREATE TABLE tablestate.entries (
    match_id     text     COLLATE "C" NOT NULL,
    version      bigint   NOT NULL,           -- from 1, without gaps
    change       smallint NOT NULL,           -- MatchChange
    seat         smallint,
    notation     text     NOT NULL,           -- the action, else empty
    draws        text     NOT NULL,           -- JSON: values drawn by chance
    payload      text     NOT NULL,           -- JSON: terms, player or bot, else empty
    time         bigint   NOT NULL,           -- nanoseconds since 1970
    request_key  bytea,                       -- see Request in domain/entry.py
    request_hash bytea,
    hash         bytea    NOT NULL,           -- chained to the entry before
    PRIMARY KEY (match_id, version)
);

CREATE UNIQUE INDEX entries_by_request ON tablestate.entries (request_key)
    WHERE request_key IS NOT NULL;

-- Which node thinks about a bot's turn. Not logged: what a crash forgets is claimed anew.
CREATE UNLOGGED TABLE tablestate.turns (
    match_id text        COLLATE "C" PRIMARY KEY,
    version  bigint      NOT NULL,
    node     text        NOT NULL,
    until    timestamptz NOT NULL
);
