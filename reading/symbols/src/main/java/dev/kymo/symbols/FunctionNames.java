package dev.kymo.symbols;

import dev.kymo.format.Definition;
import dev.kymo.format.ThreadRecord;
import dev.kymo.reader.DefinitionFollower;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import dev.kymo.reader.StreamSource;
import dev.kymo.writer.DefinitionFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes more about a recording's native functions than the processes knew: streams {@code
 * pN-names}. Used by one thread.
 */
public final class FunctionNames implements AutoCloseable {
  /** For the streams {@code pN-definitions} it is 0. */
  private static final int INSTANCE = 1;

  /** The name of the virtual machine of a process that is not a Java program. */
  private static final String NATIVE = "native";

  private final Recording recording;
  private final DefinitionFollower definitions;
  private final SymbolProcess symbols;
  private final String prefix;
  private final Map<Integer, Functions> processes = new TreeMap<>();

  private FunctionNames(Path path, String prefix, SymbolProcess symbols) throws IOException {
    this.recording = Recording.open(path);
    this.definitions = new DefinitionFollower(recording, new Diagnostics());
    this.prefix = prefix;
    this.symbols = symbols;
  }

  /** Names the functions of a recording while it is written; its metadata must exist. */
  public static FunctionNames follow(Path recording) throws IOException {
    return new FunctionNames(recording, "", SymbolProcess.inBackground());
  }

  /** Names all functions of a recording that nobody writes any more. */
  public static void complete(Path recording) throws IOException {
    complete(recording, new SymbolProcess());
  }

  private static void complete(Path recording, SymbolProcess symbols) throws IOException {
    try (FunctionNames names = new FunctionNames(recording, ".", symbols)) {
      names.goOn();
      names.replaceOld();
    }
  }

  /** Somebody waits for the names from now on; any thread may say so. */
  public void hurry() {
    symbols.hurry();
  }

  /**
   * Names functions later: the process that knows them starts at once, which takes some tenths of a
   * second, while the caller does something else. Nothing is recorded meanwhile. Used by one
   * thread.
   */
  public static final class Ahead implements AutoCloseable {
    private final SymbolProcess symbols = new SymbolProcess();

    public Ahead() {
      symbols.startAhead();
    }

    /** {@link FunctionNames#complete}, to be called once. */
    public void complete(Path recording) throws IOException {
      FunctionNames.complete(recording, symbols);
    }

    @Override
    public void close() {
      symbols.close();
    }
  }

  /** A process's functions. */
  private static final class Functions {
    private record Function(long clock, Definition.Method method) {}

    private record Source(String file, String source) {}

    private final Map<Integer, Definition.Type> files = new HashMap<>();
    private final List<Function> unnamed = new ArrayList<>();

    /** Methods that are places within functions. */
    private final Set<Integer> places = new HashSet<>();

    /** Methods that are frames of samples: any address in a function stands for it. */
    private final Set<Integer> sampled = new HashSet<>();

    private @Nullable Function last;
    private final Map<Source, Integer> types = new HashMap<>();
    private @Nullable DefinitionFile to;

    void add(Function function) {
      unnamed.add(function);
      last = function;
    }

    void add(Definition.CodeLocation place) {
      places.add(place.method());
      nameAgain(place.method());
    }

    void add(Definition.Stack stack) {
      if (sampled.add(stack.method())) {
        nameAgain(stack.method());
      }
    }

    /** What says so comes after the method, which may have been named in the meantime. */
    private void nameAgain(int number) {
      Function method = last;
      if (method != null && method.method.method() == number && unnamed.isEmpty()) {
        unnamed.add(method);
      }
    }
  }

  /**
   * Names the functions that were defined since the last call.
   *
   * @throws IOException if the recording cannot be read or written; what was written stays whole
   */
  public void goOn() throws IOException {
    definitions.poll(this::take);
    for (Map.Entry<Integer, Functions> each : processes.entrySet()) {
      Functions functions = each.getValue();
      if (!functions.unnamed.isEmpty()) {
        name(each.getKey(), functions);
      }
    }
  }

