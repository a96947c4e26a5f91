package dev.kymo.kernel;

import dev.kymo.format.Definition;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.NoticeCode;
import dev.kymo.states.KernelStates;
import dev.kymo.writer.DefinitionFile;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The kernel's part of a running recording, and the thread that writes it. */
public final class KernelRecording implements AutoCloseable {
  private static final long LEFT_NANOS = 10_000_000;

  private final KernelSource source;
  private final Place place;
  private final KernelStates states;
  private final KernelWriter writer;
  private final Consumer<String> complaints;
  private final Thread thread;

  /** Held while events are processed. */
  private final ReentrantLock working = new ReentrantLock(true);

  /** Processes that existed before. */
  private final Set<Integer> running = new HashSet<>();

  private volatile boolean ending;
  private volatile long written;
  private BooleanSupplier noRoom = () -> false;
  private boolean started;
  private boolean said;
  private boolean saidBroken;
  private long startedNanos;
  private volatile String brokenAfter = "";

  /**
   * What is recorded, and where it is written.
   *
   * @param streams directory and numbers
   * @param system whether all processes of the machine are recorded, not only those adopted
   * @param kernel name and version of the kernel
   * @param clock the recording's clock
   */
  public record Place(
      KernelStates.Place streams, boolean system, String kernel, LongSupplier clock) {}

  private KernelRecording(
      KernelSource source,
      Place place,
      KernelStates states,
      KernelWriter writer,
      Consumer<String> complaints) {
    this.source = source;
    this.place = place;
    this.states = states;
    this.writer = writer;
    this.complaints = complaints;
    this.thread = Thread.ofPlatform().name("kymo kernel").daemon().unstarted(this::run);
  }

  /**
   * Makes everything ready.
   *
   * @param complaints takes one sentence about each thing that went wrong
   */
  public static KernelRecording open(KernelSource source, Place place, Consumer<String> complaints)
      throws IOException {
    long now = place.clock.getAsLong();
    KernelStates.Place streams = place.streams;
    DefinitionFile definitions =
        new DefinitionFile(streams.directory(), streams.uuid(), streams.process());
    definitions.define(
        now, new Definition.TracedProcess(streams.process(), 0, 0, place.kernel, ""));
    KernelStates states = new KernelStates(streams, place.system, definitions, now);
    List<KernelEventFormat> formats = source.formats();
    for (KernelEventFormat format : formats) {
      states.format(format);
    }
    List<KernelEventFormat> recorded = recorded(source);
    for (int event = 0; event < recorded.size(); event++) {
      KernelEventFormat format = recorded.get(event);
      definitions.define(now, new Definition.KernelEvent(event, format.subsystem(), format.text()));
    }
    states.mute((int) ProcessHandle.current().pid());
    definitions.flush();
    KernelWriter writer = new KernelWriter(streams, definitions, states, formats);
    return new KernelRecording(source, place, states, writer, complaints);
  }

  /** The kinds of events of a source as a recording of them describes them. */
  public static List<KernelEventFormat> recorded(KernelSource source) {
    return ForkEvent.recorded(source.formats());
  }

  /**
   * Has a running process recorded, and those that it has made; before the start.
   *
   * @throws IOException if its events are not available
   */
  public void adopt(long pid) throws IOException {
    source.maySee(pid);
    running.add((int) pid);
    states.root((int) pid);
  }

  /**
   * Leaves events in the kernel while there is no room for them; it counts those that it has no
   * room for either. At the end they are taken in any case. Only before the start.
   *
   * @param full is asked by the thread that writes
   */
  public void leaveWhile(BooleanSupplier full) {
    noRoom = full;
  }

  /** Begins; threads that already wait are known to wait. */
  public void start() throws IOException {
    boolean any = place.system || !running.isEmpty();
    Set<Integer> known = any ? present(Set.of(), true) : Set.of();
    source.start();
    if (any) {
      present(known, false); // those made in the meantime
    }
    started = true;
    startedNanos = System.nanoTime();
    thread.start();
  }

