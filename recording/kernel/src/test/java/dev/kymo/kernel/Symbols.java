package dev.kymo.kernel;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Names of the kernel's functions by their addresses, several for one. */
final class Symbols {
  private final TreeMap<Long, Set<String>> names = new TreeMap<>();
  private final TreeMap<Long, Set<String>> used = new TreeMap<>();

  /** Reads lines {@code address type name ...}. */
  static Symbols read(BufferedReader in) throws IOException {
    Symbols symbols = new Symbols();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] parts = line.split("[ \t]+");
      symbols
          .names
          .computeIfAbsent(Long.parseUnsignedLong(parts[0], 16), _ -> new TreeSet<>())
          .add(parts[2]);
    }
    return symbols;
  }

  static Symbols ofThisKernel() throws IOException {
    try (BufferedReader in = Files.newBufferedReader(Path.of("/proc/kallsyms"))) {
      return read(in);
    }
  }

  /** Whether the kernel would write this address, {@code %ps}, like that. */
  boolean isText(long address, String text) {
    if (text.startsWith("0x")) {
      return text.equals("0x" + Long.toHexString(address));
    }
    Map.Entry<Long, Set<String>> symbol = names.floorEntry(address);
    if (symbol == null || !symbol.getValue().contains(text)) {
      return false;
    }
    used.put(symbol.getKey(), symbol.getValue());
    return true;
  }

  /** Those that were asked for, to be read again. */
  String used() {
    StringBuilder text = new StringBuilder();
    used.forEach(
        (address, all) -> all.forEach(name -> text.append("%x t %s\n".formatted(address, name))));
    return text.toString();
  }
}
