package dev.kymo.testkit;

import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.MetadataText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Writes a recording for a test: definitions and streams as Kymo writes them, and whatever losses
 * and oddities a test asks for.
 *
 * <pre>{@code
 * RecordingBuilder recording = new RecordingBuilder();
 * recording.process(1).thread(1, 1, "main").method(1, 7, "a.B", "run");
 * recording.ring(1, 0, 1).enter(100, 7).leave(200, 7);
 * Path path = recording.write(directory);
 * }</pre>
 */
public final class RecordingBuilder {
  public static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

  private final Map<String, StreamWriter> streams = new LinkedHashMap<>();
  private final List<KernelEventFormat> kernelEvents = new ArrayList<>();
  private Clock clock = new Clock(Clock.MONOTONIC, 1_000_000_000L, 1_700_000_000_000_000_000L);
  private int packetSize = 64 << 10;
  private long definitionClock;

  /** Default: nanoseconds. */
  public RecordingBuilder clock(Clock other) {
    clock = other;
    return this;
  }

  /** Bytes of a packet at most; for streams made afterwards. */
  public RecordingBuilder packetSize(int bytes) {
    packetSize = bytes;
    return this;
  }

  /** Clock of the definitions that follow. */
  public RecordingBuilder at(long clockOfDefinitions) {
    definitionClock = clockOfDefinitions;
    return this;
  }

  /** Defines the recording and the process. */
  public RecordingBuilder process(int process) {
    if (!streams.containsKey("p0-definitions")) {
      define(0, new Definition.Recording("0.1", "java App", "host", "6.18", "a cpu", 2, "discard"));
    }
    return define(
        process,
        new Definition.TracedProcess(process, 1000 + process, 1, "java App", "OpenJDK 25"));
  }

  /** Defines a platform thread. */
  public RecordingBuilder thread(int process, int thread, String name) {
    int kind = Definition.TracedThread.PLATFORM;
    return define(
        process, new Definition.TracedThread(thread, kind, 10 + thread, 2000 + thread, name));
  }

  /** Defines a virtual thread. */
  public RecordingBuilder virtualThread(int process, int thread, String name) {
    int kind = Definition.TracedThread.VIRTUAL;
    return define(process, new Definition.TracedThread(thread, kind, 10 + thread, 0, name));
  }

  /** Defines what a thread waited for: the states of {@code of}, with that one's ids. */
  public RecordingBuilder states(int process, int thread, int of, String name) {
    int kind = Definition.TracedThread.STATES;
    return define(process, new Definition.TracedThread(thread, kind, 10 + of, 2000 + of, name));
  }

  /** Defines something that the virtual machine does. */
  public RecordingBuilder jvm(int process, int thread, String name) {
    int kind = Definition.TracedThread.JVM;
    return define(process, new Definition.TracedThread(thread, kind, 0, 0, name));
  }

  /** A method is recorded in another way from the clock of definitions on. */
  public RecordingBuilder step(int process, int method, int mode, int before, String reason) {
    return define(process, new Definition.MethodMode(method, mode, before, reason));
  }

  /** What probes cost, picoseconds; the budget in millionths. */
  public RecordingBuilder probeCost(int process, int budget, int inside, int outside, int spread) {
    return define(
        process,
        new Definition.ProbeCost(process, budget, inside, outside, 2 * inside, inside / 4, spread));
  }

  /** Defines a method and a class of its own for it. */
  public RecordingBuilder method(int process, int method, String type, String name) {
    define(process, new Definition.Type(method, type, "app", "App.java"));
    return define(process, new Definition.Method(method, method, 12, 1, name, "()V"));
  }

  /** Defines a stack of samples: a method called from another stack, 0 = the outermost. */
  public RecordingBuilder stack(int process, int stack, int caller, int method) {
    return define(process, new Definition.Stack(stack, caller, method));
  }

  /** Adds any definition to the stream of a process. */
  public RecordingBuilder define(int process, Definition definition) {
    streams
        .computeIfAbsent(
            "p" + process + "-definitions", n -> StreamWriter.definitions(ID, process, packetSize))
        .define(definitionClock, definition);
    return this;
  }

  /** Adds a definition to the stream of what is known better of a process's native functions. */
  public RecordingBuilder names(int process, Definition definition) {
    streams
        .computeIfAbsent("p" + process + "-names", n -> StreamWriter.names(ID, process, packetSize))
        .define(definitionClock, definition);
    return this;
  }

  /** The definitions that follow stand in a packet of their own. */
  public RecordingBuilder closeDefinitions(int process) {
    StreamWriter stream = streams.get("p" + process + "-definitions");
    if (stream != null) {
      stream.close();
    }
    return this;
  }

  /** The process has ended by itself; written last. */
  public RecordingBuilder end(int process, long lost) {
    return define(0, new Definition.ProcessEnd(process, Definition.ProcessEnd.ENDED, lost));
  }

  /** A thread stream; the same for the same numbers. */
  public StreamWriter ring(int process, int ring, int thread) {
    return streams.computeIfAbsent(
        "p" + process + "-ring-" + ring,
        n -> StreamWriter.threads(ID, process, ring, thread, packetSize));
  }

  /** A kind of kernel events; the number is that of the next one. */
  public KernelEventFormat kernelEvent(int process, String subsystem, String format) {
    KernelEventFormat parsed = KernelEventFormat.parse(subsystem, format);
    define(process, new Definition.KernelEvent(kernelEvents.size(), subsystem, parsed.text()));
    kernelEvents.add(parsed);
    return parsed;
  }

  /** The stream of a processor's kernel events. */
  public StreamWriter cpu(int process, int cpu) {
    return streams.computeIfAbsent(
        "kernel-cpu-" + cpu, n -> StreamWriter.kernel(ID, process, cpu, packetSize));
  }

  /** The stream of counts of a process. */
  public StreamWriter counts(int process) {
    return streams.computeIfAbsent(
        "p" + process + "-counts", n -> StreamWriter.counts(ID, process, packetSize));
  }

  /** Lists the streams, as a recording that is complete does; at the end. */
  public RecordingBuilder listed() {
    for (Map.Entry<String, StreamWriter> stream : List.copyOf(streams.entrySet())) {
      if (!stream.getKey().equals("p0-definitions")) {
        define(0, new Definition.Stream(stream.getKey(), stream.getValue().bytes().length));
      }
    }
    return this;
  }

  /** Writes everything into a directory, which is made if it is not there. */
  public Path write(Path directory) {
    try {
      Files.createDirectories(directory);
      Files.writeString(
          directory.resolve("metadata"),
          MetadataText.of(ID, clock, kernelEvents),
          StandardCharsets.UTF_8);
      for (Map.Entry<String, StreamWriter> stream : streams.entrySet()) {
        Files.write(directory.resolve(stream.getKey()), stream.getValue().bytes());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return directory;
  }
}
