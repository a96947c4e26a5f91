-- Which methods the time went to: their own time, without the calls that they made
-- text method = *: methods by their full names; * stands for anything
-- number most = 50: rows
SELECT recording, name AS method, count(*) AS calls, sum(self)::BIGINT AS self,
  round(100 * sum(self) / sum(sum(self)) OVER (PARTITION BY recording), 2) AS percent,
  max(duration) AS longest, bool_or(at_least) AS at_least
FROM calls_of($method)
GROUP BY recording, name
ORDER BY self DESC, method
LIMIT $most
