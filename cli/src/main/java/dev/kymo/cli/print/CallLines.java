package dev.kymo.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.model.CallPass;
import dev.kymo.model.CallSink;
import dev.kymo.model.NanoClock;
import dev.kymo.model.Slice;
import dev.kymo.model.ThreadCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** A line of JSON or CSV for each call, in the order in which calls end. */
final class CallLines implements CallSink {
  private final Terminal terminal;
  private final CallPass pass;
  private final NanoClock begins;
  private final NanoClock ends;
  private final long from;
  private final long to;
  private final JsonGenerator json;
  private final boolean asJson;

  CallLines(Terminal terminal, CallPass pass, long from, long to, boolean asJson)
      throws IOException {
    this.terminal = terminal;
    this.pass = pass;
    this.begins = pass.nanoClock();
    this.ends = pass.nanoClock();
    this.from = from;
    this.to = to;
    this.asJson = asJson;
    this.json = terminal.jsonLines();
  }

  void head() {
    if (!asJson) {
      terminal.line("process,thread,thread_name,depth,method,begin_ns,end_ns,duration_ns,flags");
    }
  }

  void end() throws IOException {
    json.close();
    if (asJson) {
      terminal.line("");
    }
  }

  @Override
  public void call(
      ThreadCalls thread,
      int depth,
      int method,
      long begin,
      long end,
      long childTime,
      long children,
      int flags) {
    long beginTime = begins.nanos(begin);
    long endTime = ends.nanos(end);
    if (endTime < from || beginTime > to) {
      return;
    }
    String name = pass.definitions().methods().get(method).qualifiedName();
    if (!asJson) {
      terminal.csv(
          thread.process(),
          thread.thread(),
          thread.definition().name(),
          depth,
          name,
          beginTime,
          endTime,
          endTime - beginTime,
          String.join(" ", flags(flags)));
      return;
    }
    try {
      json.writeStartObject();
      json.writeNumberField("process", thread.process());
      json.writeNumberField("thread", thread.thread());
      json.writeStringField("threadName", thread.definition().name());
      json.writeNumberField("depth", depth);
      json.writeStringField("method", name);
      json.writeNumberField("begin", beginTime);
      json.writeNumberField("end", endTime);
      json.writeNumberField("duration", endTime - beginTime);
      ReportLines.writeStrings(json, "flags", flags(flags));
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is special about a call, in words. */
  static List<String> flags(int flags) {
    List<String> words = new ArrayList<>();
    add(words, flags, Slice.UNWOUND, "unwound");
    add(words, flags, Slice.OPEN_BEGIN, "open-begin");
    add(words, flags, Slice.OPEN_END, "open-end");
    add(words, flags, Slice.INFERRED_END, "inferred-end");
    add(words, flags, Slice.LOSSY, "lossy");
    return words;
  }

  private static void add(List<String> words, int flags, int flag, String word) {
    if ((flags & flag) != 0) {
      words.add(word);
    }
  }
}
