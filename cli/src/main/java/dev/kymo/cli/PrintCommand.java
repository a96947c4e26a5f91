package dev.kymo.cli;

import dev.kymo.model.CallPass;
import dev.kymo.reader.KernelMerge;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kymo print}: one line per event. */
@Command(
    name = "print",
    mixinStandardHelpOptions = true,
    description = "Shows all events in the order of time, one a line.")
final class PrintCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RecordingArgument recording;
  @Mixin private ThreadListOptions selection;
  @Mixin private FormatOptions format;

  @Option(names = "--definitions", description = "Also what defines processes, threads, methods.")
  private boolean definitions;

  @Option(names = "--kernel", description = "Also the kernel's events, as the kernel has them.")
  private boolean kernel;

  PrintCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    try (Recording open = recording.open(terminal)) {
      CallPass pass = CallPass.open(open);
      EventLines lines =
          new EventLines(
              terminal,
              pass,
              selection,
              format,
              definitions ? DefinitionMerge.all(open) : DefinitionMerge.none(),
              kernel ? kernelEvents(open, pass) : KernelMerge.none());
      lines.head();
      pass.events(lines);
      lines.end();
    }
    return Main.OK;
  }

  private static KernelMerge kernelEvents(Recording open, CallPass pass) {
    return KernelMerge.all(open, pass.definitions().kernelEvents().values(), pass.diagnostics());
  }
}
