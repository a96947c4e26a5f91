package dev.kymo.cli.mcp;

import dev.kymo.analysis.names.NameGlob;
import dev.kymo.analysis.selection.Progress;
import dev.kymo.exporters.picture.Picture;
import dev.kymo.exporters.picture.TimelinePicture;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

/** A part of a recording as a picture. */
final class PictureTool implements Tool {
  @Override
  public String name() {
    return "picture";
  }

  @Override
  public String description() {
    return "A picture (PNG) of the threads on one time axis: nested calls, above them what a thread"
        + " waited for (orange) or what the kernel did with it (green running, yellow without a"
        + " processor, blue blocked), losses in red. Calls too short to be drawn apart are pale.";
  }

  @Override
  public List<Argument> arguments() {
    return List.of(
        Argument.text("from", "begin of the time, since the recording's begin: 1.5s, 200ms, 10us"),
        Argument.text("to", "end of the time; default: the recording's end"),
        Argument.text("thread", "only threads with this name (* stands for anything) or number"),
        Argument.number("width", "pixels, 400 to 4000; default: 1400"));
  }

  @Override
  public Answer answer(OpenRecording recording, Given given, Progress progress) throws IOException {
    Timeline timeline = recording.timeline(progress);
    long from = given.time("from", 0);
    long to = Math.min(given.time("to", timeline.duration()), timeline.duration());
    if (to <= from) {
      throw new MistakeException(
          "nothing is between these times: from=%d to=%d; the recording takes %d ns"
              .formatted(from, to, timeline.duration()));
    }
    Predicate<Track> threads = given.text("thread").map(PictureTool::named).orElse(track -> true);
    int width = (int) given.number("width", 1400, 400, 4000);
    Picture picture = TimelinePicture.of(timeline, from, to, threads, width);
    if (picture.threads() == 0) {
      throw new MistakeException("no such thread did anything in that time");
    }
    String left =
        picture.left() == 0
            ? ""
            : "; %d more threads did something then, thread chooses some".formatted(picture.left());
    String cut = picture.cut() ? "; deeper calls are not shown" : "";
    String text = "%d threads%s%s".formatted(picture.threads(), left, cut);
    return new Answer(text, picture.png(), false);
  }

  private static Predicate<Track> named(String thread) {
    NameGlob glob = new NameGlob(thread);
    return track -> glob.test(track.name()) || Integer.toString(track.thread()).equals(thread);
  }
}
