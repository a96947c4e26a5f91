package dev.kymo.instructions.calls;

import dev.kymo.format.Definition;
import dev.kymo.instructions.trace.Blocks;
import dev.kymo.instructions.trace.CodeFile;
import dev.kymo.instructions.trace.Functions;
import dev.kymo.instructions.trace.ProcessFacts;
import dev.kymo.instructions.trace.ProcessTrace;
import dev.kymo.instructions.trace.SystemCalls;
import dev.kymo.instructions.trace.TracedModule;
import dev.kymo.writer.DefinitionFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Defines the methods of a process: functions by their files, system calls and signals. */
public final class MethodDefinitions {
  /** Name of the type of all system calls. */
  private static final String SYSTEM_CALL = "system call";

  private static final String SIGNAL = "signal";

  private static final String EXCEPTION = "exception";

  private static final String INTERRUPT = "interrupt";

  /** Name of the type of not being executed. */
  private static final String WAITING = "waiting";

  /** Name of the type of code that no file has: a JIT compiler's. */
  private static final String GENERATED = "generated code";

  private static final long MAX_MAP = 256 << 20;

  private final ProcessTrace trace;
  private final Function<TracedModule, CodeFile> codeFiles;
  private final SystemCalls systemCalls;
  private final Map<String, Integer> types = new HashMap<>();
  private final Map<Long, Integer> moduleOf = new HashMap<>();

  /** By address: what a JIT compiler made, and where it ends. */
  private final TreeMap<Long, Generated> generated = new TreeMap<>();

  private record Generated(long end, String name) {}

  public MethodDefinitions(
      ProcessTrace trace, Function<TracedModule, CodeFile> codeFiles, SystemCalls systemCalls) {
    this.trace = trace;
    this.codeFiles = codeFiles;
    this.systemCalls = systemCalls;
    Blocks blocks = trace.blocks();
    for (int i = 1; i < blocks.count() && !trace.facts().isInMachine(); i++) {
      moduleOf.putIfAbsent(blocks.address(i), blocks.module(i));
    }
    readPerfMap(Path.of("/tmp/perf-" + trace.facts().pid() + ".map"));
  }

  /** What a virtual machine writes for perf: address, bytes, name. */
  private void readPerfMap(Path map) {
    try {
      if (!Files.isRegularFile(map, LinkOption.NOFOLLOW_LINKS)
          || Files.size(map) > MAX_MAP
          || !Files.getOwner(map, LinkOption.NOFOLLOW_LINKS)
              .equals(Files.getOwner(Path.of("/proc/self")))) {
        return;
      }
      for (String line : Files.readString(map, StandardCharsets.UTF_8).split("\n")) {
        String[] words = line.split(" ", 3);
        if (words.length == 3) {
          long address = Long.parseUnsignedLong(words[0].replaceFirst("^0x", ""), 16);
          long size = Long.parseUnsignedLong(words[1].replaceFirst("^0x", ""), 16);
          generated.put(address, new Generated(address + size, words[2]));
        }
      }
    } catch (IOException | NumberFormatException e) {
      generated.clear(); // not a map, or a half of one
    }
  }

  public void define(DefinitionFile to, long clock) throws IOException {
    List<Long> addresses = trace.methodAddresses();
    for (int i = 0; i < addresses.size(); i++) {
      define(to, clock, i + 1, addresses.get(i));
    }
  }

  private void define(DefinitionFile to, long clock, int method, long address) throws IOException {
    if (Functions.is(Functions.SYSTEM_CALL, address)) {
      define(to, clock, method, SYSTEM_CALL, systemCalls.name((int) address));
    } else if (Functions.is(Functions.SIGNAL, address)) {
      define(to, clock, method, SIGNAL, SystemCalls.signal((int) address));
    } else if (Functions.is(Functions.ENTRY, address)) {
      ProcessFacts.Entry entry = trace.facts().entries().get((int) address);
      boolean interrupt = entry != null && entry.interrupt();
      String name = entry == null ? "entry " + (int) address : entry.name();
      define(to, clock, method, interrupt ? INTERRUPT : EXCEPTION, name);
    } else if (Functions.is(Functions.WAITING, address)) {
      define(to, clock, method, WAITING, "not running");
    } else {
      TracedModule module = module(address);
      if (module == null) {
        define(to, clock, method, GENERATED, generatedName(address));
      } else {
        defineFunction(to, clock, method, address, module);
      }
    }
  }

  private void define(DefinitionFile to, long clock, int method, String type, String name)
      throws IOException {
    int number = type(to, clock, type, "", "");
    to.define(clock, method(method, number, name, ""));
  }

  private void defineFunction(
      DefinitionFile to, long clock, int method, long address, TracedModule module)
      throws IOException {
    CodeFile code = codeFiles.apply(module);
    String path = module.path();
    TracedModule program = trace.facts().program();
    boolean isProgram = program != null && path.equals(program.path());
    String name = isProgram ? "" : path.substring(path.lastIndexOf('/') + 1);
    int type = type(to, clock, name, path, code.buildId());
    long inFile = code.address(address - module.address() + module.offset());
    String symbol = code.functions().getOrDefault(inFile, "0x" + Long.toHexString(inFile));
    to.define(clock, method(method, type, symbol, "+0x" + Long.toHexString(inFile)));
  }

  private @Nullable TracedModule module(long address) {
    List<TracedModule> modules = trace.facts().modules();
    Integer known = moduleOf.get(address);
    if (known != null) {
      return known < 0 ? null : modules.get(known);
    }
    for (int i = modules.size() - 1; i >= 0; i--) {
      if (modules.get(i).contains(address)) {
        return modules.get(i);
      }
    }
    return null;
  }

  private String generatedName(long address) {
    Map.Entry<Long, Generated> floor = generated.floorEntry(address);
    return floor != null && address < floor.getValue().end()
        ? floor.getValue().name()
        : "0x" + Long.toHexString(address);
  }

  private static Definition.Method method(int method, int type, String name, String descriptor) {
    return new Definition.Method(method, type, 0, 0, name, descriptor);
  }

  private int type(DefinitionFile to, long clock, String name, String path, String source)
      throws IOException {
    String key = path.isEmpty() ? name : path;
    Integer known = types.get(key);
    if (known != null) {
      return known;
    }
    int number = types.size() + 1;
    types.put(key, number);
    to.define(clock, new Definition.Type(number, name, path, source));
    return number;
  }
}
