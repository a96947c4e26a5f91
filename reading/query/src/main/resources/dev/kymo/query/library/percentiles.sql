-- How long calls take, by method and hour: half of them at most p50, and so on
-- text method = *: methods by their full names; * stands for anything
-- time bucket = 1h: how much time is in a row
-- number most = 1000: rows
SELECT recording, name AS method, begin // $bucket * $bucket AS time, count(*) AS calls,
  approx_quantile(duration, 0.5) AS p50,
  approx_quantile(duration, 0.9) AS p90,
  approx_quantile(duration, 0.99) AS p99,
  max(duration) AS longest, bool_or(at_least) AS at_least
FROM calls_of($method)
GROUP BY recording, name, time
ORDER BY recording, sum(sum(duration)) OVER (PARTITION BY recording, name) DESC, method, time
LIMIT $most
