package dev.kymo.agent.weave;

import dev.kymo.format.Definition.MethodMode;
import dev.kymo.recorder.ProcessRecorder;
import dev.kymo.recorder.Session;
import dev.kymo.recorder.budget.BudgetFinding;
import dev.kymo.recorder.budget.MemoryFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The governor's findings from earlier runs of the program: methods begin in the mode that they had
 * at the end of the last run. A class that has changed since then starts without findings.
 *
 * <p>A {@link MemoryFile} contains for each class: its name, the checksum of its class file, the
 * number of bytes that follow, and for each method the mode, the number of runs that have relied on
 * it, calls per second, and the name with descriptor.
 */
final class Memory {
  /**
   * Nothing is seen of a method that is left out; it is looked at again after this number of runs.
   */
  private static final int BELIEVED_RUNS = 20;

  /** Spreads the methods, so that not all are looked at again in the same run. */
  private static final int SPREAD_RUNS = 8;

  /** Maximum size of the findings: leaves room for the other parts of a memory. */
  private static final int LARGEST = MemoryFile.LARGEST - (1 << 16);

  private final ProcessRecorder recorder;
  private final @Nullable Path directory;
  private final String program = program();
  private final String key;
  private final byte[] found;

  /** By name. */
  private final Map<String, Known> classes = new LinkedHashMap<>();

  /** Methods that began with a finding, and the number of runs that have relied on it. */
  private final Map<Integer, Integer> believed = new ConcurrentHashMap<>();

  private boolean saidWhy;

  private record Known(int checksum, int offset, int size) {}

  record Hint(int mode, int runs, long rate) {
    /** The mode in which it begins. */
    private BudgetFinding finding() {
      boolean again = mode == MethodMode.LEFT_OUT && runs >= BELIEVED_RUNS;
      return new BudgetFinding(again ? MethodMode.SAMPLED : mode, rate);
    }
  }

  /** Reads the findings about this program, if they are wanted. */
  Memory(ProcessRecorder recorder) {
    this.recorder = recorder;
    Session session = recorder.session();
    this.directory =
        session.methods().memory().isEmpty() ? null : Path.of(session.methods().memory());
    this.key = directory == null ? "" : key(session);
    MemoryFile file = directory == null ? null : MemoryFile.read(MemoryFile.place(directory, key));
    this.found = file == null || !file.isOf(key) ? new byte[0] : file.found();
    try {
      findClasses();
    } catch (IOException | RuntimeException e) {
      classes.clear(); // written by another version
    }
  }

  private static String program() {
    String command = System.getProperty("sun.java.command", "?");
    int space = command.indexOf(' ');
    return space < 0 ? command : command.substring(0, space);
  }

  private String key(Session session) {
    return String.join(
        "\n",
        program,
        absolute(System.getProperty("java.class.path", "")),
        absolute(System.getProperty("jdk.module.path", "")),
        System.getProperty("java.vm.version", ""),
        session.methods().budget() + " " + session.methods().minSize(),
        session.methods().include().toString(),
        session.methods().exclude().toString());
  }

  /** Identifies a program: the same command in two different directories means two programs. */
  private static String absolute(String path) {
    boolean relative = !path.startsWith("/") || path.contains(":");
    return relative ? System.getProperty("user.dir", "") + ":" + path : path;
  }

  private void findClasses() throws IOException {
    ByteArrayInputStream bytes = new ByteArrayInputStream(found);
    DataInputStream in = new DataInputStream(bytes);
    while (bytes.available() > 0) {
      String name = in.readUTF();
      int checksum = in.readInt();
      int size = in.readInt();
      classes.put(name, new Known(checksum, found.length - bytes.available(), size));
      if (in.skipBytes(size) != size) {
        throw new IOException("it is truncated: class=" + name);
      }
    }
  }

  /** The findings about the methods of a class, by name and descriptor. */
  Map<String, Hint> hints(String className, int checksum) {
    Known known = classes.get(className);
    if (known == null || known.checksum != checksum) {
      return Map.of();
    }
    Map<String, Hint> hints = new HashMap<>();
    DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(found, known.offset, known.size));
    try {
      while (in.available() > 0) {
        Hint hint = new Hint(in.readByte(), in.readUnsignedByte(), in.readLong());
        hints.put(in.readUTF(), hint);
      }
    } catch (IOException e) {
      return Map.of();
    }
    return hints;
  }

  /**
   * Sets the mode of a method whose class is being woven to the mode found earlier, if it is woven
   * for the first time.
   *
   * @return whether it gets no probes
   */
  boolean begin(int method, Hint hint) {
    if (believed.putIfAbsent(method, hint.runs) != null) {
      return false;
    }
    BudgetFinding finding = hint.finding();
    recorder.remember(method, finding);
    return finding.mode() == MethodMode.LEFT_OUT;
  }

  /** Keeps the findings for the next run. */
  void keep(MethodNumbers numbers) {
    if (directory == null) {
      return;
    }
    try {
      byte[] next = encoded(numbers, recorder.findings());
      if (next.length > 0 || found.length > 0) {
        new MemoryFile(program, key, next).write(directory);
      }
    } catch (IOException | RuntimeException e) {
      if (!saidWhy) {
        saidWhy = true;
        recorder.notice("what this run has found out is not kept for the next one: error=" + e);
      }
    }
  }

  private byte[] encoded(MethodNumbers numbers, Map<Integer, BudgetFinding> findings)
      throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(all);
    Set<String> seen = new HashSet<>();
    for (MethodNumbers.Woven type : numbers.woven()) {
      if (seen.add(type.name())) {
        byte[] methods = encoded(type.methods(), findings);
        write(out, type.name(), type.checksum(), methods, 0, methods.length);
      }
    }
    for (Map.Entry<String, Known> entry : classes.entrySet()) {
      if (seen.add(entry.getKey())) { // not loaded in this run, perhaps in the next
        Known known = entry.getValue();
        write(out, entry.getKey(), known.checksum, found, known.offset, known.size);
      }
    }
    return all.toByteArray();
  }

  private static void write(
      DataOutputStream out, String name, int checksum, byte[] from, int offset, int size)
      throws IOException {
    if (size > 0 && out.size() + size < LARGEST) {
      out.writeUTF(name);
      out.writeInt(checksum);
      out.writeInt(size);
      out.write(from, offset, size);
    }
  }

  private byte[] encoded(Map<String, Integer> methods, Map<Integer, BudgetFinding> findings)
      throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(all);
    for (Map.Entry<String, Integer> method : methods.entrySet()) {
      BudgetFinding finding = findings.get(method.getValue());
      if (finding != null && finding.mode() != MethodMode.EVENTS) {
        out.writeByte(finding.mode());
        out.writeByte(runs(method.getKey(), method.getValue(), finding));
        out.writeLong(finding.rate());
        out.writeUTF(method.getKey());
      }
    }
    return all.toByteArray();
  }

  private int runs(String name, int method, BudgetFinding finding) {
    Integer before = believed.get(method);
    return finding.mode() == MethodMode.LEFT_OUT && before != null && before < BELIEVED_RUNS
        ? before + 1
        : Math.floorMod(name.hashCode(), SPREAD_RUNS);
  }
}
