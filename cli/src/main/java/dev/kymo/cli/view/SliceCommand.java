package dev.kymo.cli.view;

import dev.kymo.cli.options.ActivityTracksOption;
import dev.kymo.cli.options.FilterOption;
import dev.kymo.cli.options.NamedEventOptions;
import dev.kymo.cli.options.PassedOn;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.options.ThreadListOptions;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.editing.slice.RecordingSlice;
import dev.kymo.editing.slice.SliceQuery;
import dev.kymo.reader.Recording;
import dev.kymo.session.ExitCode;
import dev.kymo.session.OutputFile;
import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kymo slice}: a part of a recording, to keep or to give away. */
@Command(
    name = "slice",
    mixinStandardHelpOptions = true,
    description = {
      "Cuts a part out of a recording.",
      "It is a smaller recording, or a page that shows it in any browser without Kymo."
    })
public final class SliceCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RecordingArgument recording;
  @Mixin private ThreadListOptions selection;
  @Mixin private FilterOption filter;
  @Mixin private NamedEventOptions events;
  @Mixin private ActivityTracksOption activities;

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "NAME",
      description = "NAME.kymo, a recording, or NAME.html, a page that opens from disk.")
  private Path output;

  @Option(names = "--force", description = "Replace the output if it exists.")
  private boolean force;

  public SliceCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    boolean page = output.toString().endsWith(".html");
    if (!page && !output.toString().endsWith(".kymo")) {
      throw new UsageException("output is neither NAME.kymo nor NAME.html: output=" + output);
    }
    SliceQuery query = new SliceQuery(selection.from(), selection.to(), selection.threads());
    try (FilterOption.Choice choice = filter.open(events);
        Recording open = open()) {
      if (Files.exists(output) && Files.isSameFile(output, open.path())) {
        throw new UsageException("output is the recording itself: path=" + output);
      }
      try (OutputFile file = OutputFile.begin(output, !page, force)) {
        RecordingSlice slice =
            RecordingSlice.of(open, query, choice.test(), terminal.progress("reading"));
        check(slice);
        String written =
            page ? SlicePage.write(slice, open.name(), file.unfinished()) : write(slice, file);
        terminal.line("%s: %s, %d bytes".formatted(output, written, file.finish()));
        PassedOn.say(slice.definitions(), terminal);
      }
    }
    return ExitCode.OK;
  }

  private Recording open() throws IOException {
    if (!activities.isGiven()) {
      return recording.open(terminal);
    }
    Path path = recording.path(terminal);
    if (Files.exists(output) && Files.isSameFile(output, path)) {
      throw new UsageException("output is the recording itself: path=" + output);
    }
    Recording open =
        Recording.open(
            activities.shown(path, name -> recording.temporary(name, terminal), terminal));
    terminal.watch(path, open::oddities);
    return open;
  }

  private String write(RecordingSlice slice, OutputFile file) throws IOException {
    RecordingSlice.Written written = slice.write(file.unfinished(), terminal.progress("writing"));
    return "%d events of %d threads".formatted(written.events(), written.threads());
  }

  private void check(RecordingSlice slice) {
    if (selection.from() > slice.wholeDuration()) {
      throw new UsageException(
          "time range begins after the recording's end: from=%d duration=%d"
              .formatted(selection.from(), slice.wholeDuration()));
    }
    if (!slice.hasThreads()) {
      throw new UsageException(
          "the recording has no such thread; 'kymo report --per-thread' names them");
    }
  }
}
