package dev.kymo.importers.perftext;

import dev.kymo.format.EventFields;
import dev.kymo.format.FieldType;
import dev.kymo.importers.ftracetext.TextKernel;
import dev.kymo.importers.linux.LinuxSamples;
import dev.kymo.importers.linux.ThreadTracks;
import dev.kymo.importers.perftext.lines.FrameText;
import dev.kymo.importers.perftext.lines.SampleLine;
import dev.kymo.importers.target.Fields;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.target.TargetEvent;
import dev.kymo.importers.target.TargetProcess;
import dev.kymo.importers.target.TargetTrack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Gives samples of text to a recording: a line, and lines of its stack after it. */
final class PerfTextSamples {
  private static final String SAMPLES = "samples with their stacks";

  /** More than a call chain has. */
  private static final int MOST_FRAMES = 4096;

  private static final List<EventFields.Field> WITH_TEXT =
      List.of(
          Fields.of(FieldType.U32, "stack"),
          Fields.of(FieldType.U64, "period"),
          Fields.of(FieldType.I32, "cpu"),
          Fields.of(FieldType.STR, "text"));

  /** A subsystem and an event; what follows the colon of others are their modifiers. */
  private static final Pattern TRACEPOINT = Pattern.compile("(\\w+):(\\w+)(?::[a-zA-Z]{1,8})?");

  private static final Pattern MODIFIERS = Pattern.compile("[ukhGHpPSDIWeb]{1,8}");

  /** Where the kernel was, after the text of a tracepoint. */
  private static final Pattern PLACE_AFTER =
      Pattern.compile("(.*?)\\s(ffff[0-9a-f]{12} [^\\s=]+(?: \\(\\S+\\))?)");

  /** The address that an event is of, before the place. */
  private static final Pattern ADDRESS =
      Pattern.compile("([0-9a-f]{1,16})(?: .*\\))?\\s+([0-9a-f]{5,16}(?: .*)?)");

  private static final Pattern LOST = Pattern.compile("PERF_RECORD_LOST(?:_SAMPLES)? lost (\\d+)");
  private static final Pattern LINE_OF_SOURCE = Pattern.compile("\\s+\\S+[:\\[]\\w+]?\\s*");

  private final Target target;
  private final TextKernel kernel;
  private final ThreadTracks processes;
  private final Map<Integer, TargetTrack> threads = new HashMap<>();
  private final Map<Integer, String> names = new HashMap<>();
  private final Map<String, Long> others = new TreeMap<>();
  private final List<FrameText> frames = new ArrayList<>();
  private @Nullable SampleLine sample;

  PerfTextSamples(Target target, int processors) {
    this.target = target;
    this.kernel = new TextKernel(target, processors);
    this.processes = new ThreadTracks(target, "threads of perf script");
  }

  void take(String text, long number, boolean cut) throws IOException {
    if (cut) {
      target.troubles().count("lines longer than 65536 bytes were cut", "line=" + number);
    }
    SampleLine begun = SampleLine.parse(text);
    if (begun != null) {
      end();
      if (begun.isRecord()) {
        other(begun);
      } else {
        sample = begun;
      }
    } else if (text.isBlank() || text.startsWith("#")) {
      end();
    } else if (sample == null || !frame(text)) {
      target.troubles().count("lines that are not samples were left out", "line=" + number);
    }
  }

  private boolean frame(String text) {
    String line = text.strip();
    boolean indented = text.charAt(0) == ' ' || text.charAt(0) == '\t';
    if (!indented || !FrameText.beginsWithAddress(line)) {
      return indented && LINE_OF_SOURCE.matcher(text).matches();
    }
    if (frames.size() < MOST_FRAMES) {
      frames.add(FrameText.parse(line));
    }
    return true;
  }

  private void other(SampleLine record) throws IOException {
    String text = record.event().isEmpty() ? record.rest() : record.event();
    Matcher lost = LOST.matcher(text);
    if (lost.matches() && lost.group(1).length() <= 18) {
      thread(record).lose(record.nanos(), Long.parseLong(lost.group(1)));
    }
    others.merge(text.split(" ", 2)[0], 1L, Long::sum);
  }

