package dev.kymo.importers.target;

import dev.kymo.format.Definition;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.states.KernelStates;
import dev.kymo.writer.CpuStream;
import dev.kymo.writer.DefinitionFile;
import dev.kymo.writer.RecordingFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Events of a Linux kernel, each as it is, and the states of threads and processors made of them.
 */
public final class KernelTarget {
  private final Target target;
  private final KernelStates.Place place;
  private final DefinitionFile definitions;
  private final KernelStates states;
  private final List<KernelEventFormat> formats = new ArrayList<>();
  private final CpuStream[] streams;

  /** Events that are missing, by processor: its next event says so. */
  private final long[] missing;

  KernelTarget(
      Target target, RecordingFiles files, int process, String system, int processors, long first)
      throws IOException {
    this.target = target;
    this.place = new KernelStates.Place(files.directory(), files.uuid(), process, processors);
    this.definitions = new DefinitionFile(files.directory(), files.uuid(), process);
    this.streams = new CpuStream[processors];
    this.missing = new long[processors];
    definitions.define(first, new Definition.TracedProcess(process, 0, 0, system, ""));
    this.states = new KernelStates(place, true, definitions, first);
    states.withoutProcesses();
  }

  /** Defines a kind of events; returns its number. */
  public int kind(KernelEventFormat format) throws IOException {
    states.format(format);
    formats.add(format);
    int number = formats.size() - 1;
    definitions.define(
        target.now(), new Definition.KernelEvent(number, format.subsystem(), format.text()));
    return number;
  }

  /**
   * A thread that exists before the first event.
   *
   * @param pid its process, 0 = not known
   * @param waiting whether it waits
   */
  public void present(int tid, int pid, String name, boolean waiting, long clock)
      throws IOException {
    states.present(tid, pid, name, waiting, clock);
  }

  /**
   * Takes an event.
   *
   * @param bytes little-endian, as the kind's format says, from the common fields on
   */
  public void event(int cpu, long clock, int kind, byte[] bytes) throws IOException {
    target.take(
        new Happening(
            clock, Happening.KERNEL, Happening.Kind.DATA, kind, cpu, Happening.OPEN, bytes));
  }

  /** Events of a processor are missing from here on. */
  public void lose(int cpu, long clock, long count) throws IOException {
    target.lose(count);
    target.take(
        new Happening(
            clock,
            Happening.KERNEL,
            Happening.Kind.LOSS,
            cpu,
            count,
            Happening.OPEN,
            Happening.NO_DATA));
  }

  void write(long clock, Happening what) throws IOException {
    if (what.kind() == Happening.Kind.LOSS) {
      states.lost(what.id(), clock, what.value());
      missing[what.id()] += what.value();
      return;
    }
    int cpu = (int) what.value();
    if (missing[cpu] > 0) {
      stream(cpu).lose(missing[cpu]);
      missing[cpu] = 0;
    }
    byte[] bytes = what.data();
    states.event(cpu, clock, what.id(), bytes, 0, bytes.length);
    KernelEventFormat format = formats.get(what.id());
    if (bytes.length < format.fixedSize()) {
      target
          .troubles()
          .count(
              "events are shorter than their format; what is missing is 0",
              "event=%s bytes=%d format=%d".formatted(format, bytes.length, format.fixedSize()));
      bytes = Arrays.copyOf(bytes, format.fixedSize());
    }
    stream(cpu).event(clock, what.id(), format, bytes, 0, bytes.length);
  }

  private CpuStream stream(int cpu) throws IOException {
    CpuStream stream = streams[cpu];
    if (stream == null) {
      stream = CpuStream.in(place.directory(), place.uuid(), place.process(), cpu);
      streams[cpu] = stream;
    }
    return stream;
  }

  /** The kinds of events, by their numbers. */
  List<KernelEventFormat> formats() {
    return formats;
  }

  /** Has the states in the files; events as the kernel has them are read at the end. */
  void flush() throws IOException {
    definitions.flush();
    states.flush();
  }

  void close() throws IOException {
    try (definitions) {
      states.close();
      for (int cpu = 0; cpu < streams.length; cpu++) {
        CpuStream stream = streams[cpu];
        if (stream != null) {
          stream.lose(missing[cpu]);
          stream.close();
        } else if (missing[cpu] > 0) {
          target.notice(
              "all events of a processor are missing: cpu=%d events=%d"
                  .formatted(cpu, missing[cpu]));
        }
      }
    }
  }
}
