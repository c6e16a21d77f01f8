-- The table "instances_text" takes files such as it's later.csv as they are; the view "instances" reads it.
-- For SQLite 3.35 or newer. To load such a file, in UTF-8:
--   .mode csv
--   .separator ";"
--   .import --skip 1 'it''s later.csv' instances_text
CREATE TABLE "instances_text" (
  "alter" TEXT,
  "seen" TEXT,
  "ward" TEXT,
  "code" TEXT,
  "note" TEXT,
  "back" TEXT
);
CREATE VIEW "instances" AS SELECT
  CASE WHEN trim("alter") IN ('-') THEN NULL ELSE replace(replace(replace("alter", ',', '|'), '.', ','), '|', '.') END AS "age",
  CASE WHEN trim("seen") IN ('-', '', '?', 'NA', 'N/A', '#N/A', 'n/a', 'NaN', 'nan', 'NULL', 'null') THEN NULL ELSE CASE WHEN length(trim("seen")) = 16 AND substr(trim("seen"), 3, 1) = '.' AND substr(trim("seen"), 6, 1) = '.' AND substr(trim("seen"), 11, 1) = ' ' AND substr(trim("seen"), 14, 1) = ':' THEN substr(trim("seen"), 7, 4) || '-' || substr(trim("seen"), 4, 2) || '-' || substr(trim("seen"), 1, 2) || ' ' || substr(trim("seen"), 12, 2) || ':' || substr(trim("seen"), 15, 2) ELSE 'not dd.MM.yyyy HH:mm: ' || trim("seen") END END AS "seen",
  CASE WHEN trim("ward") IN ('-') THEN NULL ELSE "ward" END AS "ward",
  CASE WHEN trim("code") IN ('-') THEN NULL ELSE "code" END AS "code",
  "note" AS "note",
  "back" AS "back"
FROM "instances_text";
