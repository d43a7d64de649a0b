-- When something is due in a match if nothing else happens, in the time of `clock`.

ALTER TABLE tablestate.matches ADD COLUMN deadline bigint;
CREATE INDEX matches_by_deadline ON tablestate.matches (deadline) WHERE deadline IS NOT NULL;

-- The clock of all nodes is that of the database plus this, which takes its jumps back; one row.
CREATE TABLE tablestate.clock (correction bigint NOT NULL); -- nanoseconds
INSERT INTO tablestate.clock VALUES (0);
