-- When several threads waited for the same lock at once
-- number waiters = 2: so many threads or more
-- time longer = 0: how long at least
-- number most = 100: rows
FROM convoys($waiters)
WHERE duration >= $longer
ORDER BY waited DESC
LIMIT $most
