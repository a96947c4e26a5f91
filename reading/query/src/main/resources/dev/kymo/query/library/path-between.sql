-- What decided how long it took from one event of the program's own to another
-- text first = *: name of the event that it begins with; * stands for anything
-- text last = *: name of the next one, whose thread and time it ends with
WITH a AS MATERIALIZED (
  SELECT recording, time FROM events WHERE named(name, $first) ORDER BY time LIMIT 1),
b AS MATERIALIZED (
  SELECT recording, process, thread, e.time
  FROM events e JOIN a USING (recording)
  WHERE named(e.name, $last) AND e.time > a.time ORDER BY e.time LIMIT 1)
FROM critical_path(
  (SELECT recording FROM b), (SELECT process FROM b), (SELECT thread FROM b),
  (SELECT time FROM a), (SELECT time FROM b))