  /**
   * Starts a process that is to be recorded from its first event on, with those that it makes.
   *
   * @return its process id
   */
  public int adopt(Starter starter) throws IOException {
    working.lock();
    try {
      int process = starter.start();
      states.root(process);
      return process;
    } finally {
      working.unlock();
    }
  }

  /** Starts a process. */
  public interface Starter {
    /** Starts it; returns its process id. */
    int start() throws IOException;
  }

  /**
   * Takes the existing threads that are to be recorded.
   *
   * @param known threads that were taken before
   * @param waiting whether to record of waiting threads that they wait
   * @return their numbers
   */
  private Set<Integer> present(Set<Integer> known, boolean waiting) throws IOException {
    List<ProcTasks.ProcTask> all = ProcTasks.all();
    Set<Integer> wanted = new HashSet<>(running);
    boolean more = true;
    while (more) {
      more = false;
      for (ProcTasks.ProcTask task : all) {
        more |= wanted.contains(task.parent()) && wanted.add(task.pid());
      }
    }
    long now = place.clock.getAsLong();
    Set<Integer> taken = new HashSet<>();
    for (ProcTasks.ProcTask task : all) {
      boolean isWanted = place.system || wanted.contains(task.pid());
      if (isWanted && !known.contains(task.tid())) {
        taken.add(task.tid());
        states.present(task.tid(), task.pid(), task.name(), waiting && task.waiting(), now);
      }
    }
    return taken;
  }

  private void run() {
    try {
      while (!ending) {
        if (noRoom.getAsBoolean()) {
          LockSupport.parkNanos(LEFT_NANOS);
        } else {
          round();
        }
      }
      source.finish(writer);
      tellRemarks();
      writer.cost(LibC.threadCpuNanos());
      writer.flush();
    } catch (IOException e) {
      broken(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      broken("a fault of Kymo: " + e);
    }
  }

  private void round() throws IOException {
    working.lock();
    try {
      source.round(writer);
      tellRemarks();
      written = writer.bytes();
    } finally {
      working.unlock();
    }
  }

  private void tellRemarks() throws IOException {
    for (String remark : source.remarks()) {
      complaints.accept(remark);
      writer.notice(place.clock.getAsLong(), remark);
    }
  }

  /** The program and the rest of its recording go on. */
  private void broken(String why) {
    double seconds = (System.nanoTime() - startedNanos) / 1e9;
    brokenAfter = String.format(Locale.ROOT, "%.3f", seconds);
    String text =
        NoticeCode.KERNEL_ENDED.text() + " %s s after they began: %s".formatted(brokenAfter, why);
    complaints.accept(text + "; the recording goes on without them");
    try {
      try {
        source.finish(writer);
        tellRemarks();
      } catch (IOException | RuntimeException e) {
        // the rest is not available: the reason has been reported
      }
      writer.forget();
      writer.notice(place.clock.getAsLong(), text);
      writer.flush();
    } catch (IOException e) {
      complaints.accept("kernel events cannot be written: " + e.getMessage());
    }
  }

  /** Ends: everything is in the files, and nothing is left in the kernel. */
  public void finish() throws InterruptedException {
    if (started) {
      ending = true;
      thread.join();
    }
    if (!brokenAfter.isEmpty() && !saidBroken) {
      saidBroken = true;
      complaints.accept(
          "the recording is incomplete: it has no kernel events from %s s after they began"
              .formatted(brokenAfter));
    }
    IOException failure = writer.failure();
    if (failure != null && !said) {
      said = true;
      complaints.accept(
          failure.getMessage() + "; kernel events end there, what was written is kept");
    }
  }

  public long events() {
    return writer.events();
  }

  /** Events that the kernel had no room for. */
  public long lost() {
    return writer.lost();
  }

  /** Bytes written; while events are taken, those of the last round. */
  public long bytes() {
    return thread.isAlive() ? written : writer.bytes();
  }

  /** Ends everything that has not ended. */
  @Override
  public void close() throws IOException {
    try {
      finish();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try (source) {
      writer.close();
    }
  }
}
