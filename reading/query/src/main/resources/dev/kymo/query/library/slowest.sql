-- The longest calls
-- text method = *: methods by their full names; * stands for anything
-- number most = 50: rows
SELECT recording, process, thread, t.name AS thread_name, c.name AS method, c.depth,
  c.begin, c.duration, c.self, c.at_least
FROM calls_of($method) c
  JOIN threads t USING (recording, process, thread)
ORDER BY c.duration DESC
LIMIT $most