  private void take(int process, long clock, Definition definition) {
    Functions functions = processes.computeIfAbsent(process, p -> new Functions());
    switch (definition) {
      case Definition.TracedProcess traced when !traced.jvm().equals(NATIVE) ->
          definitions.ignore(process);
      case Definition.Recording whole -> definitions.ignore(process);
      case Definition.Type type when type.type() < Definition.Type.FIRST_OF_NAMES ->
          functions.files.put(type.type(), type);
      case Definition.Method method when isFunction(method) ->
          functions.add(new Functions.Function(clock, method));
      case Definition.CodeLocation place -> functions.add(place);
      case Definition.Stack stack -> functions.add(stack);
      default -> {} // no function
    }
  }

  private static boolean isFunction(Definition.Method method) {
    return method.type() < Definition.Type.FIRST_OF_NAMES
        && method.method() >= 0
        && method.method() <= ThreadRecord.MAX_PAYLOAD
        && method.descriptor().startsWith("+0x");
  }

  private void name(int process, Functions functions) throws IOException {
    for (Functions.Function function : functions.unnamed) {
      Definition.Type file = functions.files.get(function.method.type());
      SymbolProcess.Answer answer = file == null ? null : ask(functions, file, function.method);
      if (file != null && answer != null) {
        define(process, functions, function, file, answer);
      }
    }
    functions.unnamed.clear();
    if (functions.to != null) {
      functions.to.flush();
    }
  }

  private SymbolProcess.@Nullable Answer ask(
      Functions functions, Definition.Type file, Definition.Method method) {
    try {
      long address = Long.parseUnsignedLong(method.descriptor().substring(3), 16);
      boolean isPlace = functions.places.contains(method.method());
      return symbols.ask(file.loader(), file.source(), address, method.name(), isPlace);
    } catch (NumberFormatException e) {
      return null; // no writer that follows the format writes this
    }
  }

  private void define(
      int process,
      Functions functions,
      Functions.Function function,
      Definition.Type file,
      SymbolProcess.Answer answer)
      throws IOException {
    DefinitionFile to = functions.to;
    if (to == null) {
      Path path = recording.path().resolve(prefix + "p" + process + StreamSource.NAMES);
      Files.deleteIfExists(path);
      to = new DefinitionFile(path, recording.metadata().uuid(), process, INSTANCE);
      functions.to = to;
    }
    Functions.Source source = new Functions.Source(file.loader(), answer.file());
    Integer type = functions.types.get(source);
    if (type == null) {
      type = Definition.Type.FIRST_OF_NAMES + functions.types.size();
      functions.types.put(source, type);
      to.define(
          function.clock, new Definition.Type(type, file.name(), file.loader(), answer.file()));
    }
    Definition.Method method = function.method;
    int offset = answer.name().lastIndexOf("+0x");
    boolean isSample = offset > 0 && functions.sampled.contains(method.method());
    String name = isSample ? answer.name().substring(0, offset) : answer.name();
    boolean isVague = name.startsWith("0x") || name.contains("+0x");
    to.define(
        function.clock,
        new Definition.Method(
            method.method(),
            type,
            answer.line(),
            method.access(),
            name,
            isVague ? method.descriptor() : answer.parameters()));
  }

  private void replaceOld() throws IOException {
    for (Map.Entry<Integer, Functions> each : processes.entrySet()) {
      DefinitionFile to = each.getValue().to;
      if (to != null) {
        String name = "p" + each.getKey() + StreamSource.NAMES;
        to.close();
        each.getValue().to = null;
        Files.move(
            recording.path().resolve(prefix + name),
            recording.path().resolve(name),
            StandardCopyOption.REPLACE_EXISTING,
            StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  /** Puts what was named into the recording, and names no more. */
  @Override
  public void close() throws IOException {
    symbols.close();
    for (Functions functions : processes.values()) {
      if (functions.to != null) {
        functions.to.close();
      }
    }
    recording.close();
  }
}
