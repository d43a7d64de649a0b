-- How far each webhook has got in `news`.

CREATE TABLE hooks (
    name   TEXT    PRIMARY KEY,
    number INTEGER NOT NULL                   -- of the news delivered last
) STRICT;
