package dev.kymo.session.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The archive of classes that a command line names: an AOT cache, or class data sharing. The
 * virtual machine refuses an archive that was made without what an agent needs, and puts an agent's
 * classes into one that it makes.
 */
final class ClassArchive {
  private static final Pattern MAKES =
      Pattern.compile(
          "-XX:AOTCacheOutput=.*|-XX:AOTMode=(record|create)|-XX:ArchiveClassesAtExit=.*"
              + "|-Xshare:dump|-XX:DumpLoadedClassList=.*|-XX:\\+RecordDynamicDumpInfo");

  private static final Pattern READS =
      Pattern.compile(
          "-XX:AOTCache=.*|-XX:AOTMode=(on|required)|-XX:SharedArchiveFile=.*|-Xshare:on");

  private static final long PATIENCE_SECONDS = 60;

  private final JavaOptions options;

  ClassArchive(JavaOptions options) {
    this.options = options;
  }

  /** The option by which the program makes an archive; null if it makes none. */
  @Nullable String made() {
    return options.find(MAKES);
  }

  /** The option by which it uses one; null if it uses none but the JDK's own. */
  @Nullable String read() {
    return options.find(READS);
  }

  /** Whether the virtual machine takes the archive with the agent: it is asked. */
  boolean isAcceptedWith(Path agent) throws IOException, InterruptedException {
    List<String> words = options.words();
    boolean aot = String.valueOf(read()).startsWith("-XX:AOT");
    words.add(1, "-javaagent:" + agent + "=/nobody/records");
    words.add(aot ? "-XX:AOTMode=on" : "-Xshare:on");
    words.add("-version");
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().clear();
    builder.environment().putAll(options.environment());
    Process asked =
        builder
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectInput(Path.of("/dev/null").toFile())
            .start();
    boolean ended = asked.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    asked.destroyForcibly();
    return ended && asked.exitValue() == 0;
  }

  /** Takes its options out. */
  void leaveOut() {
    options.remove(READS);
  }
}
