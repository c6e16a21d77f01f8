-- Answers for the table "instances" as a model of wekaconf does: m_branch on J48, trained on visits
-- For SQLite 3.35 or newer. Left out: the reasons of answers, values outside those of training, class sets, what a promise was calibrated on.
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
  CASE typeof(wekaconf_input."age") WHEN 'real' THEN wekaconf_input."age" ELSE trim(CAST(wekaconf_input."age" AS TEXT), wekaconf_blanks.blanks) END AS text0,
  CASE typeof(wekaconf_input."seen") WHEN 'real' THEN wekaconf_input."seen" ELSE trim(CAST(wekaconf_input."seen" AS TEXT), wekaconf_blanks.blanks) END AS text1,
  CASE WHEN typeof(wekaconf_input."seen") = 'text' THEN 1 ELSE 0 END AS is_text1,
  CASE typeof(wekaconf_input."ward") WHEN 'real' THEN wekaconf_input."ward" ELSE trim(CAST(wekaconf_input."ward" AS TEXT), wekaconf_blanks.blanks) END AS text2,
  CASE typeof(wekaconf_input."code") WHEN 'real' THEN wekaconf_input."code" ELSE trim(CAST(wekaconf_input."code" AS TEXT), wekaconf_blanks.blanks) END AS text3,
  CASE typeof(wekaconf_input."code") WHEN 'real' THEN wekaconf_input."code" ELSE CAST(wekaconf_input."code" AS TEXT) END AS written3
  FROM wekaconf_input CROSS JOIN wekaconf_blanks
 ),
 wekaconf_zones AS MATERIALIZED (
  SELECT wekaconf_texts.*,
  CASE WHEN (text1 GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' OR (text1 GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9][T ][0-9][0-9]:[0-9][0-9]*' AND (CASE WHEN substr(text1, 17) GLOB ':[0-9][0-9].[0-9]*' THEN ltrim(substr(text1, 21), '0123456789') WHEN substr(text1, 17) GLOB ':[0-9][0-9]*' THEN substr(text1, 20) ELSE substr(text1, 17) END IN ('', 'Z') OR CASE WHEN substr(text1, 17) GLOB ':[0-9][0-9].[0-9]*' THEN ltrim(substr(text1, 21), '0123456789') WHEN substr(text1, 17) GLOB ':[0-9][0-9]*' THEN substr(text1, 20) ELSE substr(text1, 17) END GLOB '[-+][0-9][0-9]' OR CASE WHEN substr(text1, 17) GLOB ':[0-9][0-9].[0-9]*' THEN ltrim(substr(text1, 21), '0123456789') WHEN substr(text1, 17) GLOB ':[0-9][0-9]*' THEN substr(text1, 20) ELSE substr(text1, 17) END GLOB '[-+][0-9][0-9][0-5][0-9]' OR CASE WHEN substr(text1, 17) GLOB ':[0-9][0-9].[0-9]*' THEN ltrim(substr(text1, 21), '0123456789') WHEN substr(text1, 17) GLOB ':[0-9][0-9]*' THEN substr(text1, 20) ELSE substr(text1, 17) END GLOB '[-+][0-9][0-9]:[0-5][0-9]'))) THEN CASE WHEN length(text1) = 10 THEN 0 WHEN substr(text1, length(text1), 1) = 'Z' THEN 1 WHEN substr(text1, length(text1) - 5, 1) IN ('+', '-') THEN 6 WHEN substr(text1, length(text1) - 4, 1) IN ('+', '-') THEN 5 WHEN substr(text1, length(text1) - 2, 1) IN ('+', '-') THEN 3 ELSE 0 END END AS zone1
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
  CASE WHEN (typeof(text0) = 'real' OR (CAST(text0 AS NUMERIC) = text0 AND abs(CAST(text0 AS REAL)) < 9e999)) THEN CAST(text0 AS REAL) WHEN lower(text0) IN ('inf', '+inf', 'infinity', '+infinity') THEN 9e999 WHEN lower(text0) IN ('-inf', '-infinity') THEN -9e999 END AS meant0, text0,
  CASE WHEN is_text1 = 0 AND (typeof(text1) = 'real' OR (CAST(text1 AS NUMERIC) = text1 AND abs(CAST(text1 AS REAL)) < 9e999)) THEN CAST(text1 AS REAL) WHEN is_text1 = 0 AND lower(text1) IN ('inf', '+inf', 'infinity', '+infinity') THEN 9e999 WHEN is_text1 = 0 AND lower(text1) IN ('-inf', '-infinity') THEN -9e999 WHEN year1 > 0 AND month1 BETWEEN 1 AND 12 AND hour1 < 24 AND minute1 < 60 AND second1 < 60 AND zone_hour1 < 24 AND day1 BETWEEN 1 AND CASE WHEN month1 IN (4, 6, 9, 11) THEN 30 WHEN month1 <> 2 THEN 31 WHEN (year1 % 4) = 0 AND ((year1 % 100) <> 0 OR (year1 % 400) = 0) THEN 29 ELSE 28 END THEN (CAST(365 * (year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) + ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) - ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) % 4)) / 4 - ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) - ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) % 100)) / 100 + ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) - ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) % 400)) / 400 + ((153 * ((month1 + 9) % 12) + 2) - ((153 * ((month1 + 9) % 12) + 2) % 5)) / 5 + day1 - 719469 AS REAL) * 1440 + hour1 * 60 + minute1 - east1 * (zone_hour1 * 60 + zone_minute1)) * 60000 + second1 * 1000 + millisecond1 END AS meant1, text1,
  CASE text2 WHEN 'eye' THEN 0 WHEN 'ear' THEN 1 WHEN 'x''y' THEN 2 END AS meant2, text2,
  coalesce(CASE written3 WHEN '1' THEN 0 WHEN '01' THEN 1 WHEN 'true' THEN 2 WHEN ' 2' THEN 3 END, CASE text3 WHEN '1' THEN 0 WHEN '01' THEN 1 WHEN 'true' THEN 2 WHEN '2' THEN 3 END, CASE CASE WHEN (typeof(text3) = 'real' OR length(text3) <= 15) THEN CASE WHEN (typeof(text3) = 'real' OR (CAST(text3 AS NUMERIC) = text3 AND abs(CAST(text3 AS REAL)) < 9e999)) THEN CAST(text3 AS REAL) WHEN lower(text3) IN ('inf', '+inf', 'infinity', '+infinity') THEN 9e999 WHEN lower(text3) IN ('-inf', '-infinity') THEN -9e999 END END WHEN 1.0 THEN -1 WHEN 2.0 THEN 3 END, CASE lower(text3) WHEN 'false' THEN NULL WHEN 'true' THEN 2 END) AS meant3, text3
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
 ),
 wekaconf_whole AS MATERIALIZED (
  SELECT wekaconf_cells.*,
  CASE
   WHEN is_refused = 1 THEN -1
   -- age <= 60.25
   WHEN c0 <= 60.25 THEN CASE
    -- ward = eye
    WHEN c2 = 0 THEN 3
    -- ward = ear
    WHEN c2 = 1 THEN 4
    -- ward = x'y
    WHEN c2 = 2 THEN CASE
     -- age <= -inf
     WHEN c0 <= -9e999 THEN 8
     -- age > -inf
     WHEN c0 > -9e999 THEN 9
    END
   END
   -- age > 60.25
   WHEN c0 > 60.25 THEN CASE
    -- seen <= 2022-01-08
    WHEN c1 <= 1641600000000.0 THEN CASE
     -- code in 1, true
     WHEN c3 IN (0, 2) THEN 10
     -- code in 01,  2
     WHEN c3 IN (1, 3) THEN 11
    END
    -- seen > 2022-01-08
    WHEN c1 > 1641600000000.0 THEN CASE
     -- code = 01
     WHEN c3 = 1 THEN 12
     -- code in 1, true,  2
     WHEN c3 IN (0, 2, 3) THEN CASE
      -- age is known
      WHEN c0 IS NOT NULL THEN 15
     END
    END
   END
  END AS node
  FROM wekaconf_cells
 ),
 wekaconf_branch(node, col, child, share, low, high) AS MATERIALIZED (
  VALUES (0, 0, 1, CAST(0.5 AS REAL), CAST(NULL AS REAL), CAST(60.25 AS REAL)),
  (0, 0, 2, 0.5, 60.25, NULL),
  (1, 2, 3, 0.38461538461538464, 1.0, 0.0),
  (1, 2, 4, 0.23076923076923078, 1.0, 0.0),
  (1, 2, 5, 0.38461538461538464, 1.0, 0.0),
  (1, 2, 3, NULL, -1.0, 0.0),
  (1, 2, 4, NULL, 0.0, 1.0),
  (1, 2, 5, NULL, 1.0, 2.0),
  (2, 1, 6, 0.5, NULL, 1641600000000.0),
  (2, 1, 7, 0.5, 1641600000000.0, NULL),
  (5, 0, 8, 0.1, NULL, -9e999),
  (5, 0, 9, 0.9, -9e999, NULL),
  (6, 3, 10, 0.38461538461538464, 1.0, 0.0),
  (6, 3, 11, 0.6153846153846154, 1.0, 0.0),
  (6, 3, 10, NULL, -1.0, 0.0),
  (6, 3, 11, NULL, 0.0, 1.0),
  (6, 3, 10, NULL, 1.0, 2.0),
  (6, 3, 11, NULL, 2.0, 3.0),
  (7, 3, 12, 0.23076923076923078, 1.0, 0.0),
  (7, 3, 13, 0.7692307692307693, 1.0, 0.0),
  (7, 3, 13, NULL, -1.0, 0.0),
  (7, 3, 12, NULL, 0.0, 1.0),
  (7, 3, 13, NULL, 1.0, 2.0),
  (7, 3, 13, NULL, 2.0, 3.0),
  (13, 0, 14, 0.6, 1.0, 0.0),
  (13, 0, 15, 0.4, NULL, NULL)
 ),
 wekaconf_part(instance, node, share) AS (
  SELECT instance, 0, CAST(1 AS REAL) FROM wekaconf_whole WHERE node IS NULL
  UNION ALL
  SELECT p.instance, b.child, p.share * CASE WHEN CASE b.col WHEN 0 THEN c.c0 WHEN 1 THEN c.c1 WHEN 2 THEN c.c2 WHEN 3 THEN c.c3 END IS NULL THEN b.share ELSE 1 END
  FROM wekaconf_part p JOIN wekaconf_branch b ON b.node = p.node
  JOIN wekaconf_whole c ON c.instance = p.instance
  WHERE (CASE b.col WHEN 0 THEN c.c0 WHEN 1 THEN c.c1 WHEN 2 THEN c.c2 WHEN 3 THEN c.c3 END IS NULL AND b.share IS NOT NULL) OR ((CASE b.col WHEN 0 THEN c.c0 WHEN 1 THEN c.c1 WHEN 2 THEN c.c2 WHEN 3 THEN c.c3 END > b.low OR b.low IS NULL)
    AND (CASE b.col WHEN 0 THEN c.c0 WHEN 1 THEN c.c1 WHEN 2 THEN c.c2 WHEN 3 THEN c.c3 END <= b.high OR b.high IS NULL) AND CASE b.col WHEN 0 THEN c.c0 WHEN 1 THEN c.c1 WHEN 2 THEN c.c2 WHEN 3 THEN c.c3 END IS NOT NULL)
 ),
 wekaconf_leaf(node, p0, p1, p2) AS MATERIALIZED (
  VALUES (3, CAST((0.224071384768479 - 2.2e-16) AS REAL), CAST((0.535187874490781 - 4e-16) AS REAL), CAST((0.240740740740741 - 2.2e-16) AS REAL)),
  (4, (0.279626940324034 + 3.3e-16), (0.312965652268558 + 3e-16), (0.407407407407407 + 4.4e-16)),
  (8, (0.21005596047961 + 6e-17), (0.446658060888762 - 3e-16), (0.343285978631628 + 3.3e-16)),
  (9, (0.157790213439913 + 3.3e-16), (0.488146235753058 + 1.7e-16), (0.354063550807029 - 4.4e-16)),
  (10, (0.443023721713349 - 1.7e-16), (0.191629252646347 + 3e-17), (0.365347025640304 + 1.7e-16)),
  (11, 0.665245943935571, (0.0805181415352359 + 1e-17), (0.254235914529193 + 6e-17)),
  (12, (0.492157014672528 - 1.7e-16), (0.112149134819265 - 3e-17), (0.395693850508207 + 2e-16)),
  (14, (0.530232606019076 - 4e-16), (0.128629129383589 + 1.7e-16), (0.341138264597335 + 4e-16)),
  (15, (0.61209304240763 + 3e-16), (0.0514516517534357 - 3e-17), (0.336455305838934 + 1e-16))
 ),
 wekaconf_proba AS MATERIALIZED (
  SELECT w.instance, l.p0, l.p1, l.p2
  FROM wekaconf_whole w JOIN wekaconf_leaf l ON l.node = w.node
  UNION ALL
  SELECT d.instance,
    sum(p.share * l.p0) / sum(p.share) AS p0,
    sum(p.share * l.p1) / sum(p.share) AS p1,
    sum(p.share * l.p2) / sum(p.share) AS p2
  FROM wekaconf_whole d
  LEFT JOIN (wekaconf_part p JOIN wekaconf_leaf l ON l.node = p.node) ON p.instance = d.instance
  WHERE d.node IS NULL GROUP BY d.instance
 ),
 wekaconf_savings AS MATERIALIZED (
  SELECT wekaconf_proba.*,
  p0 * 1.0 + p1 * 0.0 + p2 * 0.2 AS s0,
  p0 * 0.8 + p1 * 1.0 + p2 * 0.6 AS s1,
  p0 * 0.6 + p1 * 0.4 + p2 * 1.0 AS s2
  FROM wekaconf_proba
 ),
 wekaconf_best AS MATERIALIZED (
  SELECT wekaconf_savings.*, max(s0, s1, s2) AS most
  FROM wekaconf_savings
 ),
 wekaconf_answered AS MATERIALIZED (
  SELECT a.instance, CASE WHEN round(s0 * 1e12) = round(most * 1e12) THEN 0 WHEN round(s1 * 1e12) = round(most * 1e12) THEN 1 WHEN round(s2 * 1e12) = round(most * 1e12) THEN 2 END AS class, most AS certainty, a.p0, a.p1, a.p2
  FROM wekaconf_best a
 )
SELECT wekaconf_input.*,
  CASE answered.class WHEN 0 THEN 'no' WHEN 1 THEN 'yes' WHEN 2 THEN 'later' END AS "wekaconf_predicted",
  answered.certainty AS "wekaconf_certainty",
  CASE WHEN answered.class IS NULL THEN TRUE WHEN answered.certainty < 0.9 THEN TRUE ELSE FALSE END AS "wekaconf_rejected",
  answered.p0 AS "wekaconf_distribution_no",
  answered.p1 AS "wekaconf_distribution_yes",
  answered.p2 AS "wekaconf_distribution_later"
FROM wekaconf_input
LEFT JOIN wekaconf_answered answered ON answered.instance = wekaconf_input."wekaconf_instance"
ORDER BY wekaconf_input."wekaconf_instance";
