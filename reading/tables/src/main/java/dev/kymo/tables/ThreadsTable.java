package dev.kymo.tables;

import dev.kymo.analysis.cause.CauseSplit;
import dev.kymo.analysis.cause.ThreadTimes;
import dev.kymo.analysis.cause.ThreadUse;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.RecordedStates;
import dev.kymo.model.definitions.TracedProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What the time of each thread went to. */
public final class ThreadsTable {
  /** A longer command is cut for people. */
  private static final int COMMAND = 40;

  /** By the kernel's number of the process. */
  private final Map<Long, String> commands = new HashMap<>();

  private ThreadsTable(List<TracedProcess> processes) {
    for (TracedProcess process : processes) {
      commands.put((long) process.pid(), process.command());
    }
  }

  /**
   * The table of threads that the kernel reports on.
   *
   * @param recorded what is known of threads beyond that they ran
   */
  public static Table<ThreadTimes> of(List<TracedProcess> processes, RecordedStates recorded) {
    return new ThreadsTable(processes).table(recorded);
  }

  /** The table of all threads, with what they waited for as the program reports it. */
  public static Table<ThreadUse> ofUses(RecordedStates recorded) {
    List<Column<ThreadUse>> columns = new ArrayList<>();
    columns.add(wall(ThreadUse::split));
    parts(ThreadUse::split, recorded)
        .forEach(part -> columns.add(part.where(ThreadUse::scheduled, "")));
    columns.add(
        Column.nanos("waited", "waited", "as the program reports it", ThreadUse::waited)
            .atLeast(ThreadUse::atLeast));
    return new Table<>(
        "threads", "what the time of each thread went to", columns, columns, List.of());
  }

  private Table<ThreadTimes> table(RecordedStates recorded) {
    Column<ThreadTimes> tid =
        Column.number(
            "tid",
            "tid",
            "the kernel's number of the thread",
            row -> (long) row.thread().definition().tid());
    Column<ThreadTimes> pid =
        Column.number("pid", "pid", "the kernel's number of the process", ThreadsTable::pid);
    Column<ThreadTimes> wall = wall(ThreadTimes::split);
    List<Column<ThreadTimes>> parts = parts(ThreadTimes::split, recorded);
    List<Column<ThreadTimes>> rest =
        List.of(
            Column.<ThreadTimes>count(
                    "faults", "faults", "page faults", row -> row.split().faults())
                .where(row -> recorded.faults(), Column.UNKNOWN),
            Column.count("wake_ups", "wake-ups", "waits that ended", ThreadTimes::wakeUps));
    List<Column<ThreadTimes>> columns = new ArrayList<>();
    columns.add(Column.text("thread_name", "thread", "its name", ThreadTimes::name));
    columns.addAll(List.of(tid, pid));
    columns.add(Column.text("command", "command", "of its process", this::command));
    columns.add(ofOwner("java_process", ThreadCalls::process));
    columns.add(ofOwner("java_thread", ThreadCalls::thread));
    columns.add(wall);
    columns.addAll(parts);
    columns.addAll(rest);
    columns.add(Columns.atLeast(ThreadTimes::atLeast));
    List<Column<ThreadTimes>> people = new ArrayList<>(List.of(wall));
    for (Column<ThreadTimes> part : parts) {
      people.addAll(List.of(part, part.shareOf(wall)));
    }
    people.addAll(rest);
    people.addAll(List.of(tid, pid));
    people.add(Column.text("", "thread", "with its command", this::named));
    return new Table<>(
        "threads",
        "what the time of each thread went to, as the kernel reports it",
        columns,
        people,
        List.of(
            new Table.Note<>(
                ThreadTimes::atLeast,
                "events were lost, what happened then is unknown; 'kymo info' says how many")));
  }

  private static <R> Column<R> wall(Function<R, CauseSplit> of) {
    return Column.nanos(
        "wall", "wall", "from its first to its last event", row -> of.apply(row).duration());
  }

  /** What makes up the wall time. */
  private static <R> List<Column<R>> parts(Function<R, CauseSplit> of, RecordedStates recorded) {
    return List.of(
        part("running", "on a processor, not interrupted", of, CauseSplit::running),
        part("interrupted", "its processor did something else", of, CauseSplit::interrupted)
            .where(row -> recorded.interrupts(), Column.UNKNOWN),
        part("runnable", "it wanted a processor and had none", of, CauseSplit::runnable),
        part("blocked", "it waited", of, CauseSplit::blocked),
        part("unknown", "the kernel says nothing of it", of, CauseSplit::unknown));
  }

  private static <R> Column<R> part(
      String id, String meaning, Function<R, CauseSplit> of, ToLongFunction<CauseSplit> time) {
    return Column.nanos(id, id, meaning, row -> time.applyAsLong(of.apply(row)));
  }

  private static long pid(ThreadTimes row) {
    return row.thread().definition().javaId();
  }

  private @Nullable String command(ThreadTimes row) {
    return commands.get(pid(row));
  }

  private static Column<ThreadTimes> ofOwner(String id, ToIntFunction<ThreadCalls> number) {
    return Column.number(
        id,
        id,
        "number that its calls are recorded under",
        row -> row.owner().map(owner -> (long) number.applyAsInt(owner)).orElse(null));
  }

  private String named(ThreadTimes row) {
    String command = commands.getOrDefault(pid(row), "").replaceFirst("^\\S*/", "");
    String shorter = command.length() > COMMAND ? command.substring(0, COMMAND - 1) + "…" : command;
    return row.name() + (shorter.isEmpty() ? "" : ", " + shorter);
  }
}
