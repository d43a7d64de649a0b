-- Whose matches there are: what lists and the rights of callers go by.

ALTER TABLE matches ADD COLUMN tenant TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN listed INTEGER NOT NULL DEFAULT 1;    -- 0: not found by everybody
ALTER TABLE matches ADD COLUMN players TEXT NOT NULL DEFAULT '[]';   -- JSON: player ids on seats

UPDATE matches SET tenant = coalesce((
    SELECT CASE WHEN json_valid(e.payload) THEN json_extract(e.payload, '$.tenant') END
    FROM entries AS e WHERE e.match_id = matches.match_id AND e.version = 1), '');

-- JOINED (2) of the seats that were not given back (SEAT_FREED, 4) afterwards.
UPDATE matches SET players = (
    SELECT json_group_array(player_id) FROM (
        SELECT DISTINCT
            CASE WHEN json_valid(e.payload) THEN json_extract(e.payload, '$.player_id') END
                AS player_id
        FROM entries AS e
        WHERE e.match_id = matches.match_id AND e.change = 2 AND NOT EXISTS (
            SELECT 1 FROM entries AS f WHERE f.match_id = e.match_id AND f.change = 4
            AND f.seat = e.seat AND f.version > e.version))
    WHERE player_id <> '');

DROP INDEX matches_by_phase;
DROP INDEX matches_by_game;
CREATE INDEX matches_by_phase ON matches (phase, number) WHERE listed = 1;
CREATE INDEX matches_by_game ON matches (game, phase, number) WHERE listed = 1;
CREATE INDEX matches_by_tenant ON matches (tenant, listed, phase, number);

-- `players` turned around: the matches of a player.
CREATE TABLE match_players (
    tenant    TEXT    NOT NULL,
    player_id TEXT    NOT NULL,
    number    INTEGER NOT NULL,               -- of the match
    PRIMARY KEY (tenant, player_id, number)
) STRICT, WITHOUT ROWID;

INSERT INTO match_players
SELECT m.tenant, p.value, m.number FROM matches AS m, json_each(m.players) AS p;

CREATE TRIGGER players_of_a_new_match AFTER INSERT ON matches WHEN NEW.players <> '[]'
BEGIN
    INSERT INTO match_players SELECT NEW.tenant, value, NEW.number FROM json_each(NEW.players);
END;

CREATE TRIGGER players_of_a_lost_match AFTER DELETE ON matches WHEN OLD.players <> '[]'
BEGIN
    DELETE FROM match_players WHERE tenant = OLD.tenant AND number = OLD.number
        AND player_id IN (SELECT value FROM json_each(OLD.players));
END;

CREATE TRIGGER players_of_a_match AFTER UPDATE OF players ON matches
WHEN NEW.players <> OLD.players
BEGIN
    DELETE FROM match_players WHERE tenant = OLD.tenant AND number = OLD.number
        AND player_id IN (SELECT value FROM json_each(OLD.players));
    INSERT INTO match_players SELECT NEW.tenant, value, NEW.number FROM json_each(NEW.players);
END;
