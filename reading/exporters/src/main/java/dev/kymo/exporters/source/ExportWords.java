package dev.kymo.exporters.source;

import dev.kymo.format.Definition;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.definitions.TrackKind;
import java.util.ArrayList;
import java.util.List;

/** Words that all formats use for the same things. */
public final class ExportWords {
  private ExportWords() {}

  /** What is known of the ends of a call; empty for most calls. */
  public static String flags(int flags) {
    if ((flags & Slice.ALL) == 0) {
      return "";
    }
    List<String> words = new ArrayList<>();
    add(words, flags, Slice.UNWOUND, "unwound");
    add(words, flags, Slice.OPEN_BEGIN, "open-begin");
    add(words, flags, Slice.OPEN_END, "open-end");
    add(words, flags, Slice.INFERRED_END, "inferred-end");
    add(words, flags, Slice.LOSSY, "lossy");
    return String.join(" ", words);
  }

  /** What a call is called: a method with its class, or a state with its kind. */
  public static String name(TrackKind kind, TracedMethod method) {
    if (kind == TrackKind.CALLS) {
      return method.qualifiedName();
    }
    boolean both = !method.type().isEmpty() && !method.name().isEmpty();
    return method.type() + (both ? " " : "") + method.name();
  }

  /** What a process is called: its command, or its pid. */
  public static String name(TracedProcess process) {
    return process.command().isEmpty() ? "process " + process.pid() : process.command();
  }

  /** What a loss is called: {@code lost 12 events}. */
  public static String loss(ExportSource.Loss loss) {
    if (loss.count() == 0) {
      return "lost events, counted with another thread";
    }
    return loss.count() < 0 ? "lost events, unknown how many" : "lost " + loss.count() + " events";
  }

  /** How calls that were not recorded one by one were counted: {@link Definition.MethodMode}. */
  public static String mode(int mode) {
    return switch (mode) {
      case Definition.MethodMode.TIMED -> "timed";
      case Definition.MethodMode.SAMPLED -> "sampled";
      case Definition.MethodMode.EVENTS -> "events";
      default -> "left-out";
    };
  }

  private static void add(List<String> words, int flags, int flag, String word) {
    if ((flags & flag) != 0) {
      words.add(word);
    }
  }
}
