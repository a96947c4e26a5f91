package dev.kymo.importers.ctf;

import dev.kymo.importers.ctf.stream.CtfStream;
import dev.kymo.importers.ctf.stream.CtfTrace;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetProcess;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Processes and tracks of events that are no kernel's. */
final class Processes {
  private final Target target;
  private final Map<Long, Known> byPid = new HashMap<>();
  private final Map<CtfTrace, Known> byTrace = new HashMap<>();

  /** A process, and what is known of it. */
  static final class Known {
    final TargetProcess process;
    final CodeMap code;
    private final int pid;
    private final Map<Long, Row> threads = new HashMap<>();
    private final Map<Object, Row> others = new HashMap<>();
    private String name;

    Known(TargetProcess process, int pid, String name) {
      this.process = process;
      this.code = new CodeMap(process);
      this.pid = pid;
      this.name = name;
    }

    /** The file said what the process is called. */
    void named(String text) throws IOException {
      if (!text.isEmpty() && !text.equals(name)) {
        name = text;
        process.is(pid, 0, text, "native");
      }
    }

    boolean isNamed() {
      return !name.isEmpty();
    }

    Row thread(long tid, String procname) throws IOException {
      Row row = threads.get(tid);
      if (row == null) {
        String text = procname.isEmpty() ? "thread " + tid : procname;
        row = new Row(this, process.thread((int) tid, text), (int) tid, text);
        threads.put(tid, row);
      }
      return row;
    }

    Row other(Object key, String text) throws IOException {
      Row row = others.get(key);
      if (row == null) {
        row = new Row(this, process.track(text), 0, text);
        others.put(key, row);
      }
      return row;
    }
  }

  /** A track, and how it is called. */
  static final class Row {
    final Known of;
    final TargetTrack track;
    private final int tid;
    private String name;

    Row(Known of, TargetTrack track, int tid, String name) {
      this.of = of;
      this.track = track;
      this.tid = tid;
      this.name = name;
    }

    void named(String text) throws IOException {
      if (!text.isEmpty() && !text.equals(name)) {
        name = text;
        of.process.rename(track, tid, text);
      }
    }
  }

  Processes(Target target) {
    this.target = target;
  }

  Known of(long pid) throws IOException {
    Known known = byPid.get(pid);
    if (known == null) {
      known = new Known(target.process((int) pid, 0, "", "native"), (int) pid, "");
      byPid.put(pid, known);
    }
    return known;
  }

  /** What stands for the process of a stream whose events do not name one. */
  Known of(CtfStream in) throws IOException {
    CtfTrace trace = in.trace();
    Known known = byTrace.get(trace);
    if (known == null) {
      int pid = Environment.number(trace, "vpid");
      String name = trace.classes().environment("procname");
      if (pid != 0) {
        known = of(pid);
        known.named(name);
      } else {
        String text = name.isEmpty() ? String.valueOf(trace.directory().getFileName()) : name;
        known = new Known(target.process(0, 0, text, ""), 0, text);
      }
      byTrace.put(trace, known);
    }
    return known;
  }

  Row row(CtfStream in, @Nullable Long cpu) throws IOException {
    Known process = of(in);
    if (cpu != null) {
      return process.other(cpu, "CPU " + cpu);
    }
    return process.other(in.number() + " ", String.valueOf(in.path().getFileName()));
  }
}
