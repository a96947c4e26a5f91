-- How many calls begin over time, and how long they take
-- text method = *: methods by their full names; * stands for anything
-- time bucket = 10ms: how much time is in a row
SELECT recording, begin // $bucket * $bucket AS time, count(*) AS calls,
  avg(duration)::BIGINT AS mean, max(duration) AS longest
FROM calls_of($method)
GROUP BY recording, time
ORDER BY recording, time
