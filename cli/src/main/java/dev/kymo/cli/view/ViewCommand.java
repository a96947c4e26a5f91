package dev.kymo.cli.view;

import dev.kymo.cli.options.ActivityTracksOption;
import dev.kymo.cli.options.FilterOption;
import dev.kymo.cli.options.NamedEventOptions;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.words.ViewPlace;
import dev.kymo.editing.slice.RecordingSlice;
import dev.kymo.editing.slice.SliceQuery;
import dev.kymo.importers.barrelfish.BfscopeAddress;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.reader.Recording;
import dev.kymo.server.KymoServer;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Serves the picture of recordings to the user's browser, until it is interrupted. */
@Command(
    name = "view",
    description = {
      "Shows recordings in the browser.",
      "Of several it also shows what got slower or faster: kymo view old.kymo new.kymo"
    },
    mixinStandardHelpOptions = true)
public final class ViewCommand extends ServingCommand {
  @Option(names = "--no-browser", description = "Only print the link.")
  private boolean noBrowser;

  @Option(
      names = "--at",
      paramLabel = "PLACE",
      converter = ViewPlace.Converter.class,
      description =
          "Begin there: PROCESS/THREAD@TIME or PROCESS/THREAD@TIME+LENGTH, such as 1/12@0.35+0.02,"
              + " or a call as 'kymo why' takes it; 'kymo check' prints both.")
  private @Nullable ViewPlace place;

  @Mixin private FilterOption filter;
  @Mixin private NamedEventOptions events;
  @Mixin private ActivityTracksOption activities;

  public ViewCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (place != null && recordings() > 1) {
      throw new UsageException("--at goes with one recording");
    }
    if ((filter.isGiven() || events.isGiven()) && isLive()) {
      throw new UsageException(
          "--filter, --event, --process and --core do not go with " + BfscopeAddress.SCHEME);
    }
    if (activities.isGiven() && isLive()) {
      throw new UsageException("--activities does not go with " + BfscopeAddress.SCHEME);
    }
    return super.call();
  }

  /** A place is found when everything is there, and scripts are asked about everything. */
  @Override
  boolean needsAll() {
    return place != null || filter.isGiven() || events.isGiven() || activities.isGiven();
  }

  /** What the script chooses of it and of its activities. */
  @Override
  Path shown(Path recording, ShownRecordings with) throws IOException {
    Path whole = activities.shown(recording, with::temporary, terminal);
    return filter.isGiven() || events.isGiven() ? chosen(whole, with) : whole;
  }

  @Override
  List<Path> scripts() {
    return Stream.of(filter.file(), activities.file()).flatMap(Optional::stream).toList();
  }

  private Path chosen(Path path, ShownRecordings with) throws IOException {
    try (FilterOption.Choice choice = filter.open(events);
        Recording open = Recording.open(path)) {
      SliceQuery all = new SliceQuery(0, Long.MAX_VALUE, thread -> true);
      RecordingSlice slice =
          RecordingSlice.of(open, all, choice.test(), terminal.progress("reading"));
      Path to = with.temporary(open.name());
      slice.write(to, terminal.progress("writing"));
      return to;
    }
  }

  @Override
  String place(Timeline first) {
    return place == null ? "" : "#" + place.address(first);
  }

  @Override
  boolean forPrograms() {
    return false;
  }

  @Override
  void serving(KymoServer server, String at) throws IOException {
    terminal.flush(); // readers of the link need not wait until everything is read
    if (!noBrowser) {
      Browser.open(server.uriForOnce() + at);
    }
  }
}
