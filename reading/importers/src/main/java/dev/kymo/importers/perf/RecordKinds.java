package dev.kymo.importers.perf;

import java.util.Map;

/** Names of kinds of records, as perf's statistics have them. */
final class RecordKinds {
  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(5, "THROTTLE"),
          Map.entry(6, "UNTHROTTLE"),
          Map.entry(8, "READ"),
          Map.entry(11, "AUX"),
          Map.entry(12, "ITRACE_START"),
          Map.entry(14, "SWITCH"),
          Map.entry(15, "SWITCH_CPU_WIDE"),
          Map.entry(16, "NAMESPACES"),
          Map.entry(17, "KSYMBOL"),
          Map.entry(18, "BPF_EVENT"),
          Map.entry(19, "CGROUP"),
          Map.entry(20, "TEXT_POKE"),
          Map.entry(64, "ATTR"),
          Map.entry(65, "EVENT_TYPE"),
          Map.entry(66, "TRACING_DATA"),
          Map.entry(67, "BUILD_ID"),
          Map.entry(68, "FINISHED_ROUND"),
          Map.entry(69, "ID_INDEX"),
          Map.entry(70, "AUXTRACE_INFO"),
          Map.entry(71, "AUXTRACE"),
          Map.entry(73, "THREAD_MAP"),
          Map.entry(74, "CPU_MAP"),
          Map.entry(78, "EVENT_UPDATE"),
          Map.entry(79, "TIME_CONV"),
          Map.entry(80, "HEADER_FEATURE"),
          Map.entry(82, "FINISHED_INIT"));

  private RecordKinds() {}

  static String name(int type) {
    return NAMES.getOrDefault(type, "type " + type);
  }
}
