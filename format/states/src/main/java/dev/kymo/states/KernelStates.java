package dev.kymo.states;

import dev.kymo.format.Definition;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.SchedulerState;
import dev.kymo.writer.DefinitionFile;
import dev.kymo.writer.TrackStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Computes from kernel events, in the order of their times, the state of each recorded thread and
 * what each processor does. Used by one thread.
 */
public final class KernelStates implements AutoCloseable {
  /** The kernel's flags for an event that happens in an interrupt, not for the running thread. */
  private static final int IN_INTERRUPT = 0x08 | 0x10 | 0x40;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int FLAGS_OFFSET = 2;
  private static final int TID_OFFSET = 4;
  private static final long PREEMPTED = 0x100;
  private static final long UNINTERRUPTIBLE = 2;
  private static final long STOPPED = 4 | 8;
  private static final long DEAD = 16 | 32;

  /** The state of a thread that has ended, before Linux 4.14; a later kernel's thread is parked. */
  private static final long DEAD_BEFORE = 64;

  private static final long CLONE_THREAD = 0x10000;
  private static final int LONGEST_NAME = 15;

  private final Tasks tasks;
  private final Labels labels;
  private final DefinitionFile definitions;
  private final ThreadStates threads;
  private final Processor[] processors;
  private KnownEvent[] events = {};
  private final List<@Nullable InterruptLabels> interrupts = new ArrayList<>();
  private final Methods methods;
  private int muted;

  /** Whether the trace has the first and more exact of two kinds that say the same. */
  private boolean hasWaking;

  private boolean hasNewTask;
  private boolean hasRename;

  /** Methods that stand for states without further facts. */
  private record Methods(
      int woken,
      int preempted,
      int created,
      int blocked,
      int inputOutput,
      int fault,
      int stopped,
      int faultItself,
      int handed,
      int other) {
    static Methods of(Labels labels) throws IOException {
      return new Methods(
          labels.of(SchedulerState.RUNNABLE, "woken"),
          labels.of(SchedulerState.RUNNABLE, "preempted"),
          labels.of(SchedulerState.RUNNABLE, "new"),
          labels.of(SchedulerState.BLOCKED, ""),
          labels.of(SchedulerState.BLOCKED, "I/O"),
          labels.of(SchedulerState.BLOCKED, "page fault"),
          labels.of(SchedulerState.BLOCKED, "stopped"),
          labels.of(SchedulerState.FAULT, "page fault"),
          labels.of(SchedulerState.HANDED, "CPU"),
          labels.of(Labels.THREAD, "other"));
    }
  }

  /** Where a recording keeps the states, and what they are to be. */
  public record Place(Path directory, UUID uuid, int process, int processors) {}

  /**
   * Knows no states yet.
   *
   * @param all whether all threads of the machine are recorded
   * @param definitions of the process that stands for the kernel
   */
  public KernelStates(Place place, boolean all, DefinitionFile definitions, long clock)
      throws IOException {
    this.tasks = new Tasks(all);
    this.definitions = definitions;
    this.labels = new Labels(definitions);
    labels.clock(clock);
    this.threads =
        new ThreadStates(
            new TrackStream(place.directory, place.uuid, place.process, 0, definitions),
            definitions,
            place.processors);
    this.processors = new Processor[place.processors];
    for (int cpu = 0; cpu < place.processors; cpu++) {
      int track = cpu + 1;
      definitions.define(
          clock,
          new Definition.TracedThread(track, Definition.TracedThread.CPU, 0, cpu, "CPU " + cpu));
      int running = labels.of(SchedulerState.RUNNING, "CPU " + cpu);
      processors[cpu] =
          new Processor(
              track,
              running,
              () -> new TrackStream(place.directory, place.uuid, place.process, track, definitions),
              threads);
    }
    this.methods = Methods.of(labels);
  }

