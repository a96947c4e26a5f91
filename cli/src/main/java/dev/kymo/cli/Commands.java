package dev.kymo.cli;

import dev.kymo.cli.bench.BenchCommand;
import dev.kymo.cli.control.CtlCommand;
import dev.kymo.cli.control.DaemonCommand;
import dev.kymo.cli.diff.DiffCommand;
import dev.kymo.cli.doctor.DoctorCommand;
import dev.kymo.cli.events.EventsCommand;
import dev.kymo.cli.events.EventsCompileCommand;
import dev.kymo.cli.exchange.AlignCommand;
import dev.kymo.cli.exchange.ExportCommand;
import dev.kymo.cli.exchange.ImportCommand;
import dev.kymo.cli.exchange.ListenCommand;
import dev.kymo.cli.exchange.MergeCommand;
import dev.kymo.cli.exchange.SendCommand;
import dev.kymo.cli.exchange.ServeLogCommand;
import dev.kymo.cli.exchange.TrustCommand;
import dev.kymo.cli.machine.MachineCommand;
import dev.kymo.cli.machine.MachinePrepareCommand;
import dev.kymo.cli.machine.MachineRecordCommand;
import dev.kymo.cli.machine.MachineReplayCommand;
import dev.kymo.cli.mcp.McpCommand;
import dev.kymo.cli.print.PrintCommand;
import dev.kymo.cli.print.ReplayCommand;
import dev.kymo.cli.query.CheckCommand;
import dev.kymo.cli.query.QueryCommand;
import dev.kymo.cli.query.WhyCommand;
import dev.kymo.cli.record.DemoCommand;
import dev.kymo.cli.record.ForgetCommand;
import dev.kymo.cli.record.RecordCommand;
import dev.kymo.cli.report.InfoCommand;
import dev.kymo.cli.report.ReportCommand;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.view.IndexCommand;
import dev.kymo.cli.view.ServeCommand;
import dev.kymo.cli.view.SliceCommand;
import dev.kymo.cli.view.ViewCommand;
import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The commands by name. Reading the options of all takes longer than most of them run, so only the
 * requested command is read.
 */
final class Commands {
  private static final List<String> HELP = List.of("-h", "--help");

  private static final Map<String, Entry> ALL = new LinkedHashMap<>();

  private record Entry(Class<?> type, Function<Terminal, Object> maker) {}

  static {
    add("record", RecordCommand.class, terminal -> new RecordCommand());
    add("machine", MachineCommand.class, Commands::machine);
    add("view", ViewCommand.class, ViewCommand::new);
    add("serve", ServeCommand.class, ServeCommand::new);
    add("index", IndexCommand.class, IndexCommand::new);
    add("info", InfoCommand.class, InfoCommand::new);
    add("report", ReportCommand.class, ReportCommand::new);
    add("diff", DiffCommand.class, DiffCommand::new);
    add("why", WhyCommand.class, WhyCommand::new);
    add("query", QueryCommand.class, QueryCommand::new);
    add("check", CheckCommand.class, CheckCommand::new);
    add("mcp", McpCommand.class, McpCommand::new);
    add("replay", ReplayCommand.class, ReplayCommand::new);
    add("print", PrintCommand.class, PrintCommand::new);
    add("slice", SliceCommand.class, SliceCommand::new);
    add("import", ImportCommand.class, ImportCommand::new);
    add("align", AlignCommand.class, AlignCommand::new);
    add("merge", MergeCommand.class, MergeCommand::new);
    add("listen", ListenCommand.class, ListenCommand::new);
    add("trust", TrustCommand.class, TrustCommand::new);
    add("send", SendCommand.class, SendCommand::new);
    add("export", ExportCommand.class, ExportCommand::new);
    add("serve-log", ServeLogCommand.class, ServeLogCommand::new);
    add("events", EventsCommand.class, Commands::events);
    add("forget", ForgetCommand.class, ForgetCommand::new);
    add("ctl", CtlCommand.class, CtlCommand::new);
    add("daemon", DaemonCommand.class, DaemonCommand::new);
    add("doctor", DoctorCommand.class, DoctorCommand::new);
    add("demo", DemoCommand.class, terminal -> new DemoCommand());
    add("bench", BenchCommand.class, BenchCommand::new);
  }

  private Commands() {}

  private static void add(String name, Class<?> type, Function<Terminal, Object> maker) {
    ALL.put(name, new Entry(type, maker));
  }

  private static Object events(Terminal terminal) {
    return new CommandLine(new EventsCommand()).addSubcommand(new EventsCompileCommand(terminal));
  }

  private static Object machine(Terminal terminal) {
    return new CommandLine(new MachineCommand())
        .addSubcommand(new MachinePrepareCommand(terminal))
        .addSubcommand(new MachineRecordCommand())
        .addSubcommand(new MachineReplayCommand());
  }

  private static @Nullable Entry asked(String[] args) {
    return args.length == 0 ? null : ALL.get(args[0]);
  }

  /** Starts slow preparations in other threads while the virtual machine is starting. */
  static void prepare(String[] args) {
    Entry asked = asked(args);
    if (asked != null) {
      beside("kymo options", () -> readAnnotations(asked.type));
    }
    if (asked != null && asked.type == RecordCommand.class) {
      beside("kymo start", RecordCommand::prepare);
    }
  }

  private static void beside(String name, Runnable task) {
    Thread.ofPlatform().daemon().name(name).start(task);
  }

  /** The class library generates a class for each kind of annotation at its first use. */
  private static void readAnnotations(Class<?> type) {
    for (Field field : type.getDeclaredFields()) {
      field.getAnnotations();
    }
  }

  /** Adds the command that the arguments name, or for help the names of all. */
  static void add(CommandLine line, String[] args, Terminal terminal) {
    Entry asked = asked(args);
    if (asked != null) {
      line.addSubcommand(asked.maker.apply(terminal));
      if (asked.type == DemoCommand.class) {
        ALL.forEach((name, entry) -> {
          if (DemoCommand.RUNS.contains(name)) {
            line.addSubcommand(entry.maker.apply(terminal));
          }
        });
      }
    } else if (args.length == 1 && HELP.contains(args[0])) {
      ALL.forEach((name, entry) -> line.addSubcommand(name, described(entry.type)));
    } else {
      ALL.values().forEach(entry -> line.addSubcommand(entry.maker.apply(terminal)));
    }
  }

  /** A command of which only the description is known. */
  private static CommandSpec described(Class<?> type) {
    CommandSpec spec = CommandSpec.create();
    Command command = type.getAnnotation(Command.class);
    if (command != null) {
      spec.usageMessage().description(command.description()).hidden(command.hidden());
    }
    return spec;
  }
}
