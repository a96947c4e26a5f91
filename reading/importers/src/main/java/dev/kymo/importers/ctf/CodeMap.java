package dev.kymo.importers.ctf;

import dev.kymo.importers.target.TargetProcess;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Map of the files in a process's memory, and the functions at addresses. */
final class CodeMap {
  /**
   * Makes other numbers of addresses, each another one: functions begin at multiples of 16, which a
   * map of numbers puts into a sixteenth of its places.
   */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final TargetProcess process;
  private final TreeMap<Long, Mapped> files = new TreeMap<>(Long::compareUnsigned);

  /** By address times {@link #SPREAD}. */
  private final Map<Long, Integer> functions = new HashMap<>();

  /**
   * A file in memory.
   *
   * @param relative whether addresses in the file count from its begin, as of shared objects
   */
  private record Mapped(long size, String path, boolean relative) {}

  CodeMap(TargetProcess process) {
    this.process = process;
  }

  void add(long begin, long size, String path, boolean relative) {
    files.put(begin, new Mapped(size, path, relative));
    functions.clear();
  }

  int function(long address) throws IOException {
    Integer known = functions.get(address * SPREAD);
    if (known == null) {
      known = define(address);
      functions.put(address * SPREAD, known);
    }
    return known;
  }

  private int define(long address) throws IOException {
    String name = "0x" + Long.toHexString(address);
    Map.Entry<Long, Mapped> before = files.floorEntry(address);
    if (before == null
        || Long.compareUnsigned(address - before.getKey(), before.getValue().size) >= 0) {
      return process.function(name);
    }
    Mapped file = before.getValue();
    String where = "0x" + Long.toHexString(file.relative ? address - before.getKey() : address);
    String last = file.path.substring(file.path.lastIndexOf('/') + 1);
    TargetProcess.Code code = new TargetProcess.Code(last, file.path, "");
    return process.function(code, where, "+" + where, 0);
  }
}
