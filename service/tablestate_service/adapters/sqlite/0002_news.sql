-- What the feed tells, in the order in which it was committed: there is one writer.

CREATE TABLE news (
    number    INTEGER PRIMARY KEY AUTOINCREMENT,
    kind      INTEGER NOT NULL,               -- NewsKind
    tenant    TEXT    NOT NULL,
    game      TEXT    NOT NULL,
    match_id  TEXT    NOT NULL,
    version   INTEGER NOT NULL,               -- version of the entry that brought it about
    time      INTEGER NOT NULL,               -- nanoseconds since 1970
    seat      INTEGER,                        -- whose turn it is
    player_id TEXT    NOT NULL,               -- of that seat, else empty
    outcome   BLOB                            -- Outcome, when the match is over
) STRICT;

CREATE INDEX news_by_tenant ON news (tenant, number);
