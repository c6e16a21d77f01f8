-- The cells of the table "instances" that the model cannot use, by the number of the row.
WITH RECURSIVE
 wekaconf_blanks(blanks) AS MATERIALIZED (
  VALUES ('	
                  　')
 ),
 wekaconf_input AS MATERIALIZED (
  SELECT row_number() OVER () AS "wekaconf_instance", wekaconf_rows.*
  FROM "instances" wekaconf_rows
 ),
 wekaconf_texts AS MATERIALIZED (
  SELECT wekaconf_input."wekaconf_instance" AS instance,
  trim(CAST(wekaconf_input."age" AS VARCHAR) COLLATE "binary", wekaconf_blanks.blanks) AS text0,
  trim(CAST(wekaconf_input."seen" AS VARCHAR) COLLATE "binary", wekaconf_blanks.blanks) AS text1,
  CASE WHEN typeof(wekaconf_input."seen") = 'VARCHAR' THEN 1 ELSE 0 END AS is_text1,
  trim(CAST(wekaconf_input."ward" AS VARCHAR) COLLATE "binary", wekaconf_blanks.blanks) AS text2,
  trim(CAST(wekaconf_input."code" AS VARCHAR) COLLATE "binary", wekaconf_blanks.blanks) AS text3,
  CAST(wekaconf_input."code" AS VARCHAR) COLLATE "binary" AS written3
  FROM wekaconf_input CROSS JOIN wekaconf_blanks
 ),
 wekaconf_zones AS MATERIALIZED (
  SELECT wekaconf_texts.*,
  CASE WHEN (regexp_full_match(text1, '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[-+][0-9]{2}(:?[0-5][0-9])?)?)?$')) THEN CASE WHEN length(text1) = 10 THEN 0 WHEN substr(text1, length(text1), 1) = 'Z' THEN 1 WHEN substr(text1, length(text1) - 5, 1) IN ('+', '-') THEN 6 WHEN substr(text1, length(text1) - 4, 1) IN ('+', '-') THEN 5 WHEN substr(text1, length(text1) - 2, 1) IN ('+', '-') THEN 3 ELSE 0 END END AS zone1
  FROM wekaconf_texts
 ),
 wekaconf_dates AS MATERIALIZED (
  SELECT wekaconf_zones.*,
  CASE WHEN zone1 >= 0 THEN CAST(substr(text1, 1, 4) AS INTEGER) END AS year1,
  CASE WHEN zone1 >= 0 THEN CAST(substr(text1, 6, 2) AS INTEGER) END AS month1,
  CASE WHEN zone1 >= 0 THEN CAST(substr(text1, 9, 2) AS INTEGER) END AS day1,
  CASE WHEN (length(text1) - zone1) > 10 THEN CAST(substr(text1, 12, 2) AS INTEGER) WHEN zone1 >= 0 THEN 0 END AS hour1,
  CASE WHEN (length(text1) - zone1) > 10 THEN CAST(substr(text1, 15, 2) AS INTEGER) WHEN zone1 >= 0 THEN 0 END AS minute1,
  CASE WHEN (length(text1) - zone1) > 16 THEN CAST(substr(text1, 18, 2) AS INTEGER) WHEN zone1 >= 0 THEN 0 END AS second1,
  CASE WHEN (length(text1) - zone1) > 20 THEN CAST(substr(substr(text1, 21, (length(text1) - zone1) - 20) || '00', 1, 3) AS INTEGER) WHEN zone1 >= 0 THEN 0 END AS millisecond1,
  CASE substr(text1, (length(text1) - zone1) + 1, 1) WHEN '-' THEN -1 ELSE 1 END AS east1,
  CASE WHEN zone1 > 1 THEN CAST(substr(text1, (length(text1) - zone1) + 2, 2) AS INTEGER) WHEN zone1 >= 0 THEN 0 END AS zone_hour1,
  CASE WHEN zone1 > 3 THEN CAST(substr(text1, (length(text1) - zone1) + zone1 - 1, 2) AS INTEGER) WHEN zone1 >= 0 THEN 0 END AS zone_minute1
  FROM wekaconf_zones
 ),
 wekaconf_meanings AS MATERIALIZED (
  SELECT instance,
  CASE WHEN (regexp_full_match(text0, '^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,5})?$') AND abs(TRY_CAST(text0 AS DOUBLE)) < CAST('inf' AS DOUBLE)) THEN TRY_CAST(text0 AS DOUBLE) WHEN lower(text0) IN ('inf', '+inf', 'infinity', '+infinity') THEN CAST('inf' AS DOUBLE) WHEN lower(text0) IN ('-inf', '-infinity') THEN -CAST('inf' AS DOUBLE) END AS meant0, text0,
  CASE WHEN is_text1 = 0 AND (regexp_full_match(text1, '^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,5})?$') AND abs(TRY_CAST(text1 AS DOUBLE)) < CAST('inf' AS DOUBLE)) THEN TRY_CAST(text1 AS DOUBLE) WHEN is_text1 = 0 AND lower(text1) IN ('inf', '+inf', 'infinity', '+infinity') THEN CAST('inf' AS DOUBLE) WHEN is_text1 = 0 AND lower(text1) IN ('-inf', '-infinity') THEN -CAST('inf' AS DOUBLE) WHEN year1 > 0 AND month1 BETWEEN 1 AND 12 AND hour1 < 24 AND minute1 < 60 AND second1 < 60 AND zone_hour1 < 24 AND day1 BETWEEN 1 AND CASE WHEN month1 IN (4, 6, 9, 11) THEN 30 WHEN month1 <> 2 THEN 31 WHEN (year1 % 4) = 0 AND ((year1 % 100) <> 0 OR (year1 % 400) = 0) THEN 29 ELSE 28 END THEN (CAST(365 * (year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) + ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) - ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) % 4)) / 4 - ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) - ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) % 100)) / 100 + ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) - ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) % 400)) / 400 + ((153 * ((month1 + 9) % 12) + 2) - ((153 * ((month1 + 9) % 12) + 2) % 5)) / 5 + day1 - 719469 AS DOUBLE) * 1440 + hour1 * 60 + minute1 - east1 * (zone_hour1 * 60 + zone_minute1)) * 60000 + second1 * 1000 + millisecond1 END AS meant1, text1,
  CASE text2 WHEN 'eye' THEN 0 WHEN 'ear' THEN 1 WHEN 'x''y' THEN 2 END AS meant2, text2,
  coalesce(CASE written3 WHEN '1' THEN 0 WHEN '01' THEN 1 WHEN 'true' THEN 2 WHEN ' 2' THEN 3 END, CASE text3 WHEN '1' THEN 0 WHEN '01' THEN 1 WHEN 'true' THEN 2 WHEN '2' THEN 3 END, CASE CASE WHEN length(text3) <= 15 THEN CASE WHEN (regexp_full_match(text3, '^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,5})?$') AND abs(TRY_CAST(text3 AS DOUBLE)) < CAST('inf' AS DOUBLE)) THEN TRY_CAST(text3 AS DOUBLE) WHEN lower(text3) IN ('inf', '+inf', 'infinity', '+infinity') THEN CAST('inf' AS DOUBLE) WHEN lower(text3) IN ('-inf', '-infinity') THEN -CAST('inf' AS DOUBLE) END END WHEN 1.0e0 THEN -1 WHEN 2.0e0 THEN 3 END, CASE lower(text3) WHEN 'false' THEN NULL WHEN 'true' THEN 2 END) AS meant3, text3
  FROM wekaconf_dates
 ),
 wekaconf_cells AS MATERIALIZED (
  SELECT instance,
  CASE WHEN (meant0 IS NULL AND text0 NOT IN ('', '?', 'NA', 'N/A', '#N/A', 'n/a', 'NULL', 'null') AND lower(text0) NOT IN ('nan', '+nan', '-nan'))
   OR (meant1 IS NULL AND text1 NOT IN ('', '?', 'NA', 'N/A', '#N/A', 'n/a', 'NULL', 'null') AND lower(text1) NOT IN ('nan', '+nan', '-nan'))
   OR (meant2 = -1)
   OR (meant3 = -1) THEN 1 ELSE 0 END AS is_refused,
  meant0 AS c0,
  meant1 AS c1,
  meant2 AS c2,
  meant3 AS c3
  FROM wekaconf_meanings
 )
