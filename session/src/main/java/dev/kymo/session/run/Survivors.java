package dev.kymo.session.run;

import dev.kymo.drain.Owners;
import dev.kymo.drain.SharedMemory;
import dev.kymo.session.StandardError;
import dev.kymo.session.system.JavaVersion;
import dev.kymo.session.system.Signals;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongPredicate;

/**
 * Processes of a recording that still run when its command has ended, such as daemons. The
 * recording continues until the last of them ends, or the user ends it.
 */
final class Survivors {
  private static final long LOOK_MILLIS = 20;

  /** Short-lived leftovers of a command have ended by then. */
  private static final long SAY_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A child of the command may be about to join: by fork, exec, its first event. */
  private static final long EXEC_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long JOIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Path session;
  private final byte[] carried;

  private final Path processes;

  /** What was found out about each process that there is; a process keeps its environment. */
  private final Map<Long, Carrier> seen = new HashMap<>();

  /** Whether a process has the recording in its environment; a child of the command always has. */
  private enum Carrier {
    YES,
    NO,
    /** It is just starting another program, or has no environment, like a kernel thread. */
    UNKNOWN
  }

  private final Owners owners = new Owners(anyone -> false);

  /** Processes that are or were in the recording. */
  private final Set<Long> joined = new HashSet<>();

  /** Those of the recording whose shared memory is in a directory. */
  Survivors(Path session) {
    this(session, Path.of("/proc"));
  }

  /**
   * Those of the recording.
   *
   * @param processes where the system shows its processes
   */
  Survivors(Path session, Path processes) {
    this.session = session;
    this.processes = processes;
    this.carried = ("\0KYMO_SESSION=" + session + "\0").getBytes(StandardCharsets.UTF_8);
  }

  /** Waits until there are none, or a signal ends the waiting. */
  void await() throws InterruptedException {
    await(this::isWorthWaiting, this::recorded);
  }

  /**
   * Waits for processes of a recording whose command has ended.
   *
   * @param worth whether to wait on, after so many nanoseconds
   * @param recorded how many processes there are
   * @return false if a signal ended the waiting
   */
  static boolean await(LongPredicate worth, IntSupplier recorded) throws InterruptedException {
    CountDownLatch enough = new CountDownLatch(1);
    try (Signals signals = Signals.onEnd(enough::countDown)) {
      long begin = System.nanoTime();
      boolean said = false;
      while (worth.test(System.nanoTime() - begin)) {
        if (!said && System.nanoTime() - begin > SAY_AFTER_NANOS) {
          said = true;
          StandardError.say(
              "the command has ended, recording continues with what it has started: processes=%d; it ends with the last one, or by Ctrl-C"
                  .formatted(recorded.getAsInt()));
        }
        if (enough.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isWorthWaiting(long nanos) {
    return recorded() > 0 || (nanos < JOIN_NANOS && mayJoin(nanos < EXEC_NANOS));
  }

  /** How many processes are being recorded and live. */
  private int recorded() {
    int count = 0;
    owners.look();
    for (Path home : SharedMemory.processes(session)) {
      Owners.Owner owner = owners.owner(home);
      if (owner != null) {
        joined.add(owner.pid());
        count += owner.isRunning() ? 1 : 0;
      }
    }
    return count;
  }

  /**
   * Whether a process that has the recording in its environment may still join it.
   *
   * @param any also if it runs a program that is not made for that: it may be about to run another
   */
  boolean mayJoin(boolean any) {
    Set<Long> present = new HashSet<>();
    boolean found = false;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(processes, "[1-9]*")) {
      for (Path process : all) {
        long pid = Long.parseLong(process.getFileName().toString());
        present.add(pid);
        found =
            found
                || (!joined.contains(pid)
                    && carries(pid, process)
                    && (any || isMadeForIt(process)));
      }
    } catch (IOException | NumberFormatException e) {
      // a process that has just ended
    }
    seen.keySet().retainAll(present);
    return found;
  }

  /**
   * Reads the environment only of processes not seen before, because reading all is expensive.
   * them.
   */
  private boolean carries(long pid, Path process) {
    Carrier known = seen.getOrDefault(pid, Carrier.UNKNOWN);
    if (known == Carrier.UNKNOWN) {
      known = read(process);
      seen.put(pid, known);
    }
    return known == Carrier.YES;
  }

  private Carrier read(Path process) {
    try {
      byte[] environment = Files.readAllBytes(process.resolve("environ"));
      String text = "\0" + new String(environment, StandardCharsets.ISO_8859_1);
      return environment.length == 0
          ? Carrier.UNKNOWN
          : text.contains(new String(carried, StandardCharsets.ISO_8859_1))
              ? Carrier.YES
              : Carrier.NO;
    } catch (IOException e) {
      return Carrier.NO; // another user's, or it has ended
    }
  }

  private boolean isMadeForIt(Path process) {
    try {
      Path program = process.resolve("exe").toRealPath();
      return JavaVersion.agentOption(program) != null || NativeProgram.isNative(program);
    } catch (IOException e) {
      return false;
    }
  }
}
