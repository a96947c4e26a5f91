-- Who sends most messages to whom, and how long they are on their way
-- number most = 50: rows
SELECT m.recording, f.name AS sender, t.name AS receiver, k.name AS message, count(*) AS messages,
  approx_quantile(received - sent, 0.5) AS p50,
  approx_quantile(received - sent, 0.99) AS p99,
  max(received - sent) AS longest
FROM messages m
  JOIN threads f
    ON f.recording = m.recording AND f.process = m.from_process AND f.thread = m.from_thread
  JOIN threads t
    ON t.recording = m.recording AND t.process = m.to_process AND t.thread = m.to_thread
  LEFT JOIN event_kinds k ON k.recording = m.recording AND k.event = m.event
GROUP BY ALL
ORDER BY messages DESC, sender, receiver, message
LIMIT $most
