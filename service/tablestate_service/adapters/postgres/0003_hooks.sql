-- How far each webhook has got in `news`, and which node delivers.

CREATE TABLE tablestate.hooks (
    name   text        COLLATE "C" PRIMARY KEY,
    number bigint      NOT NULL,              -- of the news delivered last
    node   text        NOT NULL,
    until  timestamptz NOT NULL
);
