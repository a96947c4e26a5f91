-- When events were lost, and how many
SELECT recording, process, thread, t.name AS thread_name, g.begin, g.finish, g.lost
FROM gaps g LEFT JOIN threads t USING (recording, process, thread)
ORDER BY recording, g.begin
