-- What questions have beside the tables. Each function is told by the comment before it.

-- nanoseconds for which two intervals overlap
CREATE MACRO overlap(begin1, finish1, begin2, finish2) AS
  greatest(0, least(finish1, finish2) - greatest(begin1, begin2));

-- whether this is the name; * stands for anything
CREATE MACRO named(name, pattern) AS
  name = pattern
  OR contains(pattern, '*')
    AND regexp_full_match(name, replace(regexp_escape(pattern), '\*', '.*'), 's');

-- the calls of methods, with their names
CREATE MACRO calls_of(pattern) AS TABLE
  SELECT m.name, c.*
  FROM calls c JOIN methods m USING (recording, method)
  WHERE named(m.name, pattern);

-- those of them that are in no other, so that none of their time counts twice
CREATE MACRO outermost_calls_of(pattern) AS TABLE
  SELECT * FROM calls_of(pattern)
  QUALIFY call > coalesce(
    max(call + below) OVER (
      PARTITION BY recording, process, thread ORDER BY call
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), -1);

-- how long the calls of methods take: a row for each method
CREATE MACRO percentiles_of(pattern) AS TABLE
  SELECT recording, name, count(*) AS calls,
    approx_quantile(duration, 0.5) AS p50,
    approx_quantile(duration, 0.9) AS p90,
    approx_quantile(duration, 0.99) AS p99,
    max(duration) AS longest, bool_or(at_least) AS at_least
  FROM calls_of(pattern) GROUP BY recording, name;

-- of a table of states, such as 'waits', those in calls: a row for each, as long as both last
CREATE MACRO spans_in(pattern, spans) AS TABLE
  WITH c AS (FROM outermost_calls_of(pattern) WHERE duration > 0),
  s AS (
    SELECT s.* FROM query_table(spans) s SEMI JOIN c USING (recording, process, thread) WHERE s.duration > 0),
  -- What begins during a call, and what was there when one began.
  pieces AS (
    SELECT recording, process, thread, c.name, c.call, c.begin AS call_begin, c.duration AS call_duration,
      s.state, s.category, s.depth, s.begin, least(c.finish, s.finish) AS finish
    FROM s ASOF JOIN c USING (recording, process, thread, begin)
    WHERE s.begin < c.finish
    UNION ALL
    SELECT c.recording, c.process, c.thread, c.name, c.call, c.begin, c.duration,
      s.state, s.category, s.depth, c.begin, least(c.finish, s.finish)
    FROM (SELECT c.*, d.depth AS at_depth, c.begin - 1 AS before
          FROM c JOIN (SELECT DISTINCT recording, process, thread, depth FROM s) d
          USING (recording, process, thread)) c
    ASOF JOIN s
    ON c.recording = s.recording AND c.process = s.process AND c.thread = s.thread
      AND c.at_depth = s.depth AND c.before >= s.begin
    WHERE s.finish > c.begin)
  SELECT *, finish - begin AS duration FROM pieces;

-- what the kernel did with threads during calls: a row for each state in a call, as long as both last
CREATE MACRO states_in(pattern) AS TABLE
  FROM spans_in(pattern, 'states');

-- the same added up by state: the one line for "time in state S during calls of M"
CREATE MACRO states_during(pattern) AS TABLE
  SELECT recording, state, category, count(*) AS pieces, sum(duration)::BIGINT AS duration
  FROM states_in(pattern) GROUP BY recording, state, category;

-- what threads waited for during calls, as the program tells: a row for each wait in a call
CREATE MACRO waits_in(pattern) AS TABLE
  FROM spans_in(pattern, 'waits');

-- the same added up by what was waited for
CREATE MACRO waits_during(pattern) AS TABLE
  SELECT recording, state, category, count(*) AS pieces, sum(duration)::BIGINT AS duration
  FROM waits_in(pattern) GROUP BY recording, state, category;

-- calls, with what the kernel did with their threads when they began; NULL = not known
CREATE MACRO states_at(pattern) AS TABLE
  SELECT c.*, CASE WHEN s.finish > c.begin THEN s.state END AS state,
    CASE WHEN s.finish > c.begin THEN s.category END AS category,
    CASE WHEN s.finish > c.begin THEN s.begin END AS since
  FROM calls_of(pattern) c ASOF LEFT JOIN (FROM states WHERE depth = 0) s
    USING (recording, process, thread, begin);

