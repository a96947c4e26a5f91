-- What the time of each request went to: a call of the method is a request, a row is a state in it
-- text method = *: methods by their full names; * stands for anything
-- text told_by = kernel: kernel for what it did with the thread, program for what that waited for
-- number most = 100: the longest requests
WITH requests AS MATERIALIZED (
  FROM outermost_calls_of($method) ORDER BY duration DESC LIMIT $most),
pieces AS (
  SELECT 'kernel' AS told_by, * FROM states_in($method) WHERE depth = 0
  UNION ALL
  SELECT 'program', * FROM waits_in($method) WHERE depth = 0),
known AS (
  SELECT recording, process, thread, call, state, sum(duration)::BIGINT AS spent
  FROM pieces SEMI JOIN requests USING (recording, process, thread, call)
  WHERE told_by = $told_by
  GROUP BY ALL)
SELECT recording, process, thread, r.name AS method, call, r.begin, r.duration, state, spent,
  round(100 * spent / r.duration, 2) AS percent
FROM requests r JOIN (
  FROM known
  UNION ALL
  SELECT recording, process, thread, call, '(no other)',
    any_value(r.duration) - coalesce(sum(k.spent), 0)::BIGINT
  FROM requests r LEFT JOIN known k USING (recording, process, thread, call)
  GROUP BY ALL)
  USING (recording, process, thread, call)
WHERE spent > 0
ORDER BY r.duration DESC, recording, process, thread, call, spent DESC
