package dev.kymo.importers.uftrace.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the functions that addresses belong to, by maps and symbol files. */
public final class UftraceFunctions {
  private static final Pattern MAPPED =
      Pattern.compile(
          "([0-9a-f]{1,16})-([0-9a-f]{1,16}) \\S+ \\S+ \\S+ \\S+\\s+(\\S.*?)(?: build-id:(\\w+))?\\s*");
  private static final int MOST_CACHED = 200_000;
  private static final int MOST_MAPPED = 100_000;

  private final Path directory;
  private final TaskFile tasks;
  private final Arguments arguments;
  private final Map<String, NavigableMap<Long, Mapped>> maps = new HashMap<>();
  private final Map<String, Module> modules = new HashMap<>();
  private final Map<Place, Function> cache = new HashMap<>();

  private record Mapped(long begin, long end, String path, String build) {}

  private record Module(SymbolFile symbols, DebugFile debug) {}

  private record Place(String session, long address) {}

  /**
   * A function.
   *
   * @param name {@code <12ab>} if it is not known
   * @param module path of the program or library; empty if it is not known
   * @param line 0 if it is not known
   * @param known whether its name is
   */
  public record Function(
      String name,
      String module,
      String build,
      String file,
      int line,
      boolean known,
      List<Argument> arguments,
      List<Argument> results) {}

  public UftraceFunctions(Path directory, InfoFile info, TaskFile tasks) {
    this.directory = directory;
    this.tasks = tasks;
    this.arguments = new Arguments(info);
  }

  /** The function at an address, as a process executes it at a time. */
  public Function at(int pid, long time, long address) throws IOException {
    TaskFile.Session session = tasks.session(pid, time);
    String id = session == null ? "" : session.id();
    Place place = new Place(id, address);
    Function known = cache.get(place);
    if (known == null) {
      if (cache.size() == MOST_CACHED) {
        cache.clear();
      }
      known = find(id, time, address);
      cache.put(place, known);
    }
    return known;
  }

  private Function find(String session, long time, long address) throws IOException {
    Map.Entry<Long, Mapped> entry = map(session).floorEntry(address);
    Mapped mapped = entry == null ? null : entry.getValue();
    if (mapped == null || Long.compareUnsigned(address, mapped.end) >= 0) {
      mapped = library(session, time, address);
    }
    if (mapped == null) {
      return unknown(address, "", "");
    }
    Module module = module(mapped);
    SymbolFile.Symbol symbol = module.symbols.at(address - mapped.begin);
    if (symbol == null) { // older files have the addresses of the program's file
      symbol = module.symbols.at(address);
    }
    if (symbol == null) {
      return unknown(address, mapped.path, mapped.build);
    }
    DebugFile.Function debug = module.debug.at(symbol.address());
    return new Function(
        symbol.name(),
        mapped.path,
        mapped.build,
        debug == null ? "" : debug.file(),
        debug == null ? 0 : debug.line(),
        true,
        arguments.of(symbol.name(), debug, false),
        arguments.of(symbol.name(), debug, true));
  }

  private static Function unknown(long address, String path, String build) {
    String name = "<" + Long.toHexString(address) + ">";
    return new Function(name, path, build, "", 0, false, List.of(), List.of());
  }

  private @Nullable Mapped library(String session, long time, long address) {
    Mapped found = null;
    for (TaskFile.Library library : tasks.libraries(session)) {
      boolean nearer = found == null || library.base() >= found.begin;
      if (library.time() <= time && library.base() <= address && nearer) {
        found = new Mapped(library.base(), Long.MAX_VALUE, library.path(), "");
      }
    }
    return found;
  }

  private NavigableMap<Long, Mapped> map(String session) throws IOException {
    NavigableMap<Long, Mapped> known = maps.get(session);
    if (known == null) {
      NavigableMap<Long, Mapped> read = new TreeMap<>();
      Path file = directory.resolve("sid-" + session + ".map");
      if (session.matches("\\w{1,64}") && Files.isRegularFile(file)) {
        TextLines.each(file, MOST_MAPPED, line -> mapped(line, read));
      }
      maps.put(session, read);
      known = read;
    }
    return known;
  }

  private static void mapped(String line, NavigableMap<Long, Mapped> to) {
    Matcher matcher = MAPPED.matcher(line);
    if (matcher.matches()) {
      long begin = Long.parseUnsignedLong(matcher.group(1), 16);
      long end = Long.parseUnsignedLong(matcher.group(2), 16);
      String build = matcher.group(4) == null ? "" : matcher.group(4);
      Map.Entry<Long, Mapped> before = to.floorEntry(begin);
      if (before != null && before.getValue().path.equals(matcher.group(3))) { // its next part
        Mapped whole = before.getValue();
        to.put(whole.begin, new Mapped(whole.begin, end, whole.path, whole.build));
      } else {
        to.put(begin, new Mapped(begin, end, matcher.group(3), build));
      }
    }
  }

  private Module module(Mapped mapped) throws IOException {
    String key = mapped.path + " " + mapped.build;
    Module known = modules.get(key);
    if (known == null) {
      String name = mapped.path.substring(mapped.path.lastIndexOf('/') + 1);
      SymbolFile symbols = SymbolFile.read(file(name, ".sym"));
      boolean other = !symbols.path().isEmpty() && !symbols.path().equals(mapped.path);
      boolean rebuilt =
          !symbols.build().isEmpty()
              && !mapped.build.isEmpty()
              && !symbols.build().equals(mapped.build);
      if ((other || rebuilt) && mapped.build.length() >= 4) { // two modules have this name
        String longer = name + "-" + mapped.build.substring(0, 4);
        if (Files.exists(file(longer, ".sym"))) {
          name = longer;
          symbols = SymbolFile.read(file(name, ".sym"));
        }
      }
      known = new Module(symbols, DebugFile.read(file(name, ".dbg")));
      modules.put(key, known);
    }
    return known;
  }

  /** A file of the directory, never of another one. */
  private Path file(String name, String end) {
    return directory.resolve(name.replace('\0', '_').replace('/', '_') + end);
  }
}
