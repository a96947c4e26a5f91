package dev.kymo.kernel;

import dev.kymo.format.KernelEventFormat;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Takes kernel events of all processors from a tracing instance of its own and delivers them
 * merged.
 *
 * <p>One thread calls {@link #round} again and again, which waits while little happens, and in the
 * end {@link #finish}. Other threads may call {@link #enable}, {@link #disable}, {@link
 * #statistics} and {@link #close} at any time.
 */
public final class KernelCapture implements KernelSource {
  private static final int WAIT_MILLIS = 100;
  private static final long MARGIN_NANOS = 10_000_000;

  /** Of all processors together, and at least of one. */
  private static final int BYTES_PER_ROUND = 16 * 1024 * 1024;

  private static final int LEAST_BYTES = 2 * 1024 * 1024;
  private static final int CLOSE_SECONDS = 5;
  private static final long LOOK_NANOS = 1_000_000_000;

  private final TraceInstance instance;
  private final LongSupplier clock;
  private final Consumer<String> complaints;
  private final ReentrantLock reading = new ReentrantLock();
  private final Object control = new Object();
  private final Set<String> missing = new HashSet<>();
  private volatile EventTable table = EventTable.EMPTY;
  private volatile boolean closed;

  private final Arena arena = Arena.ofShared();
  private final List<CpuReader> readers = new ArrayList<>();
  private final List<CpuQueue> queues = new ArrayList<>();
  private final Poller poller;
  private final EventMerge merge;
  private final long openedNanos = System.nanoTime();
  private final long openedClock;
  private long beganClock;
  private long margin;
  private boolean behind;
  private long looked = System.nanoTime();
  private long rounds;
  private long cpuNanos;

  private KernelCapture(TraceInstance instance, LongSupplier clock, Consumer<String> complaints)
      throws IOException {
    this.instance = instance;
    this.clock = clock;
    this.complaints = complaints;
    this.openedClock = clock.getAsLong();
    this.beganClock = openedClock;
    PageLayout layout = PageLayout.parse(instance.read("events/header_page"));
    int[] cpus = instance.cpus();
    int pages = pagesPerRound(layout.pageSize(), cpus.length);
    List<CpuBuffer> buffers = new ArrayList<>();
    for (int cpu : cpus) {
      CpuReader reader = new CpuReader(instance.path(), cpu, layout, pages, arena);
      readers.add(reader);
      queues.add(reader.queue());
      buffers.add(reader.buffer());
    }
    poller = new Poller(buffers, arena);
    merge = new EventMerge(cpus.length, Arrays.stream(cpus).max().orElse(0));
  }

  /** How many pages of a processor are read at once: as many bytes whatever the kernel's pages. */
  static int pagesPerRound(int pageSize, int cpus) {
    return Math.max(1, Math.max(LEAST_BYTES, BYTES_PER_ROUND / Math.max(1, cpus)) / pageSize);
  }

  /**
   * Makes an instance and turns the events on; nothing is recorded before {@link #start}.
   *
   * @param events as {@link Service#parse} gives them; events that the kernel lacks are reported
   *     and left out
   * @param clockName the recording's clock: {@code tsc} or {@code monotonic}
   * @param clock reads it
   * @param bufferKb for each processor; {@link TraceInstance#DEFAULT_BUFFER_KB}
   * @param complaints takes a sentence about each problem; called by the threads that call this
   *     capture
   * @throws KernelException with what to do; then nothing is left in the kernel
   */
  public static KernelCapture open(
      Collection<String> events,
      String clockName,
      LongSupplier clock,
      int bufferKb,
      Consumer<String> complaints)
      throws KernelException {
    Tracefs tracefs = Tracefs.find();
    TraceInstance instance = TraceInstance.open(tracefs, clockName, bufferKb, complaints);
    try {
      KernelCapture capture = new KernelCapture(instance, clock, complaints);
      try {
        capture.enable(events);
        return capture;
      } catch (IOException | RuntimeException e) {
        capture.closeFiles();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      try (instance) {
        throw e instanceof KernelException known
            ? known
            : new KernelException("kernel events cannot be captured: " + e, e);
      }
    }
  }

  /**
   * Turns events on. Events whose layout was not known are added to {@link #formats()}, which never
   * loses one.
   *
   * @throws KernelException if the kernel refuses an event that it has
   */
  public void enable(Collection<String> events) throws KernelException {
    synchronized (control) {
      Map<String, KernelEventFormat> present = new LinkedHashMap<>();
      Map<String, Set<String>> absent = new TreeMap<>();
      for (String name : events) {
        boolean any = false;
        for (String event : instance.expand(name)) {
          Optional<KernelEventFormat> format = layout(event);
          format.ifPresent(f -> present.put(event, f));
          any |= format.isPresent();
        }
        if (!any && missing.add(name)) {
          absent.computeIfAbsent(Service.wanting(name), _ -> new LinkedHashSet<>()).add(name);
        }
      }
      absent.forEach(this::complain);
      table = table.with(present.values()); // before their first event can come
      for (String event : present.keySet()) {
        instance.enable(event, true);
      }
    }
  }

  /**
   * Empty also if the kernel's description makes no sense: then the event is left out, and that is
   * reported.
   */
  private Optional<KernelEventFormat> layout(String event) {
    try {
      return instance.format(event);
    } catch (KernelException e) {
      if (missing.add(event)) {
        complaints.accept(e.getMessage() + "; it is not recorded");
      }
      return Optional.empty();
    }
  }

  private void complain(String services, Set<String> names) {
    complaints.accept(
        "not in this kernel, so not recorded: events=%s%s"
            .formatted(String.join(",", names), services.isEmpty() ? "" : " services=" + services));
  }

  /** Turns events off; events in the buffers are still delivered. */
  public void disable(Collection<String> events) throws KernelException {
    synchronized (control) {
      for (String name : events) {
        for (String event : instance.expand(name)) {
          if (instance.format(event).isPresent()) {
            instance.enable(event, false);
          }
        }
      }
    }
  }

  /** Layouts of the events that are or were on; {@link KernelSink#event} gives indexes into it. */
  @Override
  public List<KernelEventFormat> formats() {
    return table.formats();
  }

  @Override
  public int processors() {
    return queues.stream().mapToInt(CpuQueue::cpu).max().orElse(0) + 1;
  }

  public Path path() {
    return instance.path();
  }

  @Override
  public void start() throws KernelException {
    WarmUp.run();
    beganClock = clock.getAsLong();
    double ticksPerNano =
        (beganClock - openedClock) / (double) Math.max(1, System.nanoTime() - openedNanos);
    margin = Math.max(1, (long) (MARGIN_NANOS * ticksPerNano));
    queues.forEach(queue -> queue.beginAt(beganClock));
    instance.tracing(true);
  }

  /**
   * Waits for events for at most 100 ms, unless the last round left some, and delivers what is
   * certain to be complete: everything except for the last 10 ms.
   *
   * @return events delivered; 0 after {@link #close}
   */
  @Override
  public long round(KernelSink sink) throws IOException {
    reading.lock();
    try {
      if (closed) {
        return 0;
      }
      long cpu = LibC.threadCpuNanos();
      long events = merge.events();
      if (!behind) {
        poller.poll(WAIT_MILLIS);
      }
      long now = clock.getAsLong();
      behind = read(now, now - margin);
      deliver(sink);
      rounds++;
      cpuNanos += LibC.threadCpuNanos() - cpu;
      look();
      return merge.events() - events;
    } finally {
      reading.unlock();
    }
  }

  /** Notices that somebody else, who is also root, has ended the capture. */
  private void look() throws IOException {
    if (System.nanoTime() - looked < LOOK_NANOS) {
      return;
    }
    looked = System.nanoTime();
    if (!instance.read("tracing_on").startsWith("1")) {
      throw new KernelException("tracing was turned off by somebody else: path=" + instance.path());
    }
  }

  /** Reads all buffers; true if something is left. */
  private boolean read(long now, long complete) {
    boolean more = false;
    for (CpuReader reader : readers) {
      more |= reader.read(now, complete, complaints);
    }
    return more;
  }

  private void deliver(KernelSink sink) {
    long until = Long.MAX_VALUE;
    for (CpuQueue queue : queues) {
      until = Math.min(until, queue.bound());
    }
    merge.deliver(queues, until, table, sink);
    if (until != Long.MAX_VALUE) {
      merge.upTo(until, sink);
    }
  }

  /**
   * Stops recording and delivers everything left. Losses that no page reported follow last, so that
   * their sum is what the kernel has counted.
   */
  @Override
  public void finish(KernelSink sink) throws IOException {
    reading.lock();
    try {
      if (closed) {
        return;
      }
      long cpu = LibC.threadCpuNanos();
      instance.tracing(false);
      long end = clock.getAsLong();
      boolean more = true;
      while (more) {
        more = read(Long.MAX_VALUE, Long.MAX_VALUE);
        deliver(sink);
      }
      for (CpuQueue queue : queues) {
        long untold = instance.lost(queue.cpu()) - merge.lost(queue.cpu());
        if (untold > 0) {
          boolean known = queue.uncountedTo() != 0;
          long from = known ? queue.uncountedFrom() : beganClock;
          merge.lost(queue.cpu(), from, known ? queue.uncountedTo() : end, untold, sink);
        }
      }
      merge.upTo(end, sink);
      rounds++;
      cpuNanos += LibC.threadCpuNanos() - cpu;
    } finally {
      reading.unlock();
    }
  }

  public long lost() {
    return merge.lost();
  }

  /**
   * Events that the kernel knows to have lost so far; after {@link #finish} it equals {@link
   * #lost}.
   */
  public long kernelLost() throws IOException {
    long lost = 0;
    for (CpuQueue queue : queues) {
      lost += instance.lost(queue.cpu());
    }
    return lost;
  }

  /** What was done so far; while a round runs, the numbers are of different moments. */
  public KernelStatistics statistics() {
    return new KernelStatistics(
        merge.events(),
        merge.lost(),
        merge.late(),
        merge.unknown(),
        queues.stream().mapToLong(CpuQueue::malformed).sum(),
        readers.stream().mapToLong(CpuReader::pages).sum(),
        rounds,
        cpuNanos);
  }

  /**
   * Stops tracing and removes the instance; events that were not delivered are gone. It may be
   * called at any time, also when the virtual machine ends, and waits for a running round.
   *
   * @throws KernelException if the instance cannot be removed; tracing is off then
   */
  @Override
  public void close() throws KernelException {
    boolean interrupted = Thread.interrupted(); // would prevent waiting
    boolean mine;
    try {
      mine = reading.tryLock(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
      mine = reading.tryLock();
    }
    // Without the lock a round is still reading: its files stay open, only the instance is stopped.
    try {
      closed = true;
      if (mine) {
        closeFiles();
      }
      instance.close();
    } finally {
      if (mine) {
        reading.unlock();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void closeFiles() {
    readers.forEach(CpuReader::close);
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
