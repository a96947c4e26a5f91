package dev.kymo.instructions.trace;

import dev.kymo.format.InstructionLayout;
import dev.kymo.instructions.InstructionFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Facts that a process of the trace told of itself, and its blocks. All processes of a machine
 * share their blocks.
 */
public final class ProcessFacts {
  /** Facts are smaller. */
  public static final int MAX_FACT = 1 << 20;

  private static final int BUFFER = 4 << 20;

  /** A thread; the last name counts. */
  public record ThreadFact(long clock, int thread, int tid, String name) {}

  /** A sentence for readers of the recording. */
  public record Note(long clock, String text) {}

  /**
   * Where recording has stopped.
   *
   * @param clock number of the instruction
   * @param signal 0 = none, it is something else
   */
  public record Fault(long clock, long address, int thread, int signal, String what) {
    public String name() {
      return signal == 0 ? what : SystemCalls.signal(signal);
    }
  }

  /** How the kernel is entered. */
  public record Entry(boolean interrupt, String name) {}

  private final int number;
  private final Blocks blocks;

  /** The kernel of the machine that it is in; null: it is not in one, or is the kernel. */
  private final @Nullable ProcessFacts kernel;

  /** The other processes of this machine, by number. */
  private final Map<Integer, ProcessFacts> guests = new TreeMap<>();

  private final Map<Integer, Entry> entries = new TreeMap<>();
  private ProcessFacts about = this;
  private int @Nullable [] modulesOfBlocks;
  private final List<TracedModule> modules = new ArrayList<>();
  private final Map<Integer, ThreadFact> threads = new TreeMap<>();
  private final List<Note> notes = new ArrayList<>();
  private long clock;
  private int pid;
  private int parentPid;
  private int parent;
  private int how;
  private String command = "";
  private @Nullable Fault fault;
  private String left = "";
  private @Nullable String damage;

  private ProcessFacts(int number) {
    this.number = number;
    this.kernel = null;
    this.blocks = new Blocks();
  }

  private ProcessFacts(int number, ProcessFacts kernel) {
    this.number = number;
    this.kernel = kernel;
    this.blocks = kernel.blocks;
    kernel.modules.stream().filter(m -> m.path().equals(TracedModule.KERNEL)).forEach(modules::add);
  }

  public static String fileName(int process) {
    return "p" + process + "-facts";
  }

  /**
   * Reads the facts of a process, as far as they can be read.
   *
   * @param earlier processes with smaller numbers: its parent is one of them
   */
  public static ProcessFacts read(
      InstructionFiles files, int number, Map<Integer, ProcessFacts> earlier) throws IOException {
    ProcessFacts facts = new ProcessFacts(number);
    String name = fileName(number);
    ByteBuffer head = files.read(name, 0, InstructionLayout.FACTS_HEAD);
    if (head.remaining() < InstructionLayout.FACTS_HEAD
        || head.getInt(0) != InstructionLayout.FACTS_MAGIC
        || head.getInt(4) != number) {
      facts.damage = "is not a file of facts";
      return facts;
    }
    long end = Math.min(head.getLong(8), files.size(name));
    if (end < head.getLong(8)) {
      facts.damage = "was cut off";
    }
    facts.readAll(files, name, end, earlier);
    return facts;
  }

  private void readAll(
      InstructionFiles files, String name, long end, Map<Integer, ProcessFacts> earlier)
      throws IOException {
    long position = InstructionLayout.FACTS_HEAD;
    while (position < end) {
      int size = (int) Math.min(BUFFER, end - position);
      ByteBuffer part = files.read(name, position, size);
      int taken = take(part, earlier);
      if (taken == 0) {
        damage = "has damaged facts, from byte " + position;
        return;
      }
      position += taken;
    }
  }

  /** Takes whole facts; returns their bytes. */
  private int take(ByteBuffer part, Map<Integer, ProcessFacts> earlier) {
    int at = 0;
    while (at + InstructionLayout.FACT_HEAD <= part.limit()) {
      int kind = part.getInt(at);
      int size = part.getInt(at + 4);
      int next = at + InstructionLayout.FACT_HEAD + size;
      if (size < 0 || size > MAX_FACT || next > part.limit()) {
        return at;
      }
      ByteBuffer fact =
          part.slice(at + InstructionLayout.FACT_HEAD, size).order(ByteOrder.LITTLE_ENDIAN);
      if (!takeOfMachine(kind, fact) && !about.take(kind, fact, earlier)) {
        return at;
      }
      at = next;
    }
    return at;
  }

  /** Takes what only machines have; false if it is something else. */
  private boolean takeOfMachine(int kind, ByteBuffer fact) {
    if (how != InstructionLayout.BEGIN_MACHINE || fact.limit() < smallest(kind)) {
      return false;
    }
    if (kind == InstructionLayout.FACT_ABOUT) {
      int process = fact.getInt(0);
      about =
          process == number
              ? this
              : guests.computeIfAbsent(process, p -> new ProcessFacts(p, this));
      return true;
    }
    if (kind == InstructionLayout.FACT_ENTRY) {
      boolean interrupt = fact.getInt(4) == InstructionLayout.ENTRY_INTERRUPT;
      entries.put(fact.getInt(0), new Entry(interrupt, text(fact, 8)));
      return true;
    }
    return false;
  }

