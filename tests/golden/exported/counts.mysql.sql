-- Answers for the table `instances` as a model of wekaconf does: leaf_frequency on J48, trained on visits
-- For MySQL … and MariaDB 10.6, or newer. Left out: the reasons of answers, values outside those of training, class sets, what a promise was calibrated on.
WITH RECURSIVE
 wekaconf_blanks(blanks) AS (
  SELECT _utf8mb4'^[	
                  　]+|[	
                  　]+$'
 ),
 wekaconf_input AS (
  SELECT row_number() OVER (ORDER BY CAST(wekaconf_rows.`age` AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin, CAST(wekaconf_rows.`seen` AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin, CAST(wekaconf_rows.`ward` AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin, CAST(wekaconf_rows.`code` AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin, NULL) AS `wekaconf_instance`, wekaconf_rows.*
  FROM `instances` wekaconf_rows
  LIMIT 9223372036854775807
 ),
 wekaconf_texts AS (
  SELECT wekaconf_input.`wekaconf_instance` AS instance,
  regexp_replace(CAST(wekaconf_input.`age` AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin, wekaconf_blanks.blanks, '') AS text0,
  regexp_replace(CAST(wekaconf_input.`seen` AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin, wekaconf_blanks.blanks, '') AS text1,
  CASE WHEN charset(wekaconf_input.`seen`) <> 'binary' THEN 1 ELSE 0 END AS is_text1,
  regexp_replace(CAST(wekaconf_input.`ward` AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin, wekaconf_blanks.blanks, '') AS text2,
  regexp_replace(CAST(wekaconf_input.`code` AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin, wekaconf_blanks.blanks, '') AS text3,
  CAST(wekaconf_input.`code` AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin AS written3
  FROM wekaconf_input CROSS JOIN wekaconf_blanks
  LIMIT 9223372036854775807
 ),
 wekaconf_zones AS (
  SELECT wekaconf_texts.*,
  CASE WHEN (text1 REGEXP '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[-+][0-9]{2}(:?[0-5][0-9])?)?)?$') THEN CASE WHEN char_length(text1) = 10 THEN 0 WHEN substr(text1, char_length(text1), 1) = 'Z' THEN 1 WHEN substr(text1, char_length(text1) - 5, 1) IN ('+', '-') THEN 6 WHEN substr(text1, char_length(text1) - 4, 1) IN ('+', '-') THEN 5 WHEN substr(text1, char_length(text1) - 2, 1) IN ('+', '-') THEN 3 ELSE 0 END END AS zone1
  FROM wekaconf_texts
  LIMIT 9223372036854775807
 ),
 wekaconf_dates AS (
  SELECT wekaconf_zones.*,
  CASE WHEN zone1 >= 0 THEN CAST(substr(text1, 1, 4) AS SIGNED) END AS year1,
  CASE WHEN zone1 >= 0 THEN CAST(substr(text1, 6, 2) AS SIGNED) END AS month1,
  CASE WHEN zone1 >= 0 THEN CAST(substr(text1, 9, 2) AS SIGNED) END AS day1,
  CASE WHEN (char_length(text1) - zone1) > 10 THEN CAST(substr(text1, 12, 2) AS SIGNED) WHEN zone1 >= 0 THEN 0 END AS hour1,
  CASE WHEN (char_length(text1) - zone1) > 10 THEN CAST(substr(text1, 15, 2) AS SIGNED) WHEN zone1 >= 0 THEN 0 END AS minute1,
  CASE WHEN (char_length(text1) - zone1) > 16 THEN CAST(substr(text1, 18, 2) AS SIGNED) WHEN zone1 >= 0 THEN 0 END AS second1,
  CASE WHEN (char_length(text1) - zone1) > 20 THEN CAST(substr(concat(substr(text1, 21, (char_length(text1) - zone1) - 20), '00'), 1, 3) AS SIGNED) WHEN zone1 >= 0 THEN 0 END AS millisecond1,
  CASE substr(text1, (char_length(text1) - zone1) + 1, 1) WHEN '-' THEN -1 ELSE 1 END AS east1,
  CASE WHEN zone1 > 1 THEN CAST(substr(text1, (char_length(text1) - zone1) + 2, 2) AS SIGNED) WHEN zone1 >= 0 THEN 0 END AS zone_hour1,
  CASE WHEN zone1 > 3 THEN CAST(substr(text1, (char_length(text1) - zone1) + zone1 - 1, 2) AS SIGNED) WHEN zone1 >= 0 THEN 0 END AS zone_minute1
  FROM wekaconf_zones
  LIMIT 9223372036854775807
 ),
 wekaconf_meanings AS (
  SELECT instance,
  CASE WHEN (text0 REGEXP '^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,5})?$' AND abs(CAST(text0 AS DOUBLE)) < 1.7976931348623157e308) THEN CAST(text0 AS DOUBLE) END AS meant0, text0,
  CASE WHEN is_text1 = 0 AND (text1 REGEXP '^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,5})?$' AND abs(CAST(text1 AS DOUBLE)) < 1.7976931348623157e308) THEN CAST(text1 AS DOUBLE) WHEN year1 > 0 AND month1 BETWEEN 1 AND 12 AND hour1 < 24 AND minute1 < 60 AND second1 < 60 AND zone_hour1 < 24 AND day1 BETWEEN 1 AND CASE WHEN month1 IN (4, 6, 9, 11) THEN 30 WHEN month1 <> 2 THEN 31 WHEN (year1 % 4) = 0 AND ((year1 % 100) <> 0 OR (year1 % 400) = 0) THEN 29 ELSE 28 END THEN (CAST(365 * (year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) + ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) - ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) % 4)) / 4 - ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) - ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) % 100)) / 100 + ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) - ((year1 - CASE WHEN month1 <= 2 THEN 1 ELSE 0 END) % 400)) / 400 + ((153 * ((month1 + 9) % 12) + 2) - ((153 * ((month1 + 9) % 12) + 2) % 5)) / 5 + day1 - 719469 AS DOUBLE) * 1440 + hour1 * 60 + minute1 - east1 * (zone_hour1 * 60 + zone_minute1)) * 60000 + second1 * 1000 + millisecond1 END AS meant1, text1,
  CASE text2 WHEN 'eye' THEN 0 WHEN 'ear' THEN 1 WHEN 'x''y' THEN 2 END AS meant2, text2,
  coalesce(CASE written3 WHEN '1' THEN 0 WHEN '01' THEN 1 WHEN 'true' THEN 2 WHEN ' 2' THEN 3 END, CASE text3 WHEN '1' THEN 0 WHEN '01' THEN 1 WHEN 'true' THEN 2 WHEN '2' THEN 3 END, CASE CASE WHEN char_length(text3) <= 15 THEN CASE WHEN (text3 REGEXP '^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,5})?$' AND abs(CAST(text3 AS DOUBLE)) < 1.7976931348623157e308) THEN CAST(text3 AS DOUBLE) END END WHEN 1.0e0 THEN -1 WHEN 2.0e0 THEN 3 END, CASE lower(text3) WHEN 'false' THEN NULL WHEN 'true' THEN 2 END) AS meant3, text3
  FROM wekaconf_dates
  LIMIT 9223372036854775807
 ),
 wekaconf_cells AS (
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
  LIMIT 9223372036854775807
 ),
 wekaconf_whole AS (
  SELECT wekaconf_cells.*,
  CASE
   WHEN is_refused = 1 THEN -1
   -- age <= 60.25
   WHEN c0 <= 60.25e0 THEN CASE
    -- ward = eye: no
    WHEN c2 = 0 THEN 3
    -- ward = ear: yes
    WHEN c2 = 1 THEN 4
    -- ward = x'y
    WHEN c2 = 2 THEN CASE
     -- age <= -inf: no
     WHEN c0 <= -1.7976931348623157e308 THEN 8
     -- age > -inf: no
     WHEN c0 > -1.7976931348623157e308 THEN 9
    END
   END
   -- age > 60.25
   WHEN c0 > 60.25e0 THEN CASE
    -- seen <= 2022-01-08
    WHEN c1 <= 1641600000000.0e0 THEN CASE
     -- code in 1, true: later
     WHEN c3 IN (0, 2) THEN 10
     -- code in 01,  2: yes
     WHEN c3 IN (1, 3) THEN 11
    END
    -- seen > 2022-01-08
    WHEN c1 > 1641600000000.0e0 THEN CASE
     -- code = 01: yes
     WHEN c3 = 1 THEN 12
     -- code in 1, true,  2
     WHEN c3 IN (0, 2, 3) THEN CASE
      -- age is known: no
      WHEN c0 IS NOT NULL THEN 15
     END
    END
   END
  END AS node
  FROM wekaconf_cells
  LIMIT 9223372036854775807
 ),
 wekaconf_branch(node, col, child, share, low, high) AS (
  SELECT 0, 0, 1, CAST(0.5e0 AS DOUBLE), CAST(NULL AS DOUBLE), CAST(60.25e0 AS DOUBLE)
  UNION ALL SELECT 0, 0, 2, 0.5e0, 60.25e0, NULL
  UNION ALL SELECT 1, 2, 3, 0.38461538461538464e0, 1.0e0, 0.0e0
  UNION ALL SELECT 1, 2, 4, 0.23076923076923078e0, 1.0e0, 0.0e0
  UNION ALL SELECT 1, 2, 5, 0.38461538461538464e0, 1.0e0, 0.0e0
  UNION ALL SELECT 1, 2, 3, NULL, -1.0e0, 0.0e0
  UNION ALL SELECT 1, 2, 4, NULL, 0.0e0, 1.0e0
  UNION ALL SELECT 1, 2, 5, NULL, 1.0e0, 2.0e0
  UNION ALL SELECT 2, 1, 6, 0.5e0, NULL, 1641600000000.0e0
  UNION ALL SELECT 2, 1, 7, 0.5e0, 1641600000000.0e0, NULL
  UNION ALL SELECT 5, 0, 8, 0.1e0, NULL, -1.7976931348623157e308
  UNION ALL SELECT 5, 0, 9, 0.9e0, -1.7976931348623157e308, NULL
  UNION ALL SELECT 6, 3, 10, 0.38461538461538464e0, 1.0e0, 0.0e0
  UNION ALL SELECT 6, 3, 11, 0.6153846153846154e0, 1.0e0, 0.0e0
  UNION ALL SELECT 6, 3, 10, NULL, -1.0e0, 0.0e0
  UNION ALL SELECT 6, 3, 11, NULL, 0.0e0, 1.0e0
  UNION ALL SELECT 6, 3, 10, NULL, 1.0e0, 2.0e0
  UNION ALL SELECT 6, 3, 11, NULL, 2.0e0, 3.0e0
  UNION ALL SELECT 7, 3, 12, 0.23076923076923078e0, 1.0e0, 0.0e0
  UNION ALL SELECT 7, 3, 13, 0.7692307692307693e0, 1.0e0, 0.0e0
  UNION ALL SELECT 7, 3, 13, NULL, -1.0e0, 0.0e0
  UNION ALL SELECT 7, 3, 12, NULL, 0.0e0, 1.0e0
  UNION ALL SELECT 7, 3, 13, NULL, 1.0e0, 2.0e0
  UNION ALL SELECT 7, 3, 13, NULL, 2.0e0, 3.0e0
  UNION ALL SELECT 13, 0, 14, 0.6e0, 1.0e0, 0.0e0
  UNION ALL SELECT 13, 0, 15, 0.4e0, NULL, NULL
 ),
 wekaconf_part(instance, node, share) AS (
  SELECT instance, 0, CAST(1 AS DOUBLE) FROM wekaconf_whole WHERE node IS NULL
  UNION ALL
  SELECT p.instance, b.child, p.share * CASE WHEN CASE b.col WHEN 0 THEN c.c0 WHEN 1 THEN c.c1 WHEN 2 THEN c.c2 WHEN 3 THEN c.c3 END IS NULL THEN b.share ELSE 1 END
  FROM wekaconf_part p JOIN wekaconf_branch b ON b.node = p.node
  JOIN wekaconf_whole c ON c.instance = p.instance
  WHERE (CASE b.col WHEN 0 THEN c.c0 WHEN 1 THEN c.c1 WHEN 2 THEN c.c2 WHEN 3 THEN c.c3 END IS NULL AND b.share IS NOT NULL) OR ((CASE b.col WHEN 0 THEN c.c0 WHEN 1 THEN c.c1 WHEN 2 THEN c.c2 WHEN 3 THEN c.c3 END > b.low OR b.low IS NULL)
    AND (CASE b.col WHEN 0 THEN c.c0 WHEN 1 THEN c.c1 WHEN 2 THEN c.c2 WHEN 3 THEN c.c3 END <= b.high OR b.high IS NULL) AND CASE b.col WHEN 0 THEN c.c0 WHEN 1 THEN c.c1 WHEN 2 THEN c.c2 WHEN 3 THEN c.c3 END IS NOT NULL)
 ),
 wekaconf_leaf(node, p0, p1, p2, q0, q1, q2) AS (
  SELECT 3, CAST(0.7692307692307693e0 AS DOUBLE), CAST(0.15384615384615385e0 AS DOUBLE), CAST(0.07692307692307693e0 AS DOUBLE), CAST(0.7692307692307693e0 AS DOUBLE), CAST(0.15384615384615385e0 AS DOUBLE), CAST(0.07692307692307693e0 AS DOUBLE)
  UNION ALL SELECT 4, 0.3333333333333333e0, 0.4444444444444444e0, 0.2222222222222222e0, 0.3333333333333333e0, 0.4444444444444444e0, 0.2222222222222222e0
  UNION ALL SELECT 8, 0.5e0, 0.25e0, 0.25e0, 0.5e0, 0.25e0, 0.25e0
  UNION ALL SELECT 9, 0.4166666666666667e0, 0.4166666666666667e0, 0.16666666666666666e0, 0.4166666666666667e0, 0.4166666666666667e0, 0.16666666666666666e0
  UNION ALL SELECT 10, 0.125e0, 0.125e0, 0.75e0, 0.125e0, 0.125e0, 0.75e0
  UNION ALL SELECT 11, 0.18181818181818182e0, 0.7272727272727273e0, 0.09090909090909091e0, 0.18181818181818182e0, 0.7272727272727273e0, 0.09090909090909091e0
  UNION ALL SELECT 12, 0.16666666666666666e0, 0.5e0, 0.3333333333333333e0, 0.16666666666666666e0, 0.5e0, 0.3333333333333333e0
  UNION ALL SELECT 14, 0.2222222222222222e0, 0.3333333333333333e0, 0.4444444444444444e0, 0.2222222222222222e0, 0.3333333333333333e0, 0.4444444444444444e0
  UNION ALL SELECT 15, 0.5714285714285714e0, 0.14285714285714285e0, 0.2857142857142857e0, 0.5714285714285714e0, 0.14285714285714285e0, 0.2857142857142857e0
 ),
 wekaconf_proba AS (
  SELECT w.instance, l.p0, l.p1, l.p2
  FROM wekaconf_whole w JOIN wekaconf_leaf l ON l.node = w.node
  UNION ALL
  SELECT d.instance,
    coalesce(sum(p.share * l.q0), 0) AS p0,
    coalesce(sum(p.share * l.q1), 0) AS p1,
    coalesce(sum(p.share * l.q2), 0) AS p2
  FROM wekaconf_whole d
  LEFT JOIN (wekaconf_part p JOIN wekaconf_leaf l ON l.node = p.node) ON p.instance = d.instance
  WHERE d.node IS NULL GROUP BY d.instance
  LIMIT 9223372036854775807
 ),
 wekaconf_best AS (
  SELECT wekaconf_proba.*, greatest(p0, p1, p2) AS most
  FROM wekaconf_proba
  LIMIT 9223372036854775807
 ),
 wekaconf_answered AS (
  SELECT a.instance, CASE WHEN round(p0 * 1e12) = round(most * 1e12) THEN 0 WHEN round(p1 * 1e12) = round(most * 1e12) THEN 1 WHEN round(p2 * 1e12) = round(most * 1e12) THEN 2 END AS class, most AS certainty, a.p0, a.p1, a.p2
  FROM wekaconf_best a
  LIMIT 9223372036854775807
 )
SELECT wekaconf_input.*,
  CASE answered.class WHEN 0 THEN 'no' WHEN 1 THEN 'yes' WHEN 2 THEN 'later' END AS `wekaconf_predicted`,
  answered.certainty AS `wekaconf_certainty`,
  CASE WHEN answered.class IS NULL THEN TRUE WHEN answered.class = 0 AND answered.certainty < 0.7e0 THEN TRUE WHEN answered.class = 1 AND 1 = 1 THEN TRUE WHEN answered.class = 2 AND 1 = 0 THEN TRUE ELSE FALSE END AS `wekaconf_rejected`,
  answered.p0 AS `wekaconf_distribution_no`,
  answered.p1 AS `wekaconf_distribution_yes`,
  answered.p2 AS `wekaconf_distribution_later`
FROM wekaconf_input
LEFT JOIN wekaconf_answered answered ON answered.instance = wekaconf_input.`wekaconf_instance`
ORDER BY wekaconf_input.`wekaconf_instance`;
