-- Who waited long for what, and who ended it
-- time longer = 1ms: waits that took at least so long
-- number most = 100: rows
SELECT recording, w.process, w.thread, t.name AS thread_name, w.state, w.object,
  w.begin, w.duration, e.name AS ended_by
FROM waits w
  JOIN threads t USING (recording, process, thread)
  LEFT JOIN threads e
    ON e.recording = w.recording AND e.process = w.by_process AND e.thread = w.by_thread
WHERE w.duration >= $longer AND w.category <> 'weaving'
ORDER BY w.duration DESC
LIMIT $most