  /** Defines the kind of events with the next number. */
  public void format(KernelEventFormat format) throws IOException {
    KnownEvent event = new KnownEvent(format, labels);
    events = Arrays.copyOf(events, events.length + 1);
    events[events.length - 1] = event;
    boolean interrupt =
        event.kind() == KnownEvent.Kind.INTERRUPT_ENTER
            || event.kind() == KnownEvent.Kind.INTERRUPT_EXIT;
    hasWaking |= event.kind() == KnownEvent.Kind.WAKING;
    hasNewTask |= event.kind() == KnownEvent.Kind.NEW_TASK;
    hasRename |= event.kind() == KnownEvent.Kind.RENAME;
    interrupts.add(interrupt ? new InterruptLabels(event, labels) : null);
  }

  /**
   * Takes the process of a thread as not known, unless something says it. Without this, a thread of
   * which nothing is said is a process of its own.
   */
  public void withoutProcesses() {
    tasks.withoutProcesses();
  }

  /** Excludes the recording process: only the times when it runs are recorded. */
  public void mute(int pid) {
    muted = pid;
  }

  /** Has this process recorded, and those that it makes. */
  public void root(int pid) {
    tasks.root(pid);
  }

  /**
   * Takes an existing thread that is to be recorded.
   *
   * @param waiting whether it waits
   */
  public void present(int tid, int pid, String name, boolean waiting, long clock)
      throws IOException {
    labels.clock(clock);
    Task task = tasks.add(tid, pid, name);
    if (waiting) {
      threads.change(task, Task.State.BLOCKED, methods.blocked, clock, 0);
    }
  }

  /**
   * Takes the next event.
   *
   * @return whether it is to be recorded: it is of a recorded thread, or of a processor
   */
  public boolean event(int cpu, long clock, int kind, byte[] bytes, int at, int size)
      throws IOException {
    if (cpu >= processors.length || size < KernelEventFormat.COMMON_SIZE) {
      return false;
    }
    KnownEvent event = events[kind];
    KnownEvent.Kind what = event.kind(size);
    Task task = tasks.find(tid(bytes, at));
    if (task != null && what != KnownEvent.Kind.SWITCH) {
      task.faulted = what == KnownEvent.Kind.FAULT;
    }
    labels.clock(clock);
    return switch (what) {
      case SWITCH -> switched(processors[cpu], event, clock, bytes, at, size);
      case WAKING -> waking(processors[cpu], event, task, clock, bytes, at, size);
      case WAKEUP ->
          hasWaking
              ? isAudible(task)
              : waking(processors[cpu], event, task, clock, bytes, at, size);
      case NEW_TASK -> newTask(event, task, clock, bytes, at, size);
      case FORK -> hasNewTask ? isAudible(task) : newTask(event, null, clock, bytes, at, size);
      case RENAME -> renamed(event, task, clock, bytes, at, size);
      case EXEC -> executed(event, task, clock, bytes, at, size);
      case EXIT -> exits(task, clock) && isAudible(task);
      case FREE -> freed(event, clock, bytes, at);
      case SYSCALL_ENTER -> inSyscall(task, event.label()) && isAudible(task);
      case SYSCALL_EXIT -> inSyscall(task, 0) && isAudible(task);
      case FAULT -> fault(task, clock) && isAudible(task);
      case INTERRUPT_ENTER -> interrupt(processors[cpu], kind, clock, bytes, at, size);
      case INTERRUPT_EXIT -> interruptEnds(processors[cpu], kind, clock);
      case OTHER -> isAudible(task) || event.ofProcessor;
    };
  }

  private boolean isAudible(@Nullable Task task) {
    return task != null && task.pid != muted;
  }

  private static int tid(byte[] bytes, int at) {
    return (int) INT.get(bytes, at + TID_OFFSET);
  }