-- from when to when a number of threads or more waited for the same object at once
CREATE MACRO convoys(waiters) AS TABLE
  WITH w AS (
    SELECT recording, process, state, object, thread, begin, finish FROM waits
    WHERE object IS NOT NULL AND category IN ('monitor', 'lock', 'park') AND duration > 0),
  -- Whoever stops waiting does so before another one begins.
  changes AS (
    SELECT recording, process, state, object, begin AS time, 1 AS change FROM w
    UNION ALL
    SELECT recording, process, state, object, finish, -1 FROM w),
  steps AS (
    SELECT *,
      sum(change) OVER each AS waiting,
      lead(time) OVER each AS next
    FROM changes
    WINDOW each AS (PARTITION BY recording, process, state, object ORDER BY time, change
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)),
  -- Pieces with enough of them that follow each other are one.
  crowded AS (
    SELECT *, next - time AS duration FROM steps WHERE waiting >= waiters AND next > time),
  islands AS (
    SELECT *, sum(starts) OVER (PARTITION BY recording, process, state, object ORDER BY time) AS island
    FROM (
      SELECT *,
        CASE WHEN time = lag(next) OVER (
          PARTITION BY recording, process, state, object ORDER BY time) THEN 0 ELSE 1 END AS starts
      FROM crowded))
  SELECT recording, process, state, object, min(time) AS begin, max(next) AS finish,
    max(next) - min(time) AS duration, max(waiting)::BIGINT AS most,
    sum(waiting * duration)::BIGINT AS waited
  FROM islands GROUP BY recording, process, state, object, island;

-- what decided when something was done, from its end backwards: a row for each step
CREATE MACRO critical_path(of_recording, of_process, of_thread, since, until) AS TABLE
  WITH RECURSIVE told AS MATERIALIZED (
    SELECT process, thread, state, begin, finish, by_process, by_thread FROM waits
    WHERE recording = of_recording AND category <> 'weaving' AND begin < until AND finish > since),
  -- Of what the program does not tell, the kernel may.
  w AS MATERIALIZED (
    FROM told
    UNION ALL
    SELECT process, thread, state, begin, finish, by_process, by_thread
    FROM states s ANTI JOIN told t
      ON s.process = t.process AND s.thread = t.thread AND s.begin < t.finish AND s.finish > t.begin
    WHERE recording = of_recording AND category = 'blocked' AND depth = 0
      AND begin < until AND finish > since),
  path AS (
    SELECT 0 AS step, '' AS did, '' AS waiting, 0 AS process, 0 AS thread, until AS begin, until AS finish,
      of_process AS next_process, of_thread AS next_thread
    UNION ALL
    SELECT step + 1,
      CASE WHEN last.finish IS NULL OR last.finish < begin THEN 'did'
        WHEN last.finish = begin AND hops THEN '' ELSE 'waited' END,
      coalesce(last.state, ''),
      next_process, next_thread,
      greatest(since, CASE WHEN last.finish IS NULL THEN since
        WHEN last.finish < begin THEN last.finish
        WHEN last.finish = begin AND hops THEN begin
        ELSE last.begin END),
      begin,
      CASE WHEN last.finish <= begin AND hops THEN last.by_process ELSE next_process END,
      CASE WHEN last.finish <= begin AND hops THEN last.by_thread ELSE next_thread END
    FROM (
      SELECT *, coalesce(
          last.by_thread <> next_thread OR last.by_process <> next_process, false) AS hops
      FROM (
        SELECT p.step, p.begin, p.next_process, p.next_thread,
          arg_max(w, least(w.finish, p.begin)) AS last
        FROM path p LEFT JOIN w
          ON w.process = p.next_process AND w.thread = p.next_thread AND w.begin < p.begin
        WHERE p.begin > since AND p.step < 10000
        GROUP BY ALL)))
  SELECT of_recording AS recording, p.process, p.thread, t.name AS thread_name, did,
    CASE WHEN did = 'waited' THEN waiting ELSE '' END AS state, p.begin, p.finish,
    p.finish - p.begin AS duration
  FROM path p LEFT JOIN threads t
    ON t.recording = of_recording AND t.process = p.process AND t.thread = p.thread
  WHERE p.finish > p.begin ORDER BY p.begin;
