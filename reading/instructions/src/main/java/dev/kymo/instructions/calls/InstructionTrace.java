package dev.kymo.instructions.calls;

import dev.kymo.instructions.InstructionFiles;
import dev.kymo.instructions.trace.ChunkFile;
import dev.kymo.instructions.trace.FunctionFile;
import dev.kymo.instructions.trace.FunctionNumbers;
import dev.kymo.instructions.trace.Functions;
import dev.kymo.instructions.trace.ProcessFacts;
import dev.kymo.instructions.trace.ProcessTrace;
import dev.kymo.instructions.trace.TracedModule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The instructions of a recording: files that nobody may trust. What is large is read when it is
 * asked for. Safe for use by several threads.
 */
public final class InstructionTrace {
  private static final Pattern FILE = Pattern.compile("p(\\d{1,8})-(?:facts|thread-(\\d{1,8}))");

  private final InstructionFiles files;

  /** Those that there were when it was opened: looking again takes time for each of them. */
  private final Set<String> names;

  private final UUID uuid;

  /** Of each process the numbers of its threads. */
  private final Map<Integer, List<Integer>> threads = new TreeMap<>();

  private final Map<Integer, ProcessTrace> processes = new TreeMap<>();
  private final Map<String, ChunkFile> chunkFiles = new HashMap<>();
  private final Map<String, NestIndex> indexes = new HashMap<>();
  private final List<String> damages = new ArrayList<>();

  private InstructionTrace(InstructionFiles files, Set<String> names, UUID uuid) {
    this.files = files;
    this.names = names;
    this.uuid = uuid;
  }

  /**
   * Opens a trace.
   *
   * @param uuid of the recording that it is part of
   */
  public static InstructionTrace open(InstructionFiles files, UUID uuid) throws IOException {
    List<String> names = files.names();
    InstructionTrace trace = new InstructionTrace(files, Set.copyOf(names), uuid);
    for (String name : names) {
      Matcher matcher = FILE.matcher(name);
      if (matcher.matches()) {
        List<Integer> of =
            trace.threads.computeIfAbsent(
                Integer.valueOf(matcher.group(1)), p -> new ArrayList<>());
        if (matcher.group(2) != null) { // else its facts, which its children need in any case
          of.add(Integer.valueOf(matcher.group(2)));
        }
      }
    }
    trace.threads.values().forEach(t -> t.sort(null));
    return trace;
  }

  public InstructionFiles files() {
    return files;
  }

  /** A stream for each thread, by process and thread. */
  public List<InstructionStream> streams() {
    List<InstructionStream> streams = new ArrayList<>();
    threads.forEach(
        (process, all) -> all.forEach(t -> streams.add(new InstructionStream(this, process, t))));
    return streams;
  }

  /** What was wrong with the files that were read so far, as sentences. */
  public synchronized List<String> damages() {
    return List.copyOf(damages);
  }

  /**
   * Begins to read what every listing needs, while the caller does something else. What fails is
   * met again by whoever needs it.
   */
  public void prepare() {
    Thread.ofPlatform()
        .daemon()
        .name("kymo facts")
        .start(() -> {
          try {
            processes();
          } catch (IOException | RuntimeException e) {
            // see above
          }
        });
  }

  public synchronized Map<Integer, ProcessTrace> processes() throws IOException {
    if (processes.isEmpty()) {
      Map<Integer, ProcessFacts> facts = new TreeMap<>();
      for (Map.Entry<Integer, List<Integer>> each : threads.entrySet()) {
        int number = each.getKey();
        try {
          ProcessFacts known = facts.get(number);
          ProcessFacts read =
              known == null ? ProcessFacts.read(files, number, facts) : known; // a machine's
          facts.put(number, read);
          facts.putAll(read.guests());
          if (read.damage() != null) {
            note("%s %s".formatted(ProcessFacts.fileName(number), read.damage()));
          }
          processes.put(number, process(read, each.getValue()));
        } catch (IOException e) {
          note("instructions of process %d cannot be read: %s".formatted(number, e.getMessage()));
        }
      }
    }
    return processes;
  }

  private ProcessTrace process(ProcessFacts facts, List<Integer> numbers) throws IOException {
    FunctionFile functions = FunctionFile.read(files, facts.number());
    Map<Integer, ChunkFile> chunks = new TreeMap<>();
    for (int thread : numbers) {
      chunks.put(thread, chunks(facts.number(), thread));
    }
    return new ProcessTrace(
        facts,
        new Functions(facts.blocks(), functions.starts()),
        FunctionNumbers.of(functions.methods()),
        chunks);
  }

  private ChunkFile chunks(int process, int thread) throws IOException {
    String name = ChunkFile.fileName(process, thread);
    ChunkFile known = chunkFiles.get(name);
    if (known != null) {
      return known;
    }
    ChunkFile file = new ChunkFile(files, name).open();
    chunkFiles.put(name, file);
    if (file.damage() != null) {
      damages.add("%s: %s".formatted(name, file.damage()));
    }
    return file;
  }

  /**
   * Where a function lies.
   *
   * @param file the name of the file that it is in, {@code kernel} for the kernel's
   */
  public record FunctionAddress(String file, long address) {}

