-- The longest times without any call on a thread that made some before and after
-- text thread = *: threads by their names; * stands for anything
-- number most = 50: rows
WITH outermost AS (
  SELECT recording, process, thread, finish,
    lead(begin) OVER (PARTITION BY recording, process, thread ORDER BY call) AS next
  FROM calls WHERE depth = 0)
SELECT recording, process, thread, t.name AS thread_name, o.finish AS begin, next - o.finish AS duration
FROM outermost o JOIN threads t USING (recording, process, thread)
WHERE next > o.finish AND named(t.name, $thread)
ORDER BY duration DESC
LIMIT $most