  private boolean take(int kind, ByteBuffer fact, Map<Integer, ProcessFacts> earlier) {
    if (fact.limit() < smallest(kind)) {
      return false;
    }
    switch (kind) {
      case InstructionLayout.FACT_PROCESS -> {
        clock = fact.getLong(0);
        pid = fact.getInt(8);
        parentPid = fact.getInt(12);
        parent = fact.getInt(16);
        how = fact.getInt(20);
        if (how == InstructionLayout.BEGIN_FORK) {
          inherit(fact.getInt(24), earlier);
        }
        command = text(fact, 28).stripTrailing();
      }
      case InstructionLayout.FACT_BLOCK -> {
        long address = fact.getLong(0);
        int instructions = fact.getShort(8) & 0xFFFF;
        return blocks.add(address, instructions, fact.position(10), moduleAt(address));
      }
      case InstructionLayout.FACT_MODULE ->
          modules.add(
              new TracedModule(
                  fact.getLong(8), fact.getLong(16), fact.getLong(24), text(fact, 32)));
      case InstructionLayout.FACT_THREAD -> {
        int thread = fact.getInt(8);
        ThreadFact before = threads.get(thread);
        String told = text(fact, 16);
        String name = told.isEmpty() && before != null ? before.name : told;
        threads.put(
            thread,
            new ThreadFact(
                before == null ? fact.getLong(0) : before.clock, thread, fact.getInt(12), name));
      }
      case InstructionLayout.FACT_NOTICE -> notes.add(new Note(fact.getLong(0), text(fact, 8)));
      case InstructionLayout.FACT_FAULT ->
          fault =
              new Fault(
                  fact.getLong(0),
                  fact.getLong(8),
                  fact.getInt(16),
                  fact.getInt(20) & 0x7F,
                  text(fact, 24));
      case InstructionLayout.FACT_LEFT -> left = text(fact, 8);
      default -> {} // of a later version
    }
    return true;
  }

  private void inherit(int count, Map<Integer, ProcessFacts> earlier) {
    ProcessFacts forked = kernel == null ? earlier.get(parent) : kernel.guests.get(parent);
    if (forked != null && kernel != null) {
      modules.clear();
      modules.addAll(forked.modules);
    } else if (forked != null && blocks.count() == 1) {
      blocks.inherit(forked.blocks, count);
      modules.addAll(forked.modules);
    }
  }

  private static int smallest(int kind) {
    return switch (kind) {
      case InstructionLayout.FACT_PROCESS -> 28;
      case InstructionLayout.FACT_BLOCK -> 10;
      case InstructionLayout.FACT_MODULE -> 32;
      case InstructionLayout.FACT_THREAD -> 16;
      case InstructionLayout.FACT_FAULT -> 24;
      case InstructionLayout.FACT_NOTICE,
          InstructionLayout.FACT_ENTRY,
          InstructionLayout.FACT_LEFT ->
          8;
      case InstructionLayout.FACT_ABOUT -> 4;
      default -> 0;
    };
  }

  private static String text(ByteBuffer fact, int from) {
    return StandardCharsets.UTF_8.decode(fact.duplicate().position(from)).toString();
  }

  /** The file that was mapped last at an address; -1 = none. */
  private int moduleAt(long address) {
    for (int i = modules.size() - 1; i >= 0; i--) {
      if (modules.get(i).contains(address)) {
        return i;
      }
    }
    return -1;
  }

  /** The file that was mapped last at an address; null: none. */
  public @Nullable TracedModule module(long address) {
    int module = moduleAt(address);
    return module < 0 ? null : modules.get(module);
  }

  /** Whether it is a machine's, its kernel or one of its processes. */
  public boolean isInMachine() {
    return kernel != null || isKernel();
  }

  /** Whether it is the kernel of a machine, and its own threads. */
  public boolean isKernel() {
    return how == InstructionLayout.BEGIN_MACHINE;
  }

  /** If it is a machine's kernel: its other processes, by number. */
  public Map<Integer, ProcessFacts> guests() {
    return guests;
  }

  /** How the machine's kernel is entered, by number. */
  public Map<Integer, Entry> entries() {
    return kernel == null ? entries : kernel.entries;
  }

  /** The file that a block lies in; null: in none. */
  public @Nullable TracedModule module(int block) {
    int module = isInMachine() ? modulesOfBlocks()[block] : blocks.module(block);
    return module < 0 ? null : modules.get(module);
  }

  /** Code that several processes execute is in a file of each. */
  private synchronized int[] modulesOfBlocks() {
    int[] found = modulesOfBlocks;
    if (found == null) {
      found = new int[blocks.count()];
      for (int i = 1; i < found.length; i++) {
        found[i] = moduleAt(blocks.address(i));
      }
      found[0] = -1;
      modulesOfBlocks = found;
    }
    return found;
  }

  /** The fault that recording stopped at, if that was in this process. */
  public @Nullable Fault fault() {
    return fault;
  }

  /** The program that it goes on in and that is not recorded; empty: none. */
  public String left() {
    return left;
  }

  /** The program's own file; null if it is not known. */
  public @Nullable TracedModule program() {
    for (TracedModule module : modules) {
      if (!module.isNoFile()) {
        return module;
      }
    }
    return null;
  }

  public int number() {
    return number;
  }

  public Blocks blocks() {
    return blocks;
  }

  public List<TracedModule> modules() {
    return modules;
  }

  public Map<Integer, ThreadFact> threads() {
    return threads;
  }

  public List<Note> notes() {
    return notes;
  }

  /** When it began. */
  public long clock() {
    return clock;
  }

  public int pid() {
    return pid;
  }

  public int parentPid() {
    return parentPid;
  }

  /** Number of the process that called fork or execve; 0 = none in the trace. */
  public int parent() {
    return parent;
  }

  /** {@link InstructionLayout#BEGIN_FIRST} and the like. */
  public int how() {
    return how;
  }

  public String command() {
    return command;
  }

  /** The name of the program that it began with. */
  public String programName() {
    String program = command.split(" ", 2)[0];
    return program.substring(program.lastIndexOf('/') + 1);
  }

  /** What is wrong with its file; null if nothing is. */
  public @Nullable String damage() {
    return damage;
  }
}
