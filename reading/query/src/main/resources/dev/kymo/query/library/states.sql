-- What the kernel did with threads during calls of a method, and what they waited for
-- text method = *: methods by their full names; * stands for anything
SELECT recording, told_by, state, pieces, duration,
  round(100 * duration / (SELECT sum(duration) FROM outermost_calls_of($method)), 2)
    AS percent_of_calls
FROM (
  SELECT 'kernel' AS told_by, * FROM states_during($method)
  UNION ALL
  SELECT 'program', * FROM waits_during($method))
ORDER BY told_by, duration DESC
