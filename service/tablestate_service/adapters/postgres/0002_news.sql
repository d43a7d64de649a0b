-- What the feed tells. Rows get their place in it only once they are committed, by whoever
-- reads: see docs/decisions/0010-the-feed-is-numbered-afterwards.md.

CREATE TABLE tablestate.news (
    id        bigint   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    number    bigint   UNIQUE,                -- place in the feed
    kind      smallint NOT NULL,              -- NewsKind
    tenant    text     COLLATE "C" NOT NULL,
    game      text     COLLATE "C" NOT NULL,
    match_id  text     COLLATE "C" NOT NULL,
    version   bigint   NOT NULL,              -- version of the entry that brought it about
    time      bigint   NOT NULL,              -- nanoseconds since 1970
    seat      smallint,                       -- whose turn it is
    player_id text     NOT NULL,              -- of that seat, else empty
    outcome   bytea                           -- Outcome, when the match is over
);

CREATE INDEX news_by_tenant ON tablestate.news (tenant, number) WHERE number IS NOT NULL;
CREATE INDEX news_without_number ON tablestate.news (id) WHERE number IS NULL;

-- One row, whose lock is held by whoever numbers.
CREATE TABLE tablestate.feed (last bigint NOT NULL);
INSERT INTO tablestate.feed VALUES (0);
