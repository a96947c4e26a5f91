package dev.kymo.instructions.completion;

import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.format.InstructionLayout;
import dev.kymo.format.Redaction;
import dev.kymo.instructions.InstructionFiles;
import dev.kymo.instructions.calls.InstructionStream;
import dev.kymo.instructions.calls.LevelStream;
import dev.kymo.instructions.calls.MethodDefinitions;
import dev.kymo.instructions.calls.NestIndex;
import dev.kymo.instructions.calls.Nesting;
import dev.kymo.instructions.calls.PointFinder;
import dev.kymo.instructions.calls.ThreadPoints;
import dev.kymo.instructions.trace.Chunk;
import dev.kymo.instructions.trace.ChunkFile;
import dev.kymo.instructions.trace.CodeFile;
import dev.kymo.instructions.trace.FunctionFile;
import dev.kymo.instructions.trace.FunctionNumbers;
import dev.kymo.instructions.trace.Functions;
import dev.kymo.instructions.trace.ProcessFacts;
import dev.kymo.instructions.trace.ProcessTrace;
import dev.kymo.instructions.trace.SystemCalls;
import dev.kymo.writer.DefinitionFile;
import dev.kymo.writer.RecordingFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a recording of what the plugin has written: closes the last chunks, finds functions and
 * calls, and defines what they are called.
 */
public final class InstructionCompletion {
  /** An instruction is a nanosecond. */
  private static final long FREQUENCY = 1_000_000_000L;

  /** In a file of facts, whose first one is of the process. */
  private static final int PID_OFFSET =
      InstructionLayout.FACTS_HEAD + InstructionLayout.FACT_HEAD + 8;

  private static final Pattern OPEN = Pattern.compile("(p(\\d{1,8})-thread-\\d+)\\.open");

  private final Path directory;
  private final Path traces;
  private final InstructionFiles files;
  private final Redaction redaction;
  private final FunctionFinder finder = new FunctionFinder();
  private final Map<Integer, ProcessFacts> facts = new TreeMap<>();
  private final List<String> notices = new ArrayList<>();
  private final List<String> levelStreams = new ArrayList<>();
  private final Map<Long, Long> kernelPages = new HashMap<>();
  private long instructions;
  private long streams;
  private long end;

  private InstructionCompletion(Path directory, Redaction redaction) {
    this.redaction = redaction;
    this.directory = directory;
    this.traces = directory.resolve(InstructionLayout.DIRECTORY);
    this.files = InstructionFiles.of(traces);
  }

  /**
   * What was recorded.
   *
   * @param instructions of all threads
   * @param processes how many there were; after execve a process is another one
   * @param bytes on disk
   * @param streams bytes of the streams that are made of it
   * @param notices what is missing, as sentences
   */
  public record Summary(
      long instructions, int processes, long bytes, long streams, List<String> notices) {}

