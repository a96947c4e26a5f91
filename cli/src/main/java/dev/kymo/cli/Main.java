package dev.kymo.cli;

import dev.kymo.cli.terminal.ClosedOutputException;
import dev.kymo.cli.terminal.OutputException;
import dev.kymo.cli.terminal.PrintableStream;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.drain.Version;
import dev.kymo.events.DefinitionException;
import dev.kymo.importers.target.ForeignException;
import dev.kymo.kernel.KernelException;
import dev.kymo.model.index.DamagedIndexException;
import dev.kymo.reader.RecordingException;
import dev.kymo.scripts.ScriptException;
import dev.kymo.session.ExitCode;
import dev.kymo.session.UsageException;
import dev.kymo.session.system.RawText;
import dev.kymo.session.system.Timings;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code kymo}. The only place that ends the program. */
@Command(
    name = "kymo",
    mixinStandardHelpOptions = true,
    version = Main.VERSION,
    description = "Records what every thread of a program did, and shows it on one timeline.")
public final class Main implements Runnable {
  static final String VERSION = "kymo " + Version.TEXT;

  /** Answered at once. */
  private static final List<String> VERSION_OPTIONS = List.of("-V", "--version");

  @Spec private CommandSpec spec;

  private Main() {}

  /** A command that is not run. */
  static Object toDescribe() {
    return new Main();
  }

  /** Runs a command and ends the program with its exit code. */
  public static void main(String[] args) {
    PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    System.setErr(PrintableStream.of(err)); // recording has no terminal
    // Not System.out: it would swallow the error when nobody reads any more.
    int code = run(RawText.arguments(args), new FileOutputStream(FileDescriptor.out), err);
    // System.exit would look for a logger first. Everything is cleaned up by now.
    Runtime.getRuntime().halt(code);
  }

  /** Runs a command in this process, as tests do; returns its exit code. */
  public static int run(String[] args, OutputStream out, PrintStream raw) {
    Timings.end("begun");
    Terminal terminal = new Terminal(out, raw);
    if (args.length == 1 && VERSION_OPTIONS.contains(args[0])) {
      terminal.line(VERSION);
      terminal.end();
      return ExitCode.OK;
    }
    Commands.prepare(args);
    PrintStream err = PrintableStream.of(raw);
    CommandLine line = new CommandLine(new Main());
    Commands.add(line, args, terminal);
    line.setOut(terminal.helpWriter());
    line.setExpandAtFiles(false); // @NAME belongs to the command, or is a name
    line.registerConverter(Path.class, RawText::path);
    line.setParameterExceptionHandler((e, a) -> usage(e, err));
    line.setExecutionExceptionHandler((e, l, r) -> failed(e, err));
    Timings.end("options known");
    try {
      int code = line.execute(args);
      terminal.end();
      return code;
    } catch (ClosedOutputException e) {
      return ExitCode.OK;
    } catch (OutputException e) {
      err.println("kymo: " + e.getMessage());
      return ExitCode.FAILED;
    } catch (OutOfMemoryError e) {
      err.println(
          "kymo: not enough memory: heap_bytes=%d; ask for less, for instance with --thread, or give more with KYMO_HEAP=2g"
              .formatted(Runtime.getRuntime().maxMemory()));
      return ExitCode.FAILED;
    } finally {
      terminal.cleanup().run();
    }
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }

  private static int usage(ParameterException e, PrintStream err) {
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    err.printf(
        "kymo: %s; see '%s --help'%n",
        message, e.getCommandLine().getCommandSpec().qualifiedName());
    return ExitCode.USAGE;
  }

  private static int failed(Exception e, PrintStream err) {
    if (e instanceof ClosedOutputException) {
      return ExitCode.OK; // the reader of our output, such as head, has seen enough
    }
    if (e instanceof DefinitionException definitions) {
      // One a line, in the format of compilers: editors find the places.
      String.valueOf(e.getMessage()).lines().forEach(err::println);
      err.println("kymo: definitions are refused: errors=" + definitions.problems().size());
      return ExitCode.FAILED;
    }
    if (e instanceof FileSystemException system) {
      err.println("kymo: failed: path=%s error=\"%s\"".formatted(system.getFile(), reason(system)));
      return ExitCode.FAILED;
    }
    // A plain IOException of Kymo is a sentence; those of the file system are only a path.
    boolean sentence =
        e instanceof UsageException
            || e instanceof OutputException
            || e instanceof RecordingException
            || e instanceof DamagedIndexException
            || e instanceof ForeignException
            || e instanceof ScriptException
            || e instanceof KernelException
            || e.getClass() == IOException.class;
    err.println("kymo: " + (sentence ? e.getMessage() : "failed: error=\"" + e + "\""));
    return e instanceof UsageException ? ExitCode.USAGE : ExitCode.FAILED;
  }

  /** For the commonest reasons the class library has only the exception's class. */
  private static String reason(FileSystemException e) {
    return e instanceof NoSuchFileException
        ? "no such file or directory"
        : e instanceof AccessDeniedException
            ? "permission denied"
            : e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
  }
}
