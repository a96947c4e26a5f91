package dev.kymo.cli;

import dev.kymo.model.Timeline;
import dev.kymo.model.Timelines;
import dev.kymo.server.KymoServer;
import java.io.IOException;
import java.net.BindException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Serves a recording's picture to a browser on this machine, until it is interrupted. */
@Command(
    name = "view",
    description = "Shows a recording in the browser.",
    mixinStandardHelpOptions = true)
final class ViewCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RecordingArgument recording;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "0",
      description = "Port on 127.0.0.1; default: any free one.")
  private int port;

  @Option(names = "--no-browser", description = "Only print the link.")
  private boolean noBrowser;

  ViewCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (port < 0 || port > 65535) {
      throw new UsageException("no such port: port=" + port + "; use 0 to 65535");
    }
    try (Timeline timeline =
            Timelines.open(recording.path(terminal), terminal.progress("reading"));
        KymoServer server = start(timeline)) {
      String link = server.uri().toString();
      terminal.line(timeline.name() + ": " + link + "  (Ctrl-C ends)");
      terminal.flush();
      if (!noBrowser) {
        Browser.open(link);
      }
      new CountDownLatch(1).await(); // ends with the process, or by an interrupt
      return Main.OK;
    } catch (InterruptedException e) {
      return Main.OK;
    }
  }

  private KymoServer start(Timeline timeline) throws IOException {
    try {
      return KymoServer.start(timeline, port);
    } catch (BindException e) {
      throw new IOException(
          "cannot listen on 127.0.0.1: port="
              + port
              + ", it is taken or not allowed; leave --port out for a free one",
          e);
    }
  }
}
