-- Who took a seat, beside the log, whose entry has the hash of it: NULL once it is forgotten.

ALTER TABLE entries ADD COLUMN personal TEXT;