  /** The functions with a name that were executed, by file and address. */
  public synchronized List<FunctionAddress> functions(String name) throws IOException {
    Set<FunctionAddress> found = new LinkedHashSet<>();
    for (ProcessTrace process : processes().values()) {
      for (FunctionFile.Function function : functions(process.number()).functions()) {
        if (function.name().equals(name)) {
          TracedModule module = process.facts().module(function.address());
          String file =
              module == null
                  ? ""
                  : module.path().equals(TracedModule.KERNEL) ? "kernel" : module.name();
          found.add(new FunctionAddress(file, function.address()));
        }
      }
    }
    return List.copyOf(found);
  }

  public FunctionFile functions(int process) throws IOException {
    return FunctionFile.read(files, process);
  }

  private ProcessTrace process(int number) throws IOException {
    ProcessTrace process = processes().get(number);
    if (process == null) {
      throw new IOException("instructions of a process cannot be read: process=" + number);
    }
    return process;
  }

  private static String indexName(int process, int thread) {
    return ChunkFile.fileName(process, thread) + ".nest";
  }

  synchronized NestIndex index(int process, int thread) throws IOException {
    String name = indexName(process, thread);
    NestIndex known = indexes.get(name);
    if (known == null && names.contains(name)) {
      ChunkFile file = chunks(process, thread);
      ByteBuffer bytes = files.read(name, 0, (int) Math.min(NestIndex.MAX_SIZE, files.size(name)));
      known = NestIndex.read(bytes, files.size(file.name()), file.chunks().size());
      if (known != null) {
        indexes.put(name, known);
      }
    }
    if (known == null) {
      makeIndexes();
      known = indexes.get(name);
    }
    if (known == null) {
      throw new IOException("instructions cannot be read: file=" + name);
    }
    return known;
  }

  /** Without the files, it takes as long as at the end of the recording. */
  private void makeIndexes() throws IOException {
    Nesting nesting = new Nesting(uuid);
    for (ProcessTrace process : processes().values()) {
      process
          .threads()
          .forEach((thread, file) ->
              indexes.put(
                  indexName(process.number(), thread),
                  nesting.index(process, thread, file, Nesting.Listeners.NONE)));
    }
  }

  /**
   * The irregular points of all threads. If a file of them is missing or damaged, or functions are
   * critical, points are found again: that takes as long as at the end of the recording.
   *
   * @param critical by process: where functions begin in which interrupts are points, too
   * @return by process and thread
   */
  public Map<Integer, Map<Integer, ThreadPoints>> points(Map<Integer, Set<Long>> critical)
      throws IOException {
    Nesting nesting = new Nesting(uuid);
    Map<Long, Long> kernelPages = new HashMap<>();
    Map<Integer, Map<Integer, ThreadPoints>> points = new TreeMap<>();
    boolean find = !critical.isEmpty() || !readPoints(points);
    for (ProcessTrace process : find ? processes().values() : List.<ProcessTrace>of()) {
      int number = process.number();
      PointFinder.Pages pages = new PointFinder.Pages(new HashMap<>(), kernelPages);
      Map<Integer, ThreadPoints> found = new TreeMap<>();
      process
          .threads()
          .forEach((thread, file) -> {
            PointFinder finder =
                new PointFinder(process, pages, critical.getOrDefault(number, Set.of()));
            nesting.index(process, thread, file, new Nesting.Listeners(finder, null));
            found.put(thread, finder.points());
          });
      points.put(number, found);
    }
    return points;
  }

  /** Reads the files with points; false if one is missing or damaged. */
  private boolean readPoints(Map<Integer, Map<Integer, ThreadPoints>> to) throws IOException {
    for (ProcessTrace process : processes().values()) {
      Map<Integer, ThreadPoints> of = new TreeMap<>();
      for (int thread : process.threads().keySet()) {
        ThreadPoints read = readPoints(process.number(), thread);
        if (read == null) {
          return false;
        }
        of.put(thread, read);
      }
      to.put(process.number(), of);
    }
    return true;
  }

  private @Nullable ThreadPoints readPoints(int process, int thread) {
    String name = ThreadPoints.fileName(process, thread);
    try {
      int size = (int) Math.min(ThreadPoints.MAX_SIZE, files.size(name));
      long fileSize = files.size(ChunkFile.fileName(process, thread));
      return ThreadPoints.read(files.read(name, 0, size), fileSize);
    } catch (IOException e) {
      return null; // it is missing
    }
  }

  void packets(int process, int thread, int number, NestIndex.Entry entry, Consumer<ByteBuffer> to)
      throws IOException {
    ProcessTrace of = process(process);
    ChunkFile file = of.threads().get(thread);
    if (file == null
        || number >= file.chunks().size()
        || entry.state().last >= of.blocks().count()) {
      throw new IOException(
          "instructions cannot be read: process=%d thread=%d".formatted(process, thread));
    }
    NestState calls = index(process, thread).state(number);
    boolean last = number == file.chunks().size() - 1;
    Nesting.Packets made =
        new Nesting(uuid)
            .packets(
                of,
                thread,
                file,
                file.chunks().get(number),
                calls,
                entry.packets(),
                last,
                Nesting.Listeners.NONE,
                to);
    if (made.damage() != null) {
      note(made.damage());
    }
  }

  public synchronized void note(String damage) {
    if (!damages.contains(damage)) {
      damages.add(damage);
    }
  }
}
