package dev.kymo.importers.uftrace.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Functions of a program or library, {@code NAME.sym}: a line {@code address [size] type name}
 * each.
 */
public final class SymbolFile {
  private static final int MOST = 2_000_000;
  private static final String TYPES = "TtwPKDdvu";

  private final TreeMap<Long, Symbol> symbols = new TreeMap<>();
  private String path = "";
  private String build = "";

  /** A function; its size is 0 if the file does not say it. */
  public record Symbol(long address, long size, String name) {}

  private SymbolFile() {}

  /** Reads a file; one that is absent has no functions. */
  public static SymbolFile read(Path file) throws IOException {
    SymbolFile symbols = new SymbolFile();
    if (Files.isRegularFile(file)) {
      TextLines.each(file, MOST, symbols::line);
    }
    return symbols;
  }

  /** The path of the program that the file is of; empty if it does not say so. */
  public String path() {
    return path;
  }

  /** The program's build id; empty if the file does not say it. */
  public String build() {
    return build;
  }

  /** The function with an address; null if there is none. */
  public @Nullable Symbol at(long address) {
    Map.Entry<Long, Symbol> entry = symbols.floorEntry(address);
    if (entry == null) {
      return null;
    }
    Symbol symbol = entry.getValue();
    boolean beyond = symbol.size > 0 && address >= symbol.address + symbol.size;
    return beyond || symbol.name.isEmpty() ? null : symbol;
  }

  private void line(String line) {
    if (line.startsWith("#")) {
      path = after(line, "# path name: ", path);
      build = after(line, "# build-id: ", build);
      return;
    }
    String[] parts = line.split(" ", 3);
    if (parts.length < 3) {
      return;
    }
    try {
      long address = Long.parseUnsignedLong(parts[0], 16);
      boolean sized = Character.isDigit(parts[1].isEmpty() ? ' ' : parts[1].charAt(0));
      long size = sized ? Long.parseUnsignedLong(parts[1], 16) : 0;
      String[] rest = sized ? parts[2].split(" ", 2) : new String[] {parts[1], parts[2]};
      if (rest.length == 2) {
        add(address, size, rest[0], rest[1]);
      }
    } catch (NumberFormatException e) {
      // not a function
    }
  }

  private void add(long address, long size, String type, String text) {
    int tab = text.indexOf('\t');
    String name = tab < 0 ? text : text.substring(0, tab);
    if (type.equals("?") || name.startsWith("__sym_end") || name.startsWith("__dynsym_end")) {
      symbols.putIfAbsent(address, new Symbol(address, 0, "")); // the one before ends here
    } else if (type.length() == 1 && TYPES.contains(type)) {
      Symbol known = symbols.get(address);
      if (known == null || known.name.isEmpty()) {
        symbols.put(address, new Symbol(address, size, name));
      }
    }
  }

  private static String after(String line, String prefix, String otherwise) {
    return line.startsWith(prefix) ? line.substring(prefix.length()).strip() : otherwise;
  }
}