  /** Makes the directory that the plugin writes to. */
  public static Path prepare(Path recording, long limit) throws IOException {
    Path traces = Files.createDirectory(recording.resolve(InstructionLayout.DIRECTORY));
    ByteBuffer shared =
        ByteBuffer.allocate(InstructionLayout.SHARED_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    shared.putInt(0, InstructionLayout.SHARED_MAGIC);
    shared.putLong(InstructionLayout.SHARED_LIMIT_OFFSET, limit);
    Files.write(traces.resolve("shared"), shared.array(), StandardOpenOption.CREATE_NEW);
    return traces;
  }

  /**
   * The address that a program's file has for a function; empty if it has no symbol of that name.
   *
   * @param program a file
   */
  public static OptionalLong address(Path program, String function) {
    return address(CodeFile.read(program.toString()), function);
  }

  private static OptionalLong address(CodeFile program, String function) {
    return program.functions().entrySet().stream()
        .filter(f -> f.getValue().equals(function))
        .mapToLong(Map.Entry::getKey)
        .findFirst();
  }

  /**
   * Where a program's file has a function; empty if it has no symbol of that name.
   *
   * @param program a file
   */
  public static OptionalLong offset(Path program, String function) {
    CodeFile file = CodeFile.read(program.toString());
    OptionalLong address = address(file, function);
    return address.isEmpty() ? address : OptionalLong.of(file.offset(address.getAsLong()));
  }

  /** Pids of the processes that were recorded so far. */
  public static List<Integer> processes(Path traces) throws IOException {
    List<Integer> pids = new ArrayList<>();
    InstructionFiles files = InstructionFiles.of(traces);
    for (String name : files.names()) {
      if (name.endsWith("-facts")) {
        ByteBuffer first = files.read(name, 0, PID_OFFSET + 4);
        int pid = first.limit() < PID_OFFSET + 4 ? 0 : first.getInt(PID_OFFSET);
        if (pid > 0) {
          pids.add(pid);
        }
      }
    }
    return pids;
  }

  public static long records(Path added) throws IOException {
    Path directory = Objects.requireNonNull(added.getParent());
    String name = Objects.requireNonNull(added.getFileName()).toString();
    return new ChunkFile(InstructionFiles.of(directory), name)
        .open().chunks().stream().mapToLong(Chunk::blocks).sum();
  }

  /** Has processes that still run write nothing more. */
  public static void stop(Path traces) throws IOException {
    ByteBuffer ended = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(0, 1);
    try (FileChannel shared =
        FileChannel.open(traces.resolve("shared"), StandardOpenOption.WRITE)) {
      shared.write(ended, InstructionLayout.SHARED_ENDED_OFFSET);
    }
  }

  /**
   * Completes a recording.
   *
   * @param wall nanoseconds since 1970 when the program or the machine began
   * @param symbols of a machine's kernel, as its {@code /proc/kallsyms} has them; null: it is none
   * @param notices what its readers should know
   * @param redaction what is left out of command lines, also of the plugin's files
   */
  public static Summary complete(
      Path recording,
      long wall,
      Definition.Recording whole,
      @Nullable Path symbols,
      List<String> notices,
      Redaction redaction)
      throws IOException {
    InstructionCompletion completion = new InstructionCompletion(recording, redaction);
    completion.notices.addAll(notices);
    if (symbols != null) {
      completion.finder.kernel(CodeFile.kernel(symbols));
    }
    return completion.complete(wall, whole);
  }

  private Summary complete(long wall, Definition.Recording whole) throws IOException {
    closeFiles();
    try (RecordingFiles recording =
        RecordingFiles.create(directory, new Clock(Clock.INSTRUCTIONS, FREQUENCY, wall))) {
      Nesting nesting = new Nesting(recording.uuid());
      SystemCalls systemCalls = new SystemCalls();
      for (ProcessFacts process : facts.values()) {
        Map<Integer, ChunkFile> chunks = chunks(process);
        SortedMap<Long, String> functions = finder.functions(process, chunks.values());
        ProcessTrace trace = trace(process, chunks, functions);
        nest(nesting, trace, functions, recording.uuid());
        if (process.fault() != null) {
          notices.add(FaultText.of(process, process.fault(), functions));
        }
        if (!process.left().isEmpty()) {
          notices.add(
              "a process goes on in a program that cannot be recorded: process=%d pid=%d program=%s"
                  .formatted(process.number(), process.pid(), process.left()));
        }
        define(recording, trace, systemCalls);
      }
      define(recording, whole);
    }
    return new Summary(instructions, facts.size(), bytes(), streams, List.copyOf(notices));
  }

  private long bytes() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      long sum = 0;
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        sum += Files.size(file);
      }
      return sum;
    }
  }

  /** Nobody writes any more: what was left open is closed, and what is for writers goes. */
  private void closeFiles() throws IOException {
    ByteBuffer shared = files.read("shared", 0, InstructionLayout.SHARED_SIZE);
    long lost = shared.getLong(InstructionLayout.SHARED_LOST_OFFSET);
    long dropped = shared.getLong(InstructionLayout.SHARED_DROPPED_OFFSET);
    boolean mapped = shared.getInt(InstructionLayout.SHARED_ENDED_OFFSET) != 0;
    if (lost > 0) {
      notices.add(
          "instructions are missing, because there was no room for them: instructions=" + lost);
    }
    if (dropped > 0) {
      notices.add(
          "the oldest instructions are missing, only the newest were to be kept: instructions="
              + dropped);
    }
    Files.delete(traces.resolve("shared"));
    List<String> names = files.names();
    TreeSet<Integer> processes = new TreeSet<>();
    for (String name : names) {
      if (name.matches("p\\d+-facts")) {
        processes.add(Integer.valueOf(name.substring(1, name.indexOf('-'))));
      }
    }
    for (int number : processes) {
      if (!mapped) { // who has it mapped would be killed by the next access
        cutFacts(ProcessFacts.fileName(number));
      }
      FactRedaction.leaveOut(traces.resolve(ProcessFacts.fileName(number)), redaction);
      ProcessFacts process = ProcessFacts.read(files, number, facts);
      if (process.damage() != null) {
        notices.add("%s %s".formatted(ProcessFacts.fileName(number), process.damage()));
      }
      facts.put(number, process);
      facts.putAll(process.guests());
    }
    for (String name : names) {
      Matcher open = OPEN.matcher(name);
      ProcessFacts process = open.matches() ? facts.get(Integer.valueOf(open.group(2))) : null;
      if (process != null) {
        closeChunk(open.group(1), process);
      }
    }
  }

  private void cutFacts(String name) throws IOException {
    try (FileChannel file = FileChannel.open(traces.resolve(name), StandardOpenOption.WRITE)) {
      ByteBuffer head = files.read(name, 0, InstructionLayout.FACTS_HEAD);
      long size = head.remaining() < InstructionLayout.FACTS_HEAD ? 0 : head.getLong(8);
      if (size > 0 && size < file.size()) {
        file.truncate(size);
      }
    }
  }

  private void closeChunk(String name, ProcessFacts process) throws IOException {
    try {
      end = Math.max(end, OpenChunk.close(traces, name, process.blocks()));
    } catch (IOException e) {
      notices.add("the last instructions of a thread are missing: " + e.getMessage());
    }
  }

  private static ProcessTrace trace(
      ProcessFacts process, Map<Integer, ChunkFile> chunks, SortedMap<Long, String> functions) {
    long[] starts = functions.keySet().stream().mapToLong(Long::longValue).toArray();
    return new ProcessTrace(
        process, new Functions(process.blocks(), starts), new FunctionNumbers(), chunks);
  }

  private Map<Integer, ChunkFile> chunks(ProcessFacts process) throws IOException {
    Map<Integer, ChunkFile> chunks = new TreeMap<>();
    for (int thread : process.threads().keySet()) {
      String name = ChunkFile.fileName(process.number(), thread);
      if (Files.exists(traces.resolve(name))) {
        chunks.put(thread, new ChunkFile(files, name).open());
      }
    }
    return chunks;
  }

  private void nest(
      Nesting nesting, ProcessTrace trace, SortedMap<Long, String> functions, UUID uuid)
      throws IOException {
    PointFinder.Pages pages = new PointFinder.Pages(new HashMap<>(), kernelPages);
    for (Map.Entry<Integer, ChunkFile> each : trace.threads().entrySet()) {
      ChunkFile file = each.getValue();
      PointFinder points = new PointFinder(trace, pages, Set.of());
      NestIndex index;
      try (LevelStream levels = new LevelStream(directory, uuid, trace, each.getKey())) {
        index = nesting.index(trace, each.getKey(), file, new Nesting.Listeners(points, levels));
      } catch (UncheckedIOException e) {
        throw new IOException("a stream of calls cannot be written: " + e.getMessage(), e);
      }
      levelStreams.add(InstructionStream.name(trace.number(), each.getKey()));
      ByteBuffer bytes = index.bytes(files.size(file.name()));
      if (bytes != null) {
        write(file.name() + ".nest", bytes);
      }
      write(
          ThreadPoints.fileName(trace.number(), each.getKey()),
          points.points().bytes(files.size(file.name())));
      instructions += index.instructions();
      streams += index.size();
      if (!file.chunks().isEmpty()) {
        end = Math.max(end, file.chunks().getLast().end());
      }
    }
    FunctionFile file =
        new FunctionFile(
            trace.methodAddresses(),
            functions.entrySet().stream()
                .map(f -> new FunctionFile.Function(f.getKey(), f.getValue()))
                .toList());
    write(FunctionFile.fileName(trace.number()), file.bytes());
  }

  private void write(String name, ByteBuffer bytes) throws IOException {
    try (FileChannel file =
        FileChannel.open(
            traces.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    }
  }

  private void define(RecordingFiles recording, ProcessTrace trace, SystemCalls systemCalls)
      throws IOException {
    ProcessFacts process = trace.facts();
    try (DefinitionFile to =
        new DefinitionFile(recording.directory(), recording.uuid(), process.number())) {
      long clock = process.clock();
      to.define(
          clock,
          new Definition.TracedProcess(
              process.number(), process.pid(), process.parentPid(), process.command(), "native"));
      for (ProcessFacts.ThreadFact thread : process.threads().values()) {
        String name = thread.name().isEmpty() ? process.programName() : thread.name();
        to.define(
            thread.clock(),
            new Definition.TracedThread(
                thread.thread(), Definition.TracedThread.PLATFORM, 0, thread.tid(), name));
      }
      new MethodDefinitions(trace, finder::codeFile, systemCalls).define(to, clock);
      for (ProcessFacts.Note note : process.notes()) {
        notices.add(note.text());
      }
    }
  }

  private void define(RecordingFiles recording, Definition.Recording whole) throws IOException {
    try (DefinitionFile to = new DefinitionFile(recording.directory(), recording.uuid(), 0)) {
      to.define(0, whole);
      for (String notice : notices) {
        to.define(end, new Definition.Notice(0, notice));
      }
      for (int process : facts.keySet()) {
        to.define(end, new Definition.ProcessEnd(process, Definition.ProcessEnd.ENDED, 0));
        String name = "p" + process + "-definitions";
        to.define(end, new Definition.Stream(name, Files.size(directory.resolve(name))));
      }
      for (String name : levelStreams) {
        to.define(end, new Definition.Stream(name, Files.size(directory.resolve(name))));
      }
    }
  }
}