  private boolean switched(
      Processor cpu, KnownEvent event, long clock, byte[] bytes, int at, int size)
      throws IOException {
    int nextTid = event.tid(2, bytes, at);
    Task before = tasks.find(event.tid(0, bytes, at));
    Task next = tasks.find(nextTid, event, 3, bytes, at, size);
    boolean handed = next != null && before != null && cpu.wokeLast(next);
    cpu.run(next, next != null ? label(next) : nextTid == 0 ? 0 : methods.other, clock);
    if (before != null) {
      goOff(before, event.number(1, bytes, at), clock);
    }
    if (next != null) {
      boolean waited = next.state == Task.State.RUNNABLE;
      int other = waited && before != null && before != next ? before.track : 0;
      threads.change(next, Task.State.RUNNING, cpu.running, clock, other);
      next.faulted = false;
      if (handed && before != null) {
        threads.enter(next, clock, methods.handed);
        threads.leave(next, clock, methods.handed, before.track);
      }
    }
    return before != null || next != null;
  }

  private int label(Task task) throws IOException {
    if (task.label == 0) {
      task.label = labels.of(Labels.THREAD, task.name + " " + task.tid);
    }
    return task.label;
  }

  private void goOff(Task task, long state, long clock) throws IOException {
    if ((state & DEAD) != 0 || (task.exiting && (state & DEAD_BEFORE) != 0)) {
      threads.forget(task, clock);
    } else if ((state & (PREEMPTED - 1)) == 0) {
      threads.change(task, Task.State.RUNNABLE, methods.preempted, clock, 0);
    } else {
      threads.change(task, Task.State.BLOCKED, blocked(task, state), clock, 0);
    }
  }

  private int blocked(Task task, long state) {
    boolean deep = (state & UNINTERRUPTIBLE) != 0;
    if ((state & STOPPED) != 0) {
      return methods.stopped;
    }
    if (deep && task.faulted) {
      return methods.fault;
    }
    return task.syscall != 0 ? task.syscall : deep ? methods.inputOutput : methods.blocked;
  }

  private boolean waking(
      Processor cpu,
      KnownEvent event,
      @Nullable Task waker,
      long clock,
      byte[] bytes,
      int at,
      int size)
      throws IOException {
    if (event.has(2) && event.number(2, bytes, at) == 0) { // an old kernel's: it was awake
      return isAudible(waker);
    }
    Task task = tasks.find(event.tid(0, bytes, at), event, 1, bytes, at, size);
    if (task == null) {
      return waker != null;
    }
    Task by = (bytes[at + FLAGS_OFFSET] & IN_INTERRUPT) == 0 ? waker : null;
    if (task.state == Task.State.BLOCKED || task.state == Task.State.UNKNOWN) {
      int other = by == null || by == task ? 0 : threads.track(by, clock);
      threads.change(task, Task.State.RUNNABLE, methods.woken, clock, other);
      if (by != null) {
        cpu.woke(task);
      }
    }
    return true;
  }

  private boolean newTask(
      KnownEvent event, @Nullable Task creator, long clock, byte[] bytes, int at, int size)
      throws IOException {
    int tid = event.tid(0, bytes, at);
    if (!tasks.wants(tid, tid(bytes, at))) {
      return false;
    }
    Task before = tasks.find(tid);
    if (before != null) { // its end was not seen
      threads.forget(before, clock);
    }
    boolean thread = creator != null && (event.number(2, bytes, at) & CLONE_THREAD) != 0;
    boolean said = event.kind() == KnownEvent.Kind.NEW_TASK; // a fork does not say what it made
    int alone = said ? tid : tasks.itself(tid);
    int pid = thread && creator != null ? creator.pid : alone;
    Task task = tasks.add(tid, pid, event.text(1, bytes, at, size));
    threads.change(task, Task.State.RUNNABLE, methods.created, clock, 0);
    return true;
  }

  private boolean renamed(
      KnownEvent event, @Nullable Task by, long clock, byte[] bytes, int at, int size)
      throws IOException {
    Task task = tasks.find(event.tid(0, bytes, at));
    if (task != null) {
      rename(task, event.text(1, bytes, at, size), clock);
    }
    return task != null || by != null;
  }

