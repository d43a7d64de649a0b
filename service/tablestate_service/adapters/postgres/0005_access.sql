-- Whose matches there are: what lists and the rights of callers go by.

ALTER TABLE tablestate.matches
    ADD COLUMN tenant  text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN listed  smallint         NOT NULL DEFAULT 1,     -- 0: not found by everybody
    ADD COLUMN players text             NOT NULL DEFAULT '[]';  -- JSON: player ids on seats

CREATE FUNCTION tablestate.read_json(content text) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
    RETURN content::jsonb;
EXCEPTION WHEN others THEN
    RETURN NULL;                              -- damaged
END $$;

UPDATE tablestate.matches AS m SET tenant = tablestate.read_json(e.payload)->>'tenant'
FROM tablestate.entries AS e
WHERE e.match_id = m.match_id AND e.version = 1
    AND tablestate.read_json(e.payload)->>'tenant' IS NOT NULL;

-- JOINED (2) of the seats that were not given back (SEAT_FREED, 4) afterwards.
UPDATE tablestate.matches AS m SET players = p.players FROM (
    SELECT match_id, json_agg(DISTINCT player_id)::text AS players FROM (
        SELECT e.match_id, tablestate.read_json(e.payload)->>'player_id' AS player_id
        FROM tablestate.entries AS e
        WHERE e.change = 2 AND NOT EXISTS (
            SELECT FROM tablestate.entries AS f WHERE f.match_id = e.match_id AND f.change = 4
            AND f.seat = e.seat AND f.version > e.version)) AS j
    WHERE player_id <> '' GROUP BY match_id) AS p
WHERE m.match_id = p.match_id;

DROP FUNCTION tablestate.read_json;

DROP INDEX tablestate.matches_by_phase;
DROP INDEX tablestate.matches_by_game;
CREATE INDEX matches_by_phase ON tablestate.matches (phase, number) WHERE listed = 1;
CREATE INDEX matches_by_game ON tablestate.matches (game, phase, number) WHERE listed = 1;
CREATE INDEX matches_by_tenant ON tablestate.matches (tenant, listed, phase, number);

-- `players` turned around: the matches of a player.
CREATE TABLE tablestate.match_players (
    tenant    text   COLLATE "C" NOT NULL,
    player_id text   COLLATE "C" NOT NULL,
    number    bigint NOT NULL,                -- of the match
    PRIMARY KEY (tenant, player_id, number)
);

INSERT INTO tablestate.match_players
SELECT m.tenant, p.player_id, m.number
FROM tablestate.matches AS m, jsonb_array_elements_text(m.players::jsonb) AS p (player_id);

CREATE FUNCTION tablestate.note_players() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM tablestate.match_players WHERE tenant = OLD.tenant AND number = OLD.number
            AND player_id IN (SELECT jsonb_array_elements_text(OLD.players::jsonb));
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO tablestate.match_players
        SELECT NEW.tenant, p.player_id, NEW.number
        FROM jsonb_array_elements_text(NEW.players::jsonb) AS p (player_id);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER players_of_a_new_match AFTER INSERT ON tablestate.matches
FOR EACH ROW WHEN (NEW.players <> '[]') EXECUTE FUNCTION tablestate.note_players();

CREATE TRIGGER players_of_a_lost_match AFTER DELETE ON tablestate.matches
FOR EACH ROW WHEN (OLD.players <> '[]') EXECUTE FUNCTION tablestate.note_players();

CREATE TRIGGER players_of_a_match AFTER UPDATE OF players ON tablestate.matches
FOR EACH ROW WHEN (NEW.players <> OLD.players) EXECUTE FUNCTION tablestate.note_players();
