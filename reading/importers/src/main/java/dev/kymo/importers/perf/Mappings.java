package dev.kymo.importers.perf;

import dev.kymo.importers.perf.records.PerfFeatures;
import dev.kymo.importers.perf.records.PerfRecord;
import dev.kymo.importers.target.TargetProcess;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Map of the files in the memory of processes and of the kernel. */
final class Mappings {
  /** Stands for the kernel in the place of a process's number. */
  static final int KERNEL = -1;

  private static final String KERNEL_NAME = "[kernel.kallsyms]";

  private final PerfFeatures features;
  private final Map<Integer, NavigableMap<Long, PerfRecord.Mapped>> byProcess = new HashMap<>();

  Mappings(PerfFeatures features) {
    this.features = features;
  }

  void add(PerfRecord.Mapped mapped) {
    byProcess
        .computeIfAbsent(mapped.pid(), none -> new TreeMap<>(Long::compareUnsigned))
        .put(mapped.begin(), mapped);
  }

  /** A new process has what its parent has. */
  void inherit(int child, int parent) {
    NavigableMap<Long, PerfRecord.Mapped> known = byProcess.get(parent);
    if (known != null) {
      byProcess.put(child, new TreeMap<>(known));
    }
  }

  /** A process executes another program. */
  void forget(int pid) {
    byProcess.remove(pid);
  }

  /** The function at an address; without symbols each address is one. */
  int function(TargetProcess process, int pid, long address) throws IOException {
    NavigableMap<Long, PerfRecord.Mapped> known = byProcess.get(pid);
    Map.Entry<Long, PerfRecord.Mapped> at = known == null ? null : known.floorEntry(address);
    String name = "0x" + Long.toHexString(address);
    if (at == null || address - at.getKey() >= at.getValue().length()) {
      String unknown = pid == KERNEL ? KERNEL_NAME : "";
      return process.function(new TargetProcess.Code(unknown, "", ""), name, "", 0);
    }
    PerfRecord.Mapped mapped = at.getValue();
    String file = mapped.file();
    String build = mapped.buildId().isEmpty() ? features.buildId(file) : mapped.buildId();
    TargetProcess.Code code =
        new TargetProcess.Code(file.substring(file.lastIndexOf('/') + 1), file, build);
    if (pid == KERNEL) {
      return process.function(code, name, "", 0);
    }
    long offset = address - mapped.begin() + mapped.offset();
    String inFile = Long.toHexString(offset);
    return process.function(code, "0x" + inFile, "+0x" + inFile, 0);
  }
}
