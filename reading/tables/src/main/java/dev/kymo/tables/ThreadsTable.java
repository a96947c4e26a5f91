package dev.kymo.tables;

import dev.kymo.analysis.cause.ThreadTimes;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.RecordedStates;
import dev.kymo.model.definitions.TracedProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** How long each thread ran, wanted to run, and waited, as the kernel reports it. */
public final class ThreadsTable {
  /** A longer command is cut for people. */
  private static final int COMMAND = 40;

  /** By the kernel's number of the process. */
  private final Map<Long, String> commands = new HashMap<>();

  private ThreadsTable(RecordedDefinitions definitions) {
    for (TracedProcess process : definitions.processes()) {
      commands.put((long) process.pid(), process.command());
    }
  }

  /**
   * The table.
   *
   * @param recorded what is known of threads beyond that they ran
   */
  public static Table<ThreadTimes> of(RecordedDefinitions definitions, RecordedStates recorded) {
    return new ThreadsTable(definitions).table(recorded);
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
    Column<ThreadTimes> wall =
        Column.nanos("wall", "wall", "from its begin to its end", ThreadTimes::wall);
    Column<ThreadTimes> running =
        Column.nanos("running", "running", "it had a processor", ThreadTimes::running);
    Column<ThreadTimes> runnable =
        Column.nanos("runnable", "runnable", "it wanted a processor", ThreadTimes::runnable);
    Column<ThreadTimes> blocked =
        Column.nanos("blocked", "blocked", "it waited for something", ThreadTimes::blocked);
    Column<ThreadTimes> unknown =
        Column.nanos("unknown", "unknown", "nothing is known", ThreadTimes::unknown);
    List<Column<ThreadTimes>> rest =
        List.of(
            Column.<ThreadTimes>nanos(
                    "interrupted",
                    "interrupted",
                    "of running, its processor did something else",
                    ThreadTimes::interrupted)
                .where(row -> recorded.interrupts(), Column.UNKNOWN),
            Column.<ThreadTimes>count("faults", "faults", "page faults", ThreadTimes::faults)
                .where(row -> recorded.faults(), Column.UNKNOWN),
            Column.count("wake_ups", "wake-ups", "waits that ended", ThreadTimes::wakeUps));
    List<Column<ThreadTimes>> columns = new ArrayList<>();
    columns.add(Column.text("thread_name", "thread", "its name", ThreadTimes::name));
    columns.addAll(List.of(tid, pid));
    columns.add(Column.text("command", "command", "of its process", this::command));
    columns.add(ofOwner("java_process", ThreadCalls::process));
    columns.add(ofOwner("java_thread", ThreadCalls::thread));
    columns.addAll(List.of(wall, running, runnable, blocked, unknown));
    columns.addAll(rest);
    columns.add(Columns.atLeast(ThreadTimes::atLeast));
    List<Column<ThreadTimes>> people = new ArrayList<>(List.of(wall));
    for (Column<ThreadTimes> part : List.of(running, runnable, blocked, unknown)) {
      people.addAll(List.of(part, Column.share("", "of wall", number(part), ThreadTimes::wall)));
    }
    people.addAll(rest);
    people.addAll(List.of(tid, pid));
    people.add(Column.text("", "thread", "with its command", this::named));
    return new Table<>(
        "threads",
        "how long each thread ran and waited",
        columns,
        people,
        List.of(
            new Table.Note<>(
                ThreadTimes::atLeast,
                "events were lost, what happened then is unknown; 'kymo info' says how many")));
  }

  private static long pid(ThreadTimes row) {
    return row.thread().definition().javaId();
  }

  private @Nullable String command(ThreadTimes row) {
    return commands.get(pid(row));
  }

  private static ToLongFunction<ThreadTimes> number(Column<ThreadTimes> column) {
    return row -> column.value().apply(row) instanceof Long number ? number : 0;
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
