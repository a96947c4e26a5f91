package dev.kymo.query.ask;

import java.util.Map;

/** What questions have beside the tables. */
final class Macros {
  /** How long two intervals overlap: {@code overlap(c.begin, c.finish, s.begin, s.finish)}. */
  static final String OVERLAP =
      """
      CREATE MACRO overlap(begin1, finish1, begin2, finish2) AS
        greatest(0, least(finish1, finish2) - greatest(begin1, begin2))
      """;

  /** Of columns that the views add to those of the tables. */
  static final Map<String, String> MEANINGS =
      Map.ofEntries(
          Map.entry("recording", "name of the recording"),
          Map.entry("duration", "ns"),
          Map.entry("corrected", "duration in ns without what probes took; NULL = not known"),
          Map.entry("corrected_self", "the same of self"),
          Map.entry("corrected_within", "ns that these two may be off"),
          Map.entry("at_least", "events were lost meanwhile"),
          Map.entry("begin_unknown", "it began before what was recorded"),
          Map.entry("end_unknown", "its end was not recorded"),
          Map.entry("end_inferred", "it ended when what is around it did"),
          Map.entry("unwound", "an exception ended it"),
          Map.entry("category", "the kind of state"),
          Map.entry("subsystem", "the group of the event"),
          Map.entry("kind", "instant, begin, end, send or receive"),
          Map.entry("name", "its name"));

  private Macros() {}
}
