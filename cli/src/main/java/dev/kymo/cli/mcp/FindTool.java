package dev.kymo.cli.mcp;

import dev.kymo.analysis.events.NamedEvents;
import dev.kymo.analysis.events.NearestEvent;
import dev.kymo.analysis.names.NamePattern;
import dev.kymo.analysis.search.Hit;
import dev.kymo.analysis.search.HitPage;
import dev.kymo.analysis.search.Search;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.selection.UnanswerableException;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.words.CallId;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;

/** The tool that finds the calls and events with a name. */
final class FindTool implements Tool {
  @Override
  public String name() {
    return "find";
  }

  @Override
  public String description() {
    return "Where calls of methods and the program's own events are whose name contains a regular"
        + " expression: how many, and some of them in the order of their begins, each with its id for"
        + " 'why', its duration and its thread.";
  }

  @Override
  public List<Argument> arguments() {
    return List.of(
        new Argument(
            "pattern",
            "string",
            true,
            "regular expression; without a capital letter, letters of either case match"),
        Argument.text("from", "begin of the time, since the recording's begin: 1.5s, 200ms, 10us"),
        Argument.text("to", "end of the time"),
        Argument.number("skip", "leave out so many; default: 0"),
        Argument.number("limit", "calls and events at most, up to 1000; default: 50"));
  }

  @Override
  public Answer answer(OpenRecording recording, Given given, Progress progress) throws IOException {
    Timeline timeline = recording.timeline(progress);
    long from = given.time("from", 0);
    long to = given.time("to", timeline.duration());
    int limit = (int) given.number("limit", 50, 1, 1000);
    long skip = given.number("skip", 0, 0, Long.MAX_VALUE);
    TimelineSelection selection =
        new TimelineSelection(from, to, timeline.tracks().stream().map(Track::id).toList());
    try {
      BitSet methods = NamePattern.of(given.text("pattern").orElse("")).methods(timeline, progress);
      Search calls = Search.of(timeline, selection, NamedEvents.calls(timeline, methods), progress);
      NamedEvents events =
          NamedEvents.of(timeline, selection, NamedEvents.kinds(timeline, methods), progress);
      List<Hit> hits = HitPage.of(timeline, selection, methods, from, skip, limit, progress);
      StringBuilder text = new StringBuilder();
      text.append(
          "names=%d calls=%d events=%d%n"
              .formatted(methods.cardinality(), calls.calls(), events.count()));
      hits.forEach(hit -> text.append(line(timeline, hit)).append('\n'));
      long more = calls.calls() + events.count() - skip - hits.size();
      if (hits.size() == limit && more > 0) {
        text.append("(%d more; skip=%d shows the next)%n".formatted(more, skip + limit));
      }
      return Answer.of(Written.cut(text.toString(), 0, "ask for fewer with limit"));
    } catch (UnanswerableException e) {
      throw new MistakeException(String.valueOf(e.getMessage()));
    }
  }

  private static String line(Timeline timeline, Hit hit) {
    Track track = timeline.tracks().get(hit.track());
    String name = timeline.method(hit.method()).qualifiedName();
    if (hit.depth() == NearestEvent.DEPTH) {
      String kind =
          timeline.events().stream()
              .filter(event -> event.number() == hit.method())
              .map(event -> event.qualifiedName())
              .findFirst()
              .orElse(name);
      return "%d/%d@%s  event  %s  %s"
          .formatted(
              track.process(), track.thread(), Nanos.seconds(hit.begin()), track.name(), kind);
    }
    return "%s  %s  %s  %s"
        .formatted(
            CallId.text(track.process(), track.thread(), hit.depth(), hit.begin()),
            Nanos.text(hit.duration()),
            track.name(),
            name);
  }
}
