package dev.kymo.exporters.stacks;

import dev.kymo.analysis.samples.SampleWeight;
import dev.kymo.exporters.bytes.BytesOut;
import dev.kymo.exporters.bytes.ProtoOut;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.exporters.source.Facts;
import dev.kymo.model.definitions.TracedMethod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes one profile. Strings, functions and locations follow the samples that need them. */
final class PprofProfile {
  private static final int SAMPLE_TYPE = 1;
  private static final int SAMPLE = 2;
  private static final int LOCATION = 4;
  private static final int FUNCTION = 5;
  private static final int STRING = 6;
  private static final int TIME_NANOS = 9;
  private static final int DURATION_NANOS = 10;
  private static final int COMMENT = 13;
  private static final int DEFAULT_SAMPLE_TYPE = 14;

  private final ExportSource source;
  private final BytesOut out;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> strings = new ArrayList<>();
  private final Frames<TracedMethod> frames;
  private final ProtoOut message = new ProtoOut();
  private final ProtoOut inner = new ProtoOut();
  private Values values = (tree, node) -> {};

  /** The type of values that is shown first: the last one. */
  private String mainType = "";

  private long samples;

  /** Puts the values of a node of a tree into the inner message. */
  @FunctionalInterface
  private interface Values {
    void put(StackTree tree, int node);
  }

  PprofProfile(ExportSource source, BytesOut out) {
    this.source = source;
    this.out = out;
    this.frames = new Frames<>(source::method);
    string(""); // number 0, as the format wants it
  }

  private int string(String text) {
    return numbers.computeIfAbsent(
        text,
        t -> {
          strings.add(t);
          return strings.size() - 1;
        });
  }

  long samples() {
    return samples;
  }

  /** What the values of calls are. */
  void head() {
    type("calls", "count");
    type("self", "nanoseconds");
    values = (tree, node) -> inner.clear().varint(tree.calls(node)).varint(tree.self(node));
  }

  /**
   * What the values of samples are.
   *
   * @param unit of their weights, empty if they have none
   */
  void head(String unit) {
    type("samples", "count");
    if (unit.isEmpty()) {
      values = (tree, node) -> inner.clear().varint(tree.calls(node));
      return;
    }
    switch (unit) {
      case SampleWeight.BYTES -> type("space", unit);
      case SampleWeight.NANOSECONDS -> type("time", "nanoseconds");
      default -> type(unit, "count");
    }
    values = (tree, node) -> inner.clear().varint(tree.calls(node)).varint(tree.weight(node));
  }

  private void type(String type, String unit) {
    mainType = type;
    message.clear().number(1, string(type)).number(2, string(unit)).writeTo(out, SAMPLE_TYPE);
  }

  /** Number of a method's location, from 0. */
  int location(int method) {
    return frames.of(method);
  }

  void samples(ExportTrack track, StackTree tree) {
    for (int node = 1; node < tree.size(); node++) {
      if (tree.calls(node) == 0) {
        continue; // it is around samples
      }
      inner.clear();
      for (int at = node; at != 0; at = tree.parent(at)) {
        inner.varint(tree.frame(at) + 1L);
      }
      message.clear().message(1, inner);
      values.put(tree, node);
      message.message(2, inner);
      inner.clear().number(1, string("thread")).number(2, string(track.title()));
      message.message(3, inner);
      inner.clear().number(1, string("thread_number")).number(3, track.thread().thread());
      message.message(3, inner);
      message.writeTo(out, SAMPLE);
      samples++;
    }
  }

  /** Writes what the samples refer to. */
  void end() {
    List<TracedMethod> methods = frames.all();
    for (int i = 0; i < methods.size(); i++) {
      TracedMethod method = methods.get(i);
      inner.clear().number(1, i + 1L).number(2, method.line());
      message.clear().number(1, i + 1L).message(4, inner).writeTo(out, LOCATION);
      message
          .clear()
          .number(1, i + 1L)
          .number(2, string(method.qualifiedName()))
          .number(3, string(method.qualifiedName() + method.descriptor()))
          .number(4, string(method.source()))
          .number(5, method.line())
          .writeTo(out, FUNCTION);
    }
    message.clear();
    long duration = source.pass().clock().nanos(source.pass().end() - source.pass().base());
    message.number(TIME_NANOS, Facts.wallBegin(source)).number(DURATION_NANOS, duration);
    message.number(DEFAULT_SAMPLE_TYPE, string(mainType));
    Facts.of(source).forEach(fact -> message.number(COMMENT, string(fact.toString())));
    strings.forEach(text -> message.text(STRING, text));
    message.writeTo(out);
  }
}
