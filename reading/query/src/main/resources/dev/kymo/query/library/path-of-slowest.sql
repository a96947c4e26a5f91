-- What decided how long the longest call of a method took: its critical path across threads
-- text method = *: methods by their full names; * stands for anything
WITH c AS MATERIALIZED (FROM calls_of($method) ORDER BY duration DESC LIMIT 1)
FROM critical_path(
  (SELECT recording FROM c), (SELECT process FROM c), (SELECT thread FROM c),
  (SELECT begin FROM c), (SELECT finish FROM c))
