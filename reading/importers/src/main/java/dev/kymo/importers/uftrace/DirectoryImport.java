package dev.kymo.importers.uftrace;

import dev.kymo.format.EventKind;
import dev.kymo.format.FieldType;
import dev.kymo.importers.linux.Switches;
import dev.kymo.importers.target.Fields;
import dev.kymo.importers.target.ImportProgress;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetTrack;
import dev.kymo.importers.uftrace.data.InfoFile;
import dev.kymo.importers.uftrace.data.PerfRecords;
import dev.kymo.importers.uftrace.data.TaskFile;
import dev.kymo.importers.uftrace.data.TaskRecords;
import dev.kymo.importers.uftrace.data.UftraceEventNames;
import dev.kymo.importers.uftrace.data.UftraceFunctions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes all files of a directory into a recording. */
final class DirectoryImport {
  private static final String LINUX = "linux";
  private static final int PROGRESS_EVERY = 10_000;

  private final Path directory;
  private final InfoFile info;
  private final DataFiles files;
  private final Target target;
  private final ImportProgress progress;
  private final TaskFile taskFile;
  private final Tasks tasks;
  private final Map<Integer, String> names = new HashMap<>();
  private @Nullable Switches switches;
  private long done;

  DirectoryImport(
      Path directory, InfoFile info, DataFiles files, Target target, ImportProgress progress)
      throws IOException {
    this.directory = directory;
    this.info = info;
    this.files = files;
    this.target = target;
    this.progress = progress;
    this.taskFile = TaskFile.read(directory.resolve("task.txt"));
    this.tasks = new Tasks(target, taskFile);
  }

  void run() throws IOException {
    notices();
    UftraceFunctions functions = new UftraceFunctions(directory, info, taskFile);
    UftraceEventNames events = UftraceEventNames.read(directory.resolve("events.txt"));
    for (Map.Entry<Integer, Path> task : files.tasks().entrySet()) {
      task(task.getKey(), task.getValue(), functions, events);
    }
    for (Map.Entry<Integer, Path> processor : files.perf().entrySet()) {
      processor(processor.getKey(), processor.getValue());
    }
  }

  private void notices() throws IOException {
    for (String key : new String[] {"exename", "cmdline", "record_date", "uftrace_version"}) {
      String said = target.redaction().of(info.get(key));
      if (!said.isEmpty()) {
        target.notice("the file says: " + key + "=" + said);
      }
    }
    if (files.kernel() > 0) {
      target.notice("the kernel's functions were left out: bytes=" + files.kernel());
    }
    if (files.external() > 0) {
      target.notice("external data was left out: bytes=" + files.external());
    }
    if (taskFile.strange() > 0) {
      target.notice("lines of task.txt were not understood: count=" + taskFile.strange());
    }
  }

  private void task(int tid, Path file, UftraceFunctions functions, UftraceEventNames events)
      throws IOException {
    int pid = taskFile.process(tid);
    String name = String.valueOf(file.getFileName());
    TaskImport task = new TaskImport(target, tasks.thread(tid), pid, functions, events, name);
    try (TaskRecords records = new TaskRecords(file, info.order())) {
      boolean follows = true;
      int count = 0;
      while (follows && records.advance()) {
        follows = task.put(records);
        if (++count % PROGRESS_EVERY == 0) {
          progress.at(done + records.offset(), files.bytes());
        }
      }
      if (!follows || !records.isWhole()) {
        damaged(name, records.offset());
      }
      done += records.offset();
      progress.at(done, files.bytes());
    }
  }

  private void damaged(String file, long offset) {
    target
        .troubles()
        .count(
            "files are damaged or cut; what follows in them was left out",
            "file=" + file + " offset=" + offset);
  }

  private void processor(int cpu, Path file) throws IOException {
    try (PerfRecords records = new PerfRecords(file, info.order())) {
      while (records.advance()) {
        if (records.type() == PerfRecords.Type.LOST) {
          switches().lose(cpu, records.time(), records.lost());
        } else if (records.type() == PerfRecords.Type.OTHER) {
          target
              .troubles()
              .count("records of unknown types were left out", "offset=" + records.offset());
        } else if (files.tasks().containsKey(records.tid())) {
          put(cpu, records);
        } else {
          target
              .troubles()
              .count(
                  "events of tasks that were not recorded were left out", "tid=" + records.tid());
        }
      }
      if (!records.isWhole()) {
        damaged(String.valueOf(file.getFileName()), records.offset());
      }
      done += records.offset();
      progress.at(done, files.bytes());
    }
  }

  private void put(int cpu, PerfRecords records) throws IOException {
    int tid = records.tid();
    long time = records.time();
    TargetTrack track = tasks.thread(tid);
    String name = names.computeIfAbsent(tid, tasks::name);
    switch (records.type()) {
      case IN -> {
        target.tally().count("sched-in", "states of threads");
        present(tid).in(cpu, time, tid, name);
      }
      case OUT, PREEMPTED -> {
        boolean waits = records.type() == PerfRecords.Type.OUT;
        target.tally().count(waits ? "sched-out" : "sched-out (pre-empted)", "states of threads");
        present(tid).out(cpu, time, tid, name, waits);
      }
      case NAME -> {
        names.put(tid, records.name());
        tasks.name(tid, records.name());
        event(track, time, "task-name", FieldType.STR, "name", records.name());
      }
      case NEW -> event(track, time, "task-new", FieldType.U32, "parent", records.parent());
      case EXIT -> event(track, time, "task-exit", FieldType.U32, "pid", records.pid());
      case LOST, OTHER -> throw new IllegalStateException("has no task");
    }
  }

  private Switches present(int tid) throws IOException {
    Switches all = switches();
    all.present(tid, taskFile.process(tid), names.computeIfAbsent(tid, tasks::name));
    return all;
  }

  private void event(
      TargetTrack track, long time, String name, FieldType type, String field, Object value)
      throws IOException {
    target.tally().count(name, "events of their own");
    track.event(
        time,
        track.process().event(LINUX, name, EventKind.INSTANT, List.of(Fields.of(type, field))),
        value);
  }

  private Switches switches() throws IOException {
    Switches known = switches;
    if (known == null) {
      int processors = files.perf().isEmpty() ? 1 : files.perf().lastKey() + 1;
      String kernel = info.get("osinfo.kernel");
      known = new Switches(target, kernel.isEmpty() ? "Linux" : kernel, processors, files.first());
      switches = known;
    }
    return known;
  }
}