  /** Gives the sample that was begun. */
  void end() throws IOException {
    SampleLine begun = sample;
    if (begun != null) {
      sample = null;
      give(begun);
      frames.clear();
    }
  }

  private void give(SampleLine begun) throws IOException {
    Matcher tracepoint = TRACEPOINT.matcher(begun.event());
    if (tracepoint.matches() && !MODIFIERS.matcher(tracepoint.group(2)).matches()) {
      tracepoint(begun, tracepoint.group(1), tracepoint.group(2));
      return;
    }
    String rest = begun.rest();
    long address = 0;
    Matcher pair = ADDRESS.matcher(rest);
    if (!frames.isEmpty() && FrameText.beginsWithAddress(rest)) {
      address = number(FrameText.parse(rest).address());
      rest = "";
    } else if (pair.matches()) {
      address = number(pair.group(1));
      rest = pair.group(2);
    }
    String more = place(rest);
    target.tally().count(event(begun), SAMPLES);
    if (more.isEmpty()) {
      sample(begun, LinuxSamples.FIELDS, address);
    } else {
      sample(begun, WITH_TEXT, more);
    }
  }

  private static long number(String hexadecimal) {
    return Long.parseUnsignedLong(hexadecimal, 16);
  }

  /** Takes the place where a sample without call chain was taken; returns what is none. */
  private String place(String text) {
    if (frames.isEmpty() && FrameText.beginsWithAddress(text)) {
      frames.add(FrameText.parse(text));
      return "";
    }
    return text;
  }

  private static String event(SampleLine begun) {
    return begun.event().isEmpty() ? "event" : begun.event();
  }

  private void sample(SampleLine begun, List<EventFields.Field> fields, Object last)
      throws IOException {
    TargetTrack track = thread(begun);
    TargetProcess process = track.process();
    int stack = stack(process);
    TargetEvent kind = LinuxSamples.of(process, event(begun), fields);
    track.event(begun.nanos(), kind, stack, begun.period(), begun.cpu(), last);
  }

  private void tracepoint(SampleLine begun, String subsystem, String name) throws IOException {
    String text = begun.rest();
    Matcher place = PLACE_AFTER.matcher(text);
    if (frames.isEmpty() && place.matches()) {
      text = place.group(1).strip();
      frames.add(FrameText.parse(place.group(2)));
    }
    if (begun.cpu() < 0) {
      target.tally().count(begun.event(), SAMPLES);
      sample(begun, WITH_TEXT, text);
      return;
    }
    kernel.event(
        new TextKernel.Where(begun.cpu(), begun.nanos(), Math.max(0, begun.tid()), 0),
        subsystem,
        name,
        text);
    if (!frames.isEmpty()) {
      sample(begun, LinuxSamples.FIELDS, 0L);
    }
  }

  private int stack(TargetProcess process) throws IOException {
    int stack = 0;
    for (FrameText frame : frames.reversed()) {
      String file = frame.file();
      TargetProcess.Code code =
          new TargetProcess.Code(file.substring(file.lastIndexOf('/') + 1), file, "");
      String name = frame.symbol().isEmpty() ? "0x" + frame.address() : frame.symbol();
      stack = process.stack(stack, process.function(code, name, "", 0));
    }
    return stack;
  }

  private TargetTrack thread(SampleLine of) throws IOException {
    int tid = of.tid();
    String said = of.comm().isEmpty() ? "thread " + tid : of.comm();
    String name = tid < 0 ? "ended threads" : tid == 0 ? "swapper" : said;
    TargetTrack known = threads.get(tid);
    if (known == null) {
      known = processes.process(of.pid(), name).thread(Math.max(0, tid), name);
      threads.put(tid, known);
    } else if (!name.equals(names.get(tid))) {
      known.process().rename(known, tid, name);
    }
    names.put(tid, name);
    return known;
  }

  /** Says what the text has besides samples. */
  void say() throws IOException {
    StringBuilder text = new StringBuilder("records that are no samples:");
    others.forEach((kind, count) -> text.append(' ').append(kind).append(' ').append(count));
    if (!others.isEmpty()) {
      target.notice(text.toString());
    }
  }
}
