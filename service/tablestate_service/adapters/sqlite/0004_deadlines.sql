-- When something is due in a match if nothing else happens, in the time of `clock`.

ALTER TABLE matches ADD COLUMN deadline INTEGER;
CREATE INDEX matches_by_deadline ON matches (deadline) WHERE deadline IS NOT NULL;

-- How long this database has been served, as it was last noted; one row.
CREATE TABLE clock (time INTEGER NOT NULL) STRICT; -- nanoseconds
INSERT INTO clock VALUES (0);
