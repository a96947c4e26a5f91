package dev.kymo.agent;

import dev.kymo.agent.alone.Options;
import dev.kymo.agent.alone.OwnRecording;
import dev.kymo.agent.messages.SocketWeaver;
import dev.kymo.agent.messages.StatementWeaver;
import dev.kymo.agent.messages.TlsWeaver;
import dev.kymo.agent.waits.WaitRecorder;
import dev.kymo.agent.weave.AgentReweaver;
import dev.kymo.agent.weave.HiddenClassWeaver;
import dev.kymo.agent.weave.JdkAccess;
import dev.kymo.agent.weave.LoadedClasses;
import dev.kymo.agent.weave.Selection;
import dev.kymo.agent.weave.Transformer;
import dev.kymo.recorder.ChildEnvironment;
import dev.kymo.recorder.ProcessRecorder;
import dev.kymo.recorder.Refusal;
import dev.kymo.recorder.Session;
import dev.kymo.recorder.platform.Messages;
import dev.kymo.recorder.platform.RecorderThreads;
import dev.kymo.recorder.platform.RecorderWork;
import dev.kymo.recorder.ring.Probe;
import dev.kymo.recorder.ring.ProbeCopy;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Starts and ends the recording of the program this runs in. */
public final class Agent {
  private static final int USAGE = 2;
  private static final String UNRECORDED =
      "the agent cannot start, the program runs on unrecorded: ";

  private Agent() {}

  /**
   * Starts recording. If it cannot in a program that already runs, whoever attaches learns why.
   *
   * @param jar the agent's jar
   * @param arguments the session's directory, see {@link Session}; or {@link Options}
   * @param attached whether the program already runs
   * @param hooks for woven code
   */
  public static void run(
      String jar,
      Instrumentation instrumentation,
      @Nullable String arguments,
      boolean attached,
      Hooks hooks) {
    if (arguments == null || isAlone(arguments)) {
      String options = arguments == null ? "" : arguments;
      recordAlone(jar, instrumentation, options, attached, hooks);
      return;
    }
    String refused = tryStart(jar, instrumentation, arguments, hooks);
    if (refused == null || (attached && Refusal.write(Path.of(arguments), refused))) {
      return;
    }
    Messages.print(UNRECORDED + refused);
  }

  /** Whether the agent records without {@code kymo record}, which makes a session. */
  public static boolean isAlone(@Nullable String arguments) {
    return arguments == null
        || !(arguments.startsWith("/") || arguments.equals(ChildEnvironment.BY_ENVIRONMENT));
  }

  /** A program that is about to begin does not, if nobody can know what is to be recorded. */
  private static void recordAlone(
      String jar,
      Instrumentation instrumentation,
      String arguments,
      boolean attached,
      Hooks hooks) {
    try {
      Options options = Options.of(arguments);
      OwnRecording recording = OwnRecording.begin(options);
      String refused = tryStart(jar, instrumentation, recording.sharedMemory().toString(), hooks);
      ProcessRecorder recorder = ProcessRecorder.current();
      if (refused == null && recorder != null) {
        recording.endWith(recorder);
        return;
      }
      recording.discard();
      Messages.print(UNRECORDED + refused);
    } catch (IllegalArgumentException e) {
      if (!attached) {
        Messages.print(String.valueOf(e.getMessage()));
        Runtime.getRuntime().halt(USAGE);
      }
      Messages.print(UNRECORDED + e.getMessage());
    } catch (IOException e) {
      Messages.print(UNRECORDED + e.getMessage());
    }
  }

  /**
   * The session's directory. Everybody can read a command line, and nobody may know the directory
   * of root's recordings; so those have it in the environment.
   */
  private static Path directory(String argument) {
    return Path.of(
        argument.equals(ChildEnvironment.BY_ENVIRONMENT)
            ? String.valueOf(System.getenv(ChildEnvironment.SESSION))
            : argument);
  }

  /** The reason why it cannot start; null if it starts, or if it has no reason to. */
  private static @Nullable String tryStart(
      String jar, Instrumentation instrumentation, String arguments, Hooks hooks) {
    Path directory = directory(arguments);
    boolean begun = false;
    try {
      Path session = directory.resolve("session");
      if (Files.notExists(session)) {
        return null; // the recording that this process was started under is over
      }
      if (!Files.isReadable(session)) {
        throw new IllegalStateException(
            "the recording cannot be joined by this user: user="
                + System.getProperty("user.name")
                + " file="
                + session);
      }
      begun = RecorderWork.begin();
      start(jar, Session.load(directory), instrumentation, hooks);
      return null;
    } catch (Throwable e) {
      return describe(e);
    } finally {
      RecorderWork.end(begun);
    }
  }

  private static void start(
      String jar, Session session, Instrumentation instrumentation, Hooks hooks) throws Exception {
    boolean inlined = session.methods().budget() == 0;
    ProbeCopy.classFile(hooks.probe(inlined));
    boolean machineCode = JdkAccess.loadLibrary(jar, session.directory());
    Future<?> children = beside(() -> ChildProcesses.follow(jar, session, instrumentation));
    ProcessRecorder recorder = ProcessRecorder.start(session);
    Probe.leave(0, Probe.enter(0)); // still off: loads and links what the first event needs
    hooks.define(inlined);
    Transformer transformer = new Transformer(recorder, new Selection(session), machineCode);
    instrumentation.addTransformer(transformer, true);
    children.get();
    HiddenClassWeaver hidden = new HiddenClassWeaver(instrumentation, transformer);
    hidden.weave(recorder);
    recorder
        .ending()
        .hints(() -> {
          transformer.tellRefused();
          transformer.tellUnused();
        });
    recorder.ending().keep(transformer::keepFindings);
    SocketWeaver sockets = SocketWeaver.start(instrumentation, recorder);
    TlsWeaver tls = TlsWeaver.start(instrumentation, recorder);
    StatementWeaver statements = StatementWeaver.start(instrumentation, recorder);
    recorder.onStop(running -> {
      sockets.unweave();
      tls.unweave();
      statements.unweave();
      transformer.close();
      if (!transformer.weavesOnce()) {
        LoadedClasses.retransform(
            instrumentation, type -> transformer.hasWoven(type, running), recorder);
      }
      instrumentation.removeTransformer(transformer);
      hidden.unweave();
    });
    if (!transformer.weavesOnce()) {
      recorder.reweaver(new AgentReweaver(transformer, instrumentation, recorder));
    }
    recorder.switchOn();
    UserEventLink.connect(instrumentation);
    WaitRecorder.start(instrumentation, recorder);
    int again = LoadedClasses.retransform(instrumentation, transformer::wouldWeave, recorder);
    if (again > 0 && transformer.weavesOnce()) {
      recorder.notice(
          "breakpoints in classes that were loaded are gone, for they got probes: classes="
              + again);
    }
    transformer.tellRefused();
  }

  @FunctionalInterface
  private interface Work {
    void run() throws Exception;
  }

  /**
   * Work that takes time, mostly to load ASM, and does not depend on the work done at the same
   * time.
   */
  private static Future<?> beside(Work work) {
    FutureTask<@Nullable Void> task =
        new FutureTask<>(() -> {
          RecorderWork.begin();
          work.run();
          return null;
        });
    Thread thread = new Thread(null, task, RecorderThreads.WEAVING, 0, false);
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  private static String describe(Throwable e) {
    return e instanceof IllegalStateException ? String.valueOf(e.getMessage()) : e.toString();
  }
}