  private void rename(Task task, String name, long clock) throws IOException {
    task.name = name;
    task.label = 0;
    if (task.track != 0) {
      threads.define(task, clock);
    }
  }

  /** A thread that is not its process's first thread takes the first thread's number. */
  private boolean executed(
      KnownEvent event, @Nullable Task known, long clock, byte[] bytes, int at, int size)
      throws IOException {
    int tid = event.tid(0, bytes, at);
    int before = event.has(1) ? event.tid(1, bytes, at) : tid;
    Task old = tasks.find(before);
    if (tid != before && old != null) {
      tasks.remove(before);
      tasks.add(tid, old.pid, old.name);
    }
    Task now = tasks.find(tid);
    if (now != null && !hasRename && event.has(2)) {
      rename(now, nameOf(event.text(2, bytes, at, size)), clock);
    }
    return known != null || old != null;
  }

  /** The name that the kernel gives a thread that executes a file. */
  private static String nameOf(String file) {
    String name = file.substring(file.lastIndexOf('/') + 1);
    return name.substring(0, Math.min(LONGEST_NAME, name.length()));
  }

  /** A thread begins to end: it runs, whatever was known of it, and may still block. */
  private boolean exits(@Nullable Task task, long clock) throws IOException {
    if (task == null) {
      return false;
    }
    if (task.state != Task.State.RUNNING) {
      threads.forget(task, clock);
    }
    task.exiting = true;
    return true;
  }

  private boolean freed(KnownEvent event, long clock, byte[] bytes, int at) throws IOException {
    int tid = event.tid(0, bytes, at);
    Task task = tasks.find(tid);
    if (task == null) {
      return false;
    }
    threads.forget(task, clock);
    tasks.remove(tid);
    return true;
  }

  private static boolean inSyscall(@Nullable Task task, int method) {
    if (task == null) {
      return false;
    }
    task.syscall = method;
    return true;
  }

  private boolean fault(@Nullable Task task, long clock) throws IOException {
    if (task == null) {
      return false;
    }
    if (task.state == Task.State.RUNNING) {
      threads.enter(task, clock, methods.faultItself);
      threads.leave(task, clock, methods.faultItself, 0);
    }
    return true;
  }

  private boolean interrupt(Processor cpu, int kind, long clock, byte[] bytes, int at, int size)
      throws IOException {
    InterruptLabels known = interrupts.get(kind);
    if (known != null) {
      int key = known.look(bytes, at, size);
      cpu.interrupt(known.stem(), known.onProcessor(key), known.onThread(key), clock);
    }
    return true;
  }

  private boolean interruptEnds(Processor cpu, int kind, long clock) throws IOException {
    InterruptLabels known = interrupts.get(kind);
    if (known != null) {
      cpu.interruptEnds(known.stem(), clock);
    }
    return true;
  }

  /** Process of a thread, if it is known; otherwise the number itself. */
  public int process(int tid) {
    Task task = tasks.find(tid);
    return task == null ? tid : task.pid;
  }

  /** Events are missing: whatever they may have changed is no longer known. */
  public void lost(int cpu, long clock, long count) throws IOException {
    forget(clock);
    if (cpu < processors.length) {
      processors[cpu].lose(count);
    }
  }

  /** From here on nothing is known of any thread or processor. */
  public void forget(long clock) throws IOException {
    for (Processor processor : processors) {
      processor.forget(clock);
    }
    List<Task> known = new ArrayList<>();
    tasks.forEach(known::add);
    for (Task task : known) {
      threads.forget(task, clock);
    }
  }

  public void flush() throws IOException {
    definitions.flush();
    threads.flush();
    for (Processor processor : processors) {
      processor.flush();
    }
  }

  /** Bytes in the files. */
  public long written() {
    long bytes = threads.written();
    for (Processor processor : processors) {
      bytes += processor.written();
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    threads.close();
    for (Processor processor : processors) {
      processor.close();
    }
  }
}
