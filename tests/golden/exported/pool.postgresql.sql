-- Answers for the table "instances" as a model of wekaconf does: second_opinion on J48, trained on visits
-- The answer is the pool of laplace (wekaconf_said0), naive_bayes (wekaconf_said1), logistic (wekaconf_said2).
-- For PostgreSQL 12 or newer. Left out: the reasons of answers, values outside those of training, class sets, what a promise was calibrated on.
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
  trim(CAST(wekaconf_input."age" AS text) COLLATE "C", wekaconf_blanks.blanks) AS text0,
  trim(CAST(wekaconf_input."seen" AS text) COLLATE "C", wekaconf_blanks.blanks) AS text1,
  CASE WHEN CAST(pg_typeof(wekaconf_input."seen") AS text) IN ('text', 'character varying', 'character') THEN 1 ELSE 0 END AS is_text1,
  trim(CAST(wekaconf_input."ward" AS text) COLLATE "C", wekaconf_blanks.blanks) AS text2,
  trim(CAST(wekaconf_input."code" AS text) COLLATE "C", wekaconf_blanks.blanks) AS text3,
  CAST(wekaconf_input."code" AS text) COLLATE "C" AS written3
  FROM wekaconf_input CROSS JOIN wekaconf_blanks
 ),
 wekaconf_zones AS MATERIALIZED (
  SELECT wekaconf_texts.*,
  CASE WHEN (text1 ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[-+][0-9]{2}(:?[0-5][0-9])?)?)?$') THEN CASE WHEN length(text1) = 10 THEN 0 WHEN substr(text1, length(text1), 1) = 'Z' THEN 1 WHEN substr(text1, length(text1) - 5, 1) IN ('+', '-') THEN 6 WHEN substr(text1, length(text1) - 4, 1) IN ('+', '-') THEN 5 WHEN substr(text1, length(text1) - 2, 1) IN ('+', '-') THEN 3 ELSE 0 END END AS zone1
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
  CASE WHEN (length(text0) <= 400 AND text0 ~ '^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,3})?$' AND abs(CAST(text0 AS numeric)) < 1.7976931348623157e308) THEN CASE WHEN abs(CAST(text0 AS numeric)) < 3e-324 THEN 0 ELSE CAST(text0 AS double precision) END WHEN lower(text0) IN ('inf', '+inf', 'infinity', '+infinity') THEN CAST('Infinity' AS double precision) WHEN lower(text0) IN ('-inf', '-infinity') THEN -CAST('Infinity' AS double precision) END AS meant0, text0,
  CASE WHEN is_text1 = 0 AND (length(text1) <= 400 AND text1 ~ '^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,3})?$' AND abs(CAST(text1 AS numeric)) < 1.7976931348623157e308) THEN CASE WHEN abs(CAST(text1 AS numeric)) < 3e-324 THEN 0 ELSE CAST(text1 AS double precision) END WHEN is_text1 = 0 AND lower(text1) IN ('inf', '+inf', 'infinity', '+infinity') THEN CAST('Infinity' AS double precision) WHEN is_text1 = 0 AND lower(text1) IN ('-inf', '-infinity') THEN -CAST('Infinity' AS double precision) WHEN year1 > 0 AND month1 BETWEEN 1 AND 12 AND hour1 < 24 AND minute1 < 60 AND second1 < 60 AND zone_hour1 < 24 AND day1 BETWEEN 1 AND CASE WHEN month1 IN (4, 6, 9, 11) THEN 30 WHEN month1 <> 2 THEN 31 WHEN (year1 % 4) = 0 AND ((year1 % 100) <> 0 OR (year1 % 400) = 0) THEN 29 ELSE 28 END THEN (CAST(365 * (year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) + ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) - ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) % 4)) / 4 - ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) - ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) % 100)) / 100 + ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) - ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) % 400)) / 400 + ((153 * ((month1 + 9) % 12) + 2) - ((153 * ((month1 + 9) % 12) + 2) % 5)) / 5 + day1 - 719469 AS double precision) * 1440 + hour1 * 60 + minute1 - east1 * (zone_hour1 * 60 + zone_minute1)) * 60000 + second1 * 1000 + millisecond1 END AS meant1, text1,
  CASE text2 WHEN 'eye' THEN 0 WHEN 'ear' THEN 1 WHEN 'x''y' THEN 2 END AS meant2, text2,
  coalesce(CASE written3 WHEN '1' THEN 0 WHEN '01' THEN 1 WHEN 'true' THEN 2 WHEN ' 2' THEN 3 END, CASE text3 WHEN '1' THEN 0 WHEN '01' THEN 1 WHEN 'true' THEN 2 WHEN '2' THEN 3 END, CASE CASE WHEN length(text3) <= 15 THEN CASE WHEN (length(text3) <= 400 AND text3 ~ '^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,3})?$' AND abs(CAST(text3 AS numeric)) < 1.7976931348623157e308) THEN CASE WHEN abs(CAST(text3 AS numeric)) < 3e-324 THEN 0 ELSE CAST(text3 AS double precision) END WHEN lower(text3) IN ('inf', '+inf', 'infinity', '+infinity') THEN CAST('Infinity' AS double precision) WHEN lower(text3) IN ('-inf', '-infinity') THEN -CAST('Infinity' AS double precision) END END WHEN 1.0 THEN -1 WHEN 2.0 THEN 3 END, CASE lower(text3) WHEN 'false' THEN NULL WHEN 'true' THEN 2 END) AS meant3, text3
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
     WHEN c0 <= -CAST('Infinity' AS double precision) THEN 8
     -- age > -inf
     WHEN c0 > -CAST('Infinity' AS double precision) THEN 9
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
  VALUES (0, 0, 1, CAST(0.5 AS double precision), CAST(NULL AS double precision), CAST(60.25 AS double precision)),
  (0, 0, 2, 0.5, 60.25, NULL),
  (1, 2, 3, 0.38461538461538464, 1.0, 0.0),
  (1, 2, 4, 0.23076923076923078, 1.0, 0.0),
  (1, 2, 5, 0.38461538461538464, 1.0, 0.0),
  (1, 2, 3, NULL, -1.0, 0.0),
  (1, 2, 4, NULL, 0.0, 1.0),
  (1, 2, 5, NULL, 1.0, 2.0),
  (2, 1, 6, 0.5, NULL, 1641600000000.0),
  (2, 1, 7, 0.5, 1641600000000.0, NULL),
  (5, 0, 8, 0.1, NULL, -CAST('Infinity' AS double precision)),
  (5, 0, 9, 0.9, -CAST('Infinity' AS double precision), NULL),
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
  SELECT instance, 0, CAST(1 AS double precision) FROM wekaconf_whole WHERE node IS NULL
  UNION ALL
  SELECT p.instance, b.child, p.share * CASE WHEN CASE b.col WHEN 0 THEN c.c0 WHEN 1 THEN c.c1 WHEN 2 THEN c.c2 WHEN 3 THEN c.c3 END IS NULL THEN b.share ELSE 1 END
  FROM wekaconf_part p JOIN wekaconf_branch b ON b.node = p.node
  JOIN wekaconf_whole c ON c.instance = p.instance
  WHERE (CASE b.col WHEN 0 THEN c.c0 WHEN 1 THEN c.c1 WHEN 2 THEN c.c2 WHEN 3 THEN c.c3 END IS NULL AND b.share IS NOT NULL) OR ((CASE b.col WHEN 0 THEN c.c0 WHEN 1 THEN c.c1 WHEN 2 THEN c.c2 WHEN 3 THEN c.c3 END > b.low OR b.low IS NULL)
    AND (CASE b.col WHEN 0 THEN c.c0 WHEN 1 THEN c.c1 WHEN 2 THEN c.c2 WHEN 3 THEN c.c3 END <= b.high OR b.high IS NULL) AND CASE b.col WHEN 0 THEN c.c0 WHEN 1 THEN c.c1 WHEN 2 THEN c.c2 WHEN 3 THEN c.c3 END IS NOT NULL)
 ),
 wekaconf_leaf0(node, p0, p1, p2, q0, q1, q2) AS MATERIALIZED (
  VALUES (3, CAST(0.7692307692307693 AS double precision), CAST(0.15384615384615385 AS double precision), CAST(0.07692307692307693 AS double precision), CAST(0.7692307692307693 AS double precision), CAST(0.15384615384615385 AS double precision), CAST(0.07692307692307693 AS double precision)),
  (4, 0.33333333333333337, 0.4444444444444445, 0.22222222222222224, 0.3333333333333333, 0.4444444444444444, 0.2222222222222222),
  (8, 0.5, 0.25, 0.25, 0.5, 0.25, 0.25),
  (9, 0.4166666666666667, 0.4166666666666667, 0.16666666666666666, 0.4166666666666667, 0.4166666666666667, 0.16666666666666666),
  (10, 0.125, 0.125, 0.75, 0.125, 0.125, 0.75),
  (11, 0.18181818181818182, 0.7272727272727273, 0.09090909090909091, 0.18181818181818182, 0.7272727272727273, 0.09090909090909091),
  (12, 0.16666666666666666, 0.5, 0.3333333333333333, 0.16666666666666666, 0.5, 0.3333333333333333),
  (14, 0.2222222222222222, 0.3333333333333333, 0.4444444444444444, 0.2222222222222222, 0.3333333333333333, 0.4444444444444444),
  (15, 0.5714285714285715, 0.14285714285714288, 0.28571428571428575, 0.5714285714285714, 0.14285714285714285, 0.2857142857142857)
 ),
 wekaconf_said0 AS MATERIALIZED (
  SELECT w.instance, l.p0, l.p1, l.p2
  FROM wekaconf_whole w JOIN wekaconf_leaf0 l ON l.node = w.node
  UNION ALL
  SELECT instance, coalesce(p0 / nullif(p0 + p1 + p2, 0), 0.3333333333333333), coalesce(p1 / nullif(p0 + p1 + p2, 0), 0.3333333333333333), coalesce(p2 / nullif(p0 + p1 + p2, 0), 0.3333333333333333)
  FROM (SELECT d.instance,
    coalesce(sum(p.share * l.q0), 0) + 0.0 AS p0,
    coalesce(sum(p.share * l.q1), 0) + 0.0 AS p1,
    coalesce(sum(p.share * l.q2), 0) + 0.0 AS p2
  FROM wekaconf_whole d
  LEFT JOIN (wekaconf_part p JOIN wekaconf_leaf0 l ON l.node = p.node) ON p.instance = d.instance
  WHERE d.node IS NULL GROUP BY d.instance) divided
 ),
 wekaconf_places1 AS MATERIALIZED (
  SELECT instance,
  CASE WHEN c0 <= 24.0 THEN 0 WHEN c0 <= 32.0 THEN 1 WHEN c0 <= 36.0 THEN 2 WHEN c0 <= 44.0 THEN 3 WHEN c0 <= 48.0 THEN 4 WHEN c0 <= 56.0 THEN 5 WHEN c0 <= 64.0 THEN 6 WHEN c0 <= 72.0 THEN 7 WHEN c0 <= 80.0 THEN 8 WHEN c0 IS NOT NULL THEN 9 END AS place0,
  CASE WHEN c1 <= 1641300000000.0 THEN 0 WHEN c1 <= 1641400000000.0 THEN 1 WHEN c1 <= 1641500000000.0 THEN 2 WHEN c1 <= 1641600000000.0 THEN 3 WHEN c1 <= 1641700000000.0 THEN 4 WHEN c1 <= 1641800000000.0 THEN 5 WHEN c1 IS NOT NULL THEN 6 END AS place1,
  c2 AS place2,
  c3 AS place3
  FROM wekaconf_cells WHERE is_refused = 0
 ),
 wekaconf_sum1 AS MATERIALIZED (
  SELECT instance,
  CAST(-1.099 AS double precision)
    + CASE place0 WHEN 0 THEN -1.609 WHEN 1 THEN -2.015 WHEN 2 THEN -2.708 WHEN 3 THEN -3.401 WHEN 4 THEN -3.401 WHEN 5 THEN -3.401 WHEN 6 THEN -2.708 WHEN 7 THEN -2.015 WHEN 8 THEN -1.609 WHEN 9 THEN -2.303 ELSE 0.0 END
    + CASE place1 WHEN 0 THEN -2.197 WHEN 1 THEN -2.197 WHEN 2 THEN -1.91 WHEN 3 THEN -1.686 WHEN 4 THEN -1.686 WHEN 5 THEN -1.91 WHEN 6 THEN -2.197 ELSE 0.0 END
    + CASE place2 WHEN 0 THEN -0.938 WHEN 1 THEN -0.938 WHEN 2 THEN -1.526 ELSE 0.0 END
    + CASE place3 WHEN 0 THEN -1.386 WHEN 1 THEN -1.386 WHEN 2 THEN -1.386 WHEN 3 THEN -1.386 ELSE 0.0 END AS x0,
  CAST(-1.099 AS double precision)
    + CASE place0 WHEN 0 THEN -2.015 WHEN 1 THEN -1.609 WHEN 2 THEN -2.303 WHEN 3 THEN -1.609 WHEN 4 THEN -2.303 WHEN 5 THEN -2.303 WHEN 6 THEN -3.401 WHEN 7 THEN -3.401 WHEN 8 THEN -3.401 WHEN 9 THEN -2.708 ELSE 0.0 END
    + CASE place1 WHEN 0 THEN -1.91 WHEN 1 THEN -1.686 WHEN 2 THEN -1.686 WHEN 3 THEN -1.91 WHEN 4 THEN -2.197 WHEN 5 THEN -2.197 WHEN 6 THEN -2.197 ELSE 0.0 END
    + CASE place2 WHEN 0 THEN -0.938 WHEN 1 THEN -1.526 WHEN 2 THEN -0.938 ELSE 0.0 END
    + CASE place3 WHEN 0 THEN -1.386 WHEN 1 THEN -1.386 WHEN 2 THEN -1.386 WHEN 3 THEN -1.386 ELSE 0.0 END AS x1,
  CAST(-1.099 AS double precision)
    + CASE place0 WHEN 0 THEN -3.401 WHEN 1 THEN -3.401 WHEN 2 THEN -2.708 WHEN 3 THEN -2.015 WHEN 4 THEN -2.303 WHEN 5 THEN -1.609 WHEN 6 THEN -1.609 WHEN 7 THEN -2.015 WHEN 8 THEN -2.708 WHEN 9 THEN -3.401 ELSE 0.0 END
    + CASE place1 WHEN 0 THEN -1.686 WHEN 1 THEN -1.91 WHEN 2 THEN -2.197 WHEN 3 THEN -2.197 WHEN 4 THEN -2.197 WHEN 5 THEN -1.91 WHEN 6 THEN -1.686 ELSE 0.0 END
    + CASE place2 WHEN 0 THEN -1.526 WHEN 1 THEN -0.938 WHEN 2 THEN -0.938 ELSE 0.0 END
    + CASE place3 WHEN 0 THEN -1.386 WHEN 1 THEN -1.386 WHEN 2 THEN -1.386 WHEN 3 THEN -1.386 ELSE 0.0 END AS x2
  FROM wekaconf_places1
 ),
 wekaconf_highest_sum1 AS MATERIALIZED (
  SELECT wekaconf_sum1.*, greatest(x0, x1, x2) AS x
  FROM wekaconf_sum1
 ),
 wekaconf_power_sum1 AS MATERIALIZED (
  SELECT instance, exp(greatest(x0 - x, -700.0)) AS e0, exp(greatest(x1 - x, -700.0)) AS e1, exp(greatest(x2 - x, -700.0)) AS e2
  FROM wekaconf_highest_sum1
 ),
 wekaconf_said1 AS MATERIALIZED (
  SELECT instance, e0 / (e0 + e1 + e2) AS p0, e1 / (e0 + e1 + e2) AS p1, e2 / (e0 + e1 + e2) AS p2
  FROM wekaconf_power_sum1
 ),
 wekaconf_places2 AS MATERIALIZED (
  SELECT instance,
  CASE WHEN c0 IS NULL THEN 0 WHEN c0 > 243.26 THEN 10.0 WHEN c0 < -144.06 THEN -10.0 ELSE (c0 - 49.6) / 19.366 END AS place0,
  CASE WHEN c1 IS NULL THEN 0 WHEN c1 > 1643579137166.38 THEN 10.0 WHEN c1 < 1639600862833.62 THEN -10.0 ELSE (c1 - 1641590000000.0) / 198913716.638 END AS place1,
  c2 AS place2,
  c3 AS place3
  FROM wekaconf_cells WHERE is_refused = 0
 ),
 wekaconf_sum2 AS MATERIALIZED (
  SELECT instance,
  CAST(0.058 AS double precision)
    + place0 * 0.228
    + place1 * 0.112
    + CASE place2 WHEN 0 THEN 0.194 WHEN 1 THEN 0.205 WHEN 2 THEN -0.399 ELSE 0.0 END
    + CASE place3 WHEN 0 THEN 0.008 WHEN 1 THEN 0.001 WHEN 2 THEN -0.006 WHEN 3 THEN -0.003 ELSE 0.0 END AS x0,
  CAST(-0.085 AS double precision)
    + place0 * -0.59
    + place1 * -0.189
    + CASE place2 WHEN 0 THEN 0.192 WHEN 1 THEN -0.421 WHEN 2 THEN 0.229 ELSE 0.0 END
    + CASE place3 WHEN 0 THEN -0.0 WHEN 1 THEN -0.023 WHEN 2 THEN 0.02 WHEN 3 THEN 0.003 ELSE 0.0 END AS x1,
  CAST(0.026 AS double precision)
    + place0 * 0.363
    + place1 * 0.077
    + CASE place2 WHEN 0 THEN -0.386 WHEN 1 THEN 0.216 WHEN 2 THEN 0.171 ELSE 0.0 END
    + CASE place3 WHEN 0 THEN -0.007 WHEN 1 THEN 0.022 WHEN 2 THEN -0.014 WHEN 3 THEN -0.0 ELSE 0.0 END AS x2
  FROM wekaconf_places2
 ),
 wekaconf_highest_sum2 AS MATERIALIZED (
  SELECT wekaconf_sum2.*, greatest(x0, x1, x2) AS x
  FROM wekaconf_sum2
 ),
 wekaconf_power_sum2 AS MATERIALIZED (
  SELECT instance, exp(greatest(x0 - x, -700.0)) AS e0, exp(greatest(x1 - x, -700.0)) AS e1, exp(greatest(x2 - x, -700.0)) AS e2
  FROM wekaconf_highest_sum2
 ),
 wekaconf_said2 AS MATERIALIZED (
  SELECT instance, e0 / (e0 + e1 + e2) AS p0, e1 / (e0 + e1 + e2) AS p1, e2 / (e0 + e1 + e2) AS p2
  FROM wekaconf_power_sum2
 ),
 wekaconf_pool AS MATERIALIZED (
  SELECT s0.instance AS instance,
  0.5 * ln(greatest(s0.p0, 0.001)) + 0.25 * ln(greatest(s1.p0, 0.001)) + 0.125 * ln(greatest(s2.p0, 0.001)) AS x0,
  0.5 * ln(greatest(s0.p1, 0.001)) + 0.25 * ln(greatest(s1.p1, 0.001)) + 0.125 * ln(greatest(s2.p1, 0.001)) AS x1,
  0.5 * ln(greatest(s0.p2, 0.001)) + 0.25 * ln(greatest(s1.p2, 0.001)) + 0.125 * ln(greatest(s2.p2, 0.001)) AS x2
  FROM wekaconf_said0 s0
  JOIN wekaconf_said1 s1 ON s1.instance = s0.instance
  JOIN wekaconf_said2 s2 ON s2.instance = s0.instance
 ),
 wekaconf_highest_pool AS MATERIALIZED (
  SELECT wekaconf_pool.*, greatest(x0, x1, x2) AS x
  FROM wekaconf_pool
 ),
 wekaconf_power_pool AS MATERIALIZED (
  SELECT instance, exp(greatest(x0 - x, -700.0)) AS e0, exp(greatest(x1 - x, -700.0)) AS e1, exp(greatest(x2 - x, -700.0)) AS e2
  FROM wekaconf_highest_pool
 ),
 wekaconf_proba AS MATERIALIZED (
  SELECT instance, e0 / (e0 + e1 + e2) AS p0, e1 / (e0 + e1 + e2) AS p1, e2 / (e0 + e1 + e2) AS p2
  FROM wekaconf_power_pool
 ),
 wekaconf_best AS MATERIALIZED (
  SELECT wekaconf_proba.*, greatest(p0, p1, p2) AS most
  FROM wekaconf_proba
 ),
 wekaconf_answered AS MATERIALIZED (
  SELECT a.instance, CASE WHEN round(p0 * 1e12) = round(most * 1e12) THEN 0 WHEN round(p1 * 1e12) = round(most * 1e12) THEN 1 WHEN round(p2 * 1e12) = round(most * 1e12) THEN 2 END AS class, most AS certainty, a.p0, a.p1, a.p2
  FROM wekaconf_best a
 )
SELECT wekaconf_input.*,
  CASE answered.class WHEN 0 THEN 'no' WHEN 1 THEN 'yes' WHEN 2 THEN 'later' END AS "wekaconf_predicted",
  answered.certainty AS "wekaconf_certainty",
  CASE WHEN answered.class IS NULL THEN TRUE WHEN answered.class = 0 AND answered.certainty < 0.7 THEN TRUE WHEN answered.class = 1 AND 1 = 1 THEN TRUE WHEN answered.class = 2 AND 1 = 0 THEN TRUE ELSE FALSE END AS "wekaconf_rejected",
  answered.p0 AS "wekaconf_distribution_no",
  answered.p1 AS "wekaconf_distribution_yes",
  answered.p2 AS "wekaconf_distribution_later"
FROM wekaconf_input
LEFT JOIN wekaconf_answered answered ON answered.instance = wekaconf_input."wekaconf_instance"
ORDER BY wekaconf_input."wekaconf_instance";
