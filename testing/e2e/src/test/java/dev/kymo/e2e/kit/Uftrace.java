package dev.kymo.e2e.kit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The numbers of calls of functions that uftrace reports. */
public final class Uftrace {
  private Uftrace() {}

  /** By name; skips the test where uftrace is not installed. */
  public static Map<String, Long> calls(Path folder, List<String> command) throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/uftrace")),
        "skipped: uftrace is not installed, it was not asked");
    String data = folder.resolve("uftrace").toString();
    List<String> all = new ArrayList<>(List.of("uftrace", "record", "--no-libcall", "--no-event"));
    all.addAll(List.of("-d", data));
    all.addAll(command);
    Kymo.exec(folder, all.toArray(String[]::new));
    String report = Kymo.exec(folder, "uftrace", "report", "-d", data, "-f", "call").out();
    Map<String, Long> counts = new TreeMap<>();
    for (String line : report.lines().skip(2).toList()) {
      String[] words = line.strip().split(" +", 2);
      counts.put(words[1], Long.parseLong(words[0]));
    }
    return counts;
  }
}
