package dev.kymo.cli.view;

import dev.kymo.cli.options.BackgroundImport;
import dev.kymo.cli.options.LogOptions;
import dev.kymo.cli.options.OffsetOptions;
import dev.kymo.cli.options.OneAxis;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.options.Session;
import dev.kymo.cli.system.RawText;
import dev.kymo.cli.terminal.ExitCode;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.UsageException;
import dev.kymo.foreign.barrelfish.BfscopeAddress;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.server.KymoServer;
import dev.kymo.server.RecordingNames;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Serves recordings until it is interrupted. */
abstract class ServingCommand implements Callable<Integer> {
  /** Characters of the name of recordings that are shown as one. */
  private static final int LONGEST_NAME = 80;

  final Terminal terminal;

  @Parameters(
      arity = "1..*",
      paramLabel = "RECORDING",
      description = {
        "Directory of the recording, or another tracer's file; several are shown together.",
        "Of a directory with recordings all are shown.",
        "tcp://HOST:PORT follows a bfscope, Barrelfish's tracing server."
      })
  private List<String> recordings;

  @Mixin private LogOptions logs;
  @Mixin private OffsetOptions offsets;

  @Option(
      names = "--one-axis",
      description = {
        "Show several recordings as one, on one time axis; default for those of the same time if",
        "one is another tracer's file, or their clocks were compared (see kymo align). Without",
        "it they stand one above the other."
      })
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
    return recordings.stream().anyMatch(each -> each.startsWith(BfscopeAddress.SCHEME));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (port < 0 || port > 65535) {
      throw new UsageException("no such port: port=" + port + "; use 0 to 65535");
    }
    recordings = named();
    Optional<BackgroundImport> begun = begun();
    List<Path> paths = begun.isPresent() ? List.of() : paths();
    return serve(begun.isPresent() ? following(begun.get()) : show(paths), paths);
  }

  /** What is to be shown, with what is in directories of recordings. */
  private List<String> named() throws IOException {
    List<String> named = new ArrayList<>();
    for (String recording : recordings) {
      List<Path> inner =
          recording.startsWith(BfscopeAddress.SCHEME)
              ? List.of()
              : Session.recordings(RawText.path(recording));
      inner.forEach(path -> named.add(path.toString()));
      if (inner.isEmpty()) {
        named.add(recording);
      }
    }
    return named;
  }

  /** The import of the only file that is to be shown, if it is another tracer's. */
  private Optional<BackgroundImport> begun() throws IOException {
    return !needsAll() && recordings.size() == 1 && !isLive()
        ? logs.begin(RawText.path(recordings.getFirst()), terminal)
        : Optional.empty();
  }

  private ShownRecordings following(BackgroundImport begun)
      throws IOException, InterruptedException {
    ShownRecordings shown = new ShownRecordings(terminal);
    shown.add(follow(begun));
    shown.complete();
    return shown;
  }

  private ShownRecordings show(List<Path> paths) throws IOException {
    ShownRecordings shown = new ShownRecordings(terminal);
    try {
      for (Path path : paths) {
        shown.add(open(shown(path, shown)));
      }
      shown.complete();
      return shown;
    } catch (IOException | RuntimeException e) {
      shown.close();
      throw e;
    }
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

  /** What is to be shown: several files as one recording, if they are to be on one axis. */
  private List<Path> paths() throws IOException {
    List<Path> ready = new ArrayList<>();
    boolean foreign = false;
    for (String recording : recordings) {
      Path path = ready(recording);
      foreign |= !path.equals(RawText.path(recording));
      ready.add(path);
    }
    boolean asked = oneAxis || offsets.isGiven();
    OneAxis axis = new OneAxis(logs, offsets, terminal);
    if (ready.size() < 2 || !(asked || foreign || axis.canBeJoined(ready))) {
      return ready;
    }
    List<Path> named = recordings.stream().map(RawText::path).toList();
    String name = String.join(" + ", OneAxis.names(named));
    Path joined =
        logs.temporary(name.substring(0, Math.min(name.length(), LONGEST_NAME)), terminal);
    if (asked) {
      axis.join(named, ready, joined);
      return List.of(joined);
    }
    return joinIfPossible(axis, named, ready, joined) ? List.of(joined) : ready;
  }

  /** Files that cannot be on one axis stand one above the other. */
  private boolean joinIfPossible(OneAxis axis, List<Path> named, List<Path> ready, Path joined) {
    try {
      return axis.joinIfSameTime(named, ready, joined);
    } catch (IOException e) {
      terminal.warn("not on one axis: " + e.getMessage());
      return false;
    }
  }

  private void sayIfNotKept(Path path, Timeline timeline) {
    String why = timeline.notKept();
    if (!why.isEmpty()) {
      terminal.warn(
          "the index cannot be kept in the recording, a temporary one is made each time: path=%s reason=\"%s\"; copy the recording to a directory of yours"
              .formatted(path, why));
    }
  }

  private Path ready(String recording) throws IOException {
    return recording.startsWith(BfscopeAddress.SCHEME)
        ? logs.follow(recording, terminal)
        : RecordingArgument.ready(RawText.path(recording), logs, terminal);
  }

  private int serve(ShownRecordings shown, List<Path> paths) throws IOException {
    List<Timeline> timelines = shown.timelines();
    try (ShowOnSave onSave = new ShowOnSave(scripts(), shown, () -> show(paths), terminal);
        KymoServer server = start(timelines)) {
      onSave.start(server);
      String place = place(timelines.getFirst());
      String link = server.uri() + place;
      String names = String.join(", ", RecordingNames.of(timelines));
      terminal.line(names + ": " + link + "  (Ctrl-C ends)");
      serving(server, place);
      new CountDownLatch(1).await(); // ends with the process, or by an interrupt
      return ExitCode.OK;
    } catch (InterruptedException e) {
      return ExitCode.OK;
    }
  }

  private KymoServer start(List<Timeline> timelines) throws IOException {
    try {
      return KymoServer.start(timelines, port, forPrograms(), !scripts().isEmpty());
    } catch (BindException e) {
      throw new IOException(
          "cannot listen on 127.0.0.1: port="
              + port
              + ", it is taken or not allowed; leave --port out for a free one",
          e);
    }
  }
}