SELECT instance AS "instance", 'age' AS "column", CAST(text0 AS VARCHAR) COLLATE "binary" AS "cell", 'the row is not answered: it is no number' AS "problem"
  FROM wekaconf_meanings WHERE meant0 IS NULL AND text0 NOT IN ('', '?', 'NA', 'N/A', '#N/A', 'n/a', 'NULL', 'null') AND lower(text0) NOT IN ('nan', '+nan', '-nan')
UNION ALL SELECT instance AS "instance", 'seen' AS "column", CAST(text1 AS VARCHAR) COLLATE "binary" AS "cell", 'the row is not answered: it is no date' AS "problem"
  FROM wekaconf_meanings WHERE meant1 IS NULL AND text1 NOT IN ('', '?', 'NA', 'N/A', '#N/A', 'n/a', 'NULL', 'null') AND lower(text1) NOT IN ('nan', '+nan', '-nan')
UNION ALL SELECT instance AS "instance", 'ward' AS "column", CAST(text2 AS VARCHAR) COLLATE "binary" AS "cell", 'the row is not answered: it may mean several values' AS "problem"
  FROM wekaconf_meanings WHERE meant2 = -1
UNION ALL SELECT instance AS "instance", 'ward' AS "column", CAST(text2 AS VARCHAR) COLLATE "binary" AS "cell", 'not seen in training, so missing' AS "problem"
  FROM wekaconf_meanings WHERE meant2 IS NULL AND text2 NOT IN ('', '?', 'NA', 'N/A', '#N/A', 'n/a', 'NULL', 'null') AND lower(text2) NOT IN ('nan', '+nan', '-nan')
UNION ALL SELECT instance AS "instance", 'code' AS "column", CAST(text3 AS VARCHAR) COLLATE "binary" AS "cell", 'the row is not answered: it may mean several values' AS "problem"
  FROM wekaconf_meanings WHERE meant3 = -1
UNION ALL SELECT instance AS "instance", 'code' AS "column", CAST(text3 AS VARCHAR) COLLATE "binary" AS "cell", 'not seen in training, so missing' AS "problem"
  FROM wekaconf_meanings WHERE meant3 IS NULL AND text3 NOT IN ('', '?', 'NA', 'N/A', '#N/A', 'n/a', 'NULL', 'null') AND lower(text3) NOT IN ('nan', '+nan', '-nan')
ORDER BY 1;
