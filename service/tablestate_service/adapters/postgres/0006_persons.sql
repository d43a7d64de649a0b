-- Who took a seat, beside the log, whose entry has the hash of it: NULL once it is forgotten.

ALTER TABLE tablestate.entries ADD COLUMN personal text;
