package dev.kymo.session.run;

import dev.kymo.session.system.ElfFile;
import dev.kymo.session.system.ProgramFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Libraries that the dynamic loader loads before those that a program names. */
public final class Preload {
  private static final String VARIABLE = "LD_PRELOAD";

  /**
   * Without this, programs built with the address sanitizer refuse to run with preloaded libraries.
   */
  private static final String SANITIZER = "ASAN_OPTIONS";

  private static final String NOT_FIRST = "verify_asan_link_order=0";

  /** What {@link #obstacle} says of a program that runs, but is not for this machine's libkymo. */
  static final String WORD_32_BIT = "a 32-bit program";

  /** And of one whose loader ends the program rather than run it without a library. */
  static final String OTHER_LIBRARY = "built for the C library musl";

  /** So many scripts may name each other as their interpreters, as the kernel has it. */
  private static final int DEEPEST_SCRIPT = 5;

  private static final Path SELF = Path.of("/proc/self");
  private static final int SET_USER = 04000;
  private static final int SET_GROUP = 02000;

  /** Separators of libraries in the variable: a path with one of these cannot be given. */
  private static final Pattern SEPARATOR = Pattern.compile("[ :]");

  /** Name of a link, in the recording's shared memory, to a library with such a path. */
  private static final String LINK = "libkymo.so";

  /**
   * What is preloaded. Each of them contains libkymo and has its name: a program that is linked
   * with libkymo uses that one, too.
   */
  public enum Library {
    /** The hooks that a program may be built with. */
    FUNCTIONS("libkymo.so", "hooks of functions"),
    /** And functions that replace the thread library's. */
    THREADS("libkymo-threads.so", "thread operations"),
    /** And functions that replace those of the C library for sockets. */
    MESSAGES("libkymo-messages.so", "messages"),
    /** All of these. */
    THREADS_AND_MESSAGES("libkymo-threads-messages.so", "thread operations or messages");

    private final String file;

    /** What is recorded by it, beyond hooks. */
    final String what;

    Library(String file, String what) {
      this.file = file;
      this.what = what;
    }

    public static Library of(boolean threads, boolean messages) {
      return threads ? messages ? THREADS_AND_MESSAGES : THREADS : messages ? MESSAGES : FUNCTIONS;
    }

    /** Its name, without the end of a file's. */
    String title() {
      return file.substring(0, file.indexOf('.'));
    }
  }

  private Preload() {}

  /**
   * Lets a program, and those that it starts, find a library's functions before all others.
   *
   * @param session directory of the recording's shared memory
   * @return false where it could not be built
   */
  static boolean add(Library library, Path agent, Path session, Map<String, String> environment)
      throws IOException {
    return add(library.file, agent, session, environment);
  }

  /** The library with the hooks of functions. */
  public static Path library(Path agent) {
    return library(agent, "libkymo.so");
  }

  /** One of the libraries that are installed beside the agent. */
  public static Path library(Path agent, String name) {
    return agent.resolveSibling("../native").resolve(name).normalize().toAbsolutePath();
  }

  /** Adds a library, if it was built. */
  private static boolean add(
      String library, Path agent, Path session, Map<String, String> environment)
      throws IOException {
    Path file = library(agent, library);
    boolean built = Files.isRegularFile(file);
    if (built) {
      String sayable = sayable(file, session).toString();
      environment.merge(VARIABLE, sayable, (given, ours) -> ours + ":" + given);
      environment.merge(SANITIZER, NOT_FIRST, (given, ours) -> given + ":" + ours);
    }
    return built;
  }

  private static Path sayable(Path file, Path session) throws IOException {
    if (!SEPARATOR.matcher(file.toString()).find()) {
      return file;
    }
    Path link = session.resolve(LINK).toAbsolutePath();
    if (SEPARATOR.matcher(link.toString()).find()) {
      throw new IOException(
          "libkymo cannot be preloaded from a path with a blank or colon: library=%s shared_memory=%s; name another directory for that with KYMO_SHARED_MEMORY"
              .formatted(file, session));
    }
    return Files.createSymbolicLink(link, file);
  }

  /** Why the loader would not preload a library, as a word about the program; null if it would. */
  static @Nullable String obstacle(Path program) {
    try {
      if (isOfAnother(program, SET_USER, "uid")) {
        return "set-user-id";
      }
      if (isOfAnother(program, SET_GROUP, "gid")) {
        return "set-group-id";
      }
      ElfFile elf = ElfFile.open(program);
      if (elf == null) {
        return isScriptOfMusl(program, 0) ? OTHER_LIBRARY : null;
      } else if (!elf.is64Bit()) {
        return WORD_32_BIT;
      } else if (!elf.hasLoader()) {
        return "statically linked";
      }
      return isOfMusl(elf) ? OTHER_LIBRARY : null;
    } catch (IOException e) {
      return null; // an unreadable program can perhaps be run
    }
  }

  private static boolean isOfMusl(ElfFile elf) throws IOException {
    return String.valueOf(elf.loader()).contains("/ld-musl");
  }

  /** Only a script's interpreter is started by the loader; what it starts is another matter. */
  private static boolean isScriptOfMusl(Path script, int depth) throws IOException {
    String[] words = depth == DEEPEST_SCRIPT ? null : ProgramFile.interpreter(script);
    if (words == null) {
      return false;
    }
    Path interpreter = Path.of(words[0]);
    ElfFile elf = ElfFile.open(interpreter);
    return elf == null ? isScriptOfMusl(interpreter, depth + 1) : isOfMusl(elf);
  }

  /** Whether a program runs as somebody else. */
  private static boolean isOfAnother(Path program, int bit, String whose) throws IOException {
    int mode = (Integer) Files.getAttribute(program, "unix:mode");
    Object owner = Files.getAttribute(program, "unix:" + whose);
    return (mode & bit) != 0 && !owner.equals(Files.getAttribute(SELF, "unix:" + whose));
  }
}
