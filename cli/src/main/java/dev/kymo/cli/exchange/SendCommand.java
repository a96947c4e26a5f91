package dev.kymo.cli.exchange;

import dev.kymo.cli.network.SendOptions;
import dev.kymo.cli.options.PassedOn;
import dev.kymo.cli.options.RecordingArgument;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.drain.RecordingDirectory;
import dev.kymo.format.SentBytes;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.network.send.Route;
import dev.kymo.network.send.Sender;
import dev.kymo.network.send.Space;
import dev.kymo.network.wire.Hello;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Metadata;
import dev.kymo.reader.Recording;
import dev.kymo.session.ExitCode;
import dev.kymo.session.UsageException;
import dev.kymo.session.network.SendTarget;
import dev.kymo.session.system.LinuxCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kymo send}: sends a recording, or what is left of one that was being sent. */
@Command(
    name = "send",
    mixinStandardHelpOptions = true,
    description = {
      "Sends a recording to 'kymo listen' on another machine.",
      "Also the rest of one that 'kymo record --to' could not send; that one is removed here when"
          + " it was received. See docs/machines.md."
    })
public final class SendCommand implements Callable<Integer> {
  /** Nothing goes on for so long: the receiver is not there. */
  private static final long PATIENCE_MILLIS = 20_000;

  private final Terminal terminal;

  @Mixin private RecordingArgument recording;
  @Mixin private SendOptions send;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "What it is called there; default: as here.")
  private String name = "";

  public SendCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    SendTarget receiver = send.receiver();
    if (receiver == null) {
      throw new UsageException("where to? give --to HOST:PORT");
    }
    Path path = recording.path(terminal);
    if (!Recording.isRecording(path)) {
      throw new UsageException("not a recording: path=" + path);
    }
    Route to = receiver.route();
    boolean spool = SentBytes.isSpool(path);
    Hello hello = new Hello(to.token(), identity(path), receiver.session(), name(path));
    Space space = spool ? LinuxCalls::punch : Space.KEPT;
    sayWhatIsIn(path);
    Sender.Source source = new Sender.Source(path, hello, null, space, spool);
    try (Sender sender = Sender.start(source, to, terminal::warn)) {
      if (!sender.finish(PATIENCE_MILLIS)) {
        terminal.warn(
            "not everything was sent: to=%s path=%s; try again".formatted(to.address(), path));
        return ExitCode.FAILED;
      }
    }
    if (spool) {
      RecordingDirectory.delete(path);
    }
    if (!receiver.isOutput()) {
      terminal.line("sent %s to %s".formatted(path, to.address()));
    }
    return ExitCode.OK;
  }

  private void sayWhatIsIn(Path path) throws IOException {
    try (Recording open = Recording.open(path)) {
      PassedOn.say(RecordedDefinitions.read(open, new Diagnostics()), path, terminal);
    }
  }

  private static UUID identity(Path path) throws IOException {
    return Metadata.parse(Files.readAllBytes(path.resolve(Metadata.FILE))).uuid();
  }

  private String name(Path path) throws IOException {
    return name.isEmpty() ? String.valueOf(path.toRealPath().getFileName()) : name;
  }
}
