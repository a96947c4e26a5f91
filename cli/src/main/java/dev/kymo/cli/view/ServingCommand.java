package dev.kymo.cli.view;

import dev.kymo.cli.options.BackgroundImport;
import dev.kymo.cli.options.LiveAxis;
import dev.kymo.cli.options.LogOptions;
import dev.kymo.cli.options.OffsetOptions;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.server.KymoServer;
import dev.kymo.server.RecordingNames;
import dev.kymo.session.ExitCode;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Serves recordings until it is interrupted. */
abstract class ServingCommand implements Callable<Integer> {
  final Terminal terminal;

  @Parameters(
      arity = "1..*",
      paramLabel = "RECORDING",
      description =
          "Directory of the recording, or another tracer's file; several are shown together. Of a"
              + " directory with recordings all are shown, also those that come later."
              + " tcp://HOST:PORT follows a bfscope, Barrelfish's tracing server.")
  private List<String> recordings;

  @Mixin private LogOptions logs;
  @Mixin private OffsetOptions offsets;

  @Option(
      names = "--one-axis",
      description =
          "Show several recordings as one, on one time axis; default for those of the same time if"
              + " one is another tracer's file, or their clocks were compared (see kymo align)."
              + " Without it they stand one above the other.")
  private boolean oneAxis;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "0",
      description = "Port on 127.0.0.1; default: any free one.")
  private int port;

  ServingCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Whether programs may ask, too. */
  abstract boolean forPrograms();

  /** Whether everything is read before the picture is shown. */
  boolean needsAll() {
    return false;
  }

  /**
   * What is shown in the place of a recording.
   *
   * @param with keeps what is made for it
   */
  Path shown(Path recording, ShownRecordings with) throws IOException {
    return recording;
  }

  /** The files that say what is shown: when they are saved, it is shown anew. */
  List<Path> scripts() {
    return List.of();
  }

  /** Where in the picture it begins, as in its address; empty = with all of it. */
  String place(Timeline first) {
    return "";
  }

  /**
   * The link was printed.
   *
   * @param place where the picture begins
   */
  abstract void serving(KymoServer server, String place) throws IOException;

  /** How many recordings are to be shown. */
  final int recordings() {
    return recordings.size();
  }

  /** Whether one of them is still being sent. */
  final boolean isLive() {
    return recordings.stream().anyMatch(ChosenRecordings::isLive);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (port < 0 || port > 65535) {
      throw new UsageException("no such port: port=" + port + "; use 0 to 65535");
    }
    ChosenRecordings chosen =
        new ChosenRecordings(recordings, logs, offsets, oneAxis, needsAll(), terminal);
    Optional<BackgroundImport> begun = begun(chosen);
    if (begun.isPresent()) {
      return serve(following(begun.get()), chosen);
    }
    chosen.prepare();
    return serve(show(chosen), chosen);
  }

  /** The import of the only file that is to be shown, if it is another tracer's. */
  private Optional<BackgroundImport> begun(ChosenRecordings chosen) throws IOException {
    Optional<Path> single = needsAll() ? Optional.empty() : chosen.single();
    return single.isPresent() ? logs.begin(single.get(), terminal) : Optional.empty();
  }

  private ShownRecordings following(BackgroundImport begun)
      throws IOException, InterruptedException {
    ShownRecordings shown = new ShownRecordings(terminal);
    shown.add(follow(begun));
    shown.complete();
    return shown;
  }

  private ShownRecordings show(ChosenRecordings chosen) throws IOException {
    ShownRecordings shown = new ShownRecordings(terminal);
    try {
      if (chosen.axis().isPresent()) {
        LiveAxis axis = chosen.axis().get();
        shown.keep(axis);
        shown.add(Timelines.follow(axis.path(), axis));
      } else {
        for (Path path : chosen.paths()) {
          shown.add(open(shown(path, shown)));
        }
      }
      shown.complete();
      return shown;
    } catch (IOException | RuntimeException e) {
      shown.close();
      throw e;
    }
  }

  /** Shows them anew, with those that have come. */
  private ShownRecordings anew(ChosenRecordings chosen) throws IOException {
    if (!chosen.come().isEmpty()) {
      chosen.prepare();
    }
    return show(chosen);
  }

  /** The first picture does not wait for the end of the import. */
  private Timeline follow(BackgroundImport begun) throws IOException, InterruptedException {
    if (!begun.awaitFirst()) {
      return open(begun.recording());
    }
    Timeline timeline = Timelines.follow(begun.recording(), begun);
    terminal.watch(
        begun.recording(),
        () ->
            timeline.oddities().stream()
                .filter(oddity -> !oddity.equals(begun.trouble())) // said when it happened
                .toList());
    return timeline;
  }

  private Timeline open(Path path) throws IOException {
    ProgressListener progress = terminal.progress("reading");
    Timeline timeline =
        needsAll() ? Timelines.whole(path, progress) : Timelines.follow(path, progress);
    sayIfNotKept(path, timeline);
    terminal.watch(path, timeline::oddities);
    return timeline;
  }

  private void sayIfNotKept(Path path, Timeline timeline) {
    String why = timeline.notKept();
    if (!why.isEmpty()) {
      terminal.warn(
          "the index cannot be kept in the recording, a temporary one is made each time: path=%s reason=\"%s\"; copy the recording to a directory of yours"
              .formatted(path, why));
    }
  }

  private int serve(ShownRecordings shown, ChosenRecordings chosen) throws IOException {
    List<Timeline> timelines = shown.timelines();
    boolean mayChange = !scripts().isEmpty() || chosen.moreMayCome();
    try (ShowAnew anew =
            new ShowAnew(scripts(), chosen::come, shown, () -> anew(chosen), terminal);
        KymoServer server = start(timelines, mayChange)) {
      terminal.cleanup().add(server::close); // it ends by a signal
      if (mayChange) {
        anew.start(server);
      }
      String place = place(timelines.getFirst());
      String link = server.uri() + place;
      String names = String.join(", ", RecordingNames.of(timelines));
      terminal.line(names + ": " + link + "  (Ctrl-C ends)");
      Browser.tunnel(server.uri().getPort(), System.getenv()).ifPresent(terminal::line);
      serving(server, place);
      new CountDownLatch(1).await(); // ends with the process, or by an interrupt
      return ExitCode.OK;
    } catch (InterruptedException e) {
      return ExitCode.OK;
    }
  }

  private KymoServer start(List<Timeline> timelines, boolean renewed) throws IOException {
    try {
      return KymoServer.start(timelines, port, forPrograms(), renewed);
    } catch (BindException e) {
      throw new IOException(
          "cannot listen on 127.0.0.1: port="
              + port
              + ", it is taken or not allowed; leave --port out for a free one",
          e);
    }
  }
}
