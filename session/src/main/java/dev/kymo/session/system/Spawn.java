package dev.kymo.session.system;

import static dev.kymo.session.system.LinuxCalls.at;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Starts a command as a shell would have started it in place of this program. {@code
 * ProcessBuilder} does not: it passes arguments and environment on in the locale's character set,
 * closes files, and leaves what the virtual machine has changed for itself: which signals are
 * blocked and ignored, and how many files may be open.
 */
public final class Spawn {
  private static final int SET_DEFAULTS = 0x04;
  private static final int SET_MASK = 0x08;
  private static final int SIGNALS = 64;

  /**
   * Signals that must not be ignored in this process: the virtual machine uses faults and waits for
   * children; two cannot be ignored.
   */
  private static final Set<Integer> KEPT = Set.of(4, 5, 7, 8, 9, 11, 17, 19);

  /** Two signals of the C library's own, which it would leave ignored. */
  private static final long INTERNAL = 3L << 31;

  /** More than the C libraries have. */
  private static final int STRUCTURE = 1024;

  private static final int OUTPUT = 1;
  private static final int ERROR = 2;
  private static final int LAST_STANDARD = 2;
  private static final String CLOSE = "posix_spawn_file_actions_addclose";
  private static final String CLOSE_FROM = "posix_spawn_file_actions_addclosefrom_np";

  private final Inherited inherited;
  private final Arena arena;

  private Spawn(Inherited inherited, Arena arena) {
    this.inherited = inherited;
    this.arena = arena;
  }

  /** A command was refused by the system. */
  public static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    final int error;

    RefusedException(int error) {
      super(LinuxCalls.message(error));
      this.error = error;
    }
  }

  /** Loads and links what a start needs. */
  public static void prepare() {
    UUID.randomUUID(); // the source of random numbers
    try (Arena arena = Arena.ofConfined()) {
      LinuxCalls.prepare(arena);
      Spawn spawn = new Spawn(Inherited.find(), arena);
      release(spawn.actions(), spawn.attributes());
    } catch (IOException | RuntimeException e) {
      // the start itself reports it
    }
  }

  /**
   * Starts a command; returns its process id. A file that the system does not know how to run is a
   * script for {@code sh}, as with any shell.
   */
  public static int start(
      String program, List<String> command, Map<String, String> environment, Inherited inherited)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      Spawn spawn = new Spawn(inherited, arena);
      try {
        return spawn.start(program, command, environment);
      } catch (RefusedException e) {
        if (e.error != LinuxCalls.ENOEXEC) {
          throw e;
        }
        List<String> words = new ArrayList<>(List.of("sh", program));
        words.addAll(command.subList(1, command.size()));
        return spawn.start("/bin/sh", words, environment);
      }
    }
  }

  private int start(String program, List<String> command, Map<String, String> environment)
      throws IOException {
    List<String> variables = new ArrayList<>();
    environment.forEach((name, value) -> variables.add(name + "=" + value));
    MemorySegment path = LinuxCalls.text(arena, RawText.encode(program));
    MemorySegment words = array(command);
    MemorySegment entries = array(variables);
    MemorySegment actions = actions();
    MemorySegment attributes = attributes();
    MemorySegment pid = arena.allocate(ValueLayout.JAVA_INT);
    List<Runnable> undo = new ArrayList<>();
    try {
      asItWas(undo);
      int error =
          LinuxCalls.call(
              "posix_spawn",
              at(pid),
              at(path),
              at(actions),
              at(attributes),
              at(words),
              at(entries));
      if (error != 0) {
        throw new RefusedException(error);
      }
    } finally {
      undo.forEach(Runnable::run);
      release(actions, attributes);
    }
    return LinuxCalls.buffer(pid).getInt();
  }

  private static void release(MemorySegment actions, MemorySegment attributes) {
    LinuxCalls.call("posix_spawn_file_actions_destroy", at(actions));
    LinuxCalls.call("posix_spawnattr_destroy", at(attributes));
  }

  private MemorySegment array(List<String> texts) {
    MemorySegment array = arena.allocate(ValueLayout.ADDRESS, texts.size() + 1L);
    ByteBuffer entries = LinuxCalls.buffer(array);
    for (String text : texts) {
      entries.putLong(at(LinuxCalls.text(arena, RawText.encode(text))));
    }
    return array;
  }

  /** Sets in this process, for a moment, what a child inherits and no attribute can set. */
  private void asItWas(List<Runnable> undo) {
    long ignored = inherited.ignored() & ~Inherited.ignoredNow();
    for (int signal = 1; signal <= SIGNALS; signal++) {
      int number = signal;
      if (((ignored >> (signal - 1)) & 1) != 0 && !KEPT.contains(signal)) {
        MemorySegment before = LinuxCalls.ignore(arena, signal);
        undo.add(() -> LinuxCalls.restore(number, before));
      }
    }
    if (inherited.openFiles() != 0) {
      long before = LinuxCalls.openFiles(inherited.openFiles());
      undo.add(() -> LinuxCalls.openFiles(before));
    }
  }

  /** Closes everything that this process was not given itself. */
  private MemorySegment actions() throws IOException {
    MemorySegment actions = arena.allocate(STRUCTURE, Long.BYTES);
    LinuxCalls.call("posix_spawn_file_actions_init", at(actions));
    for (int descriptor : inherited.closed()) {
      LinuxCalls.call(CLOSE, at(actions), descriptor);
    }
    if (inherited.outputToError()) {
      if (inherited.closed().contains(ERROR)) {
        LinuxCalls.call(CLOSE, at(actions), OUTPUT);
      } else {
        LinuxCalls.call("posix_spawn_file_actions_adddup2", at(actions), ERROR, OUTPUT);
      }
    }
    if (inherited.folder() >= 0) {
      LinuxCalls.call("posix_spawn_file_actions_addfchdir_np", at(actions), inherited.folder());
    }
    int highest = LAST_STANDARD;
    for (int descriptor : inherited.descriptors()) {
      highest = Math.max(highest, descriptor);
    }
    boolean closesRest = closesRest(actions, highest + 1);
    for (int descriptor : open()) {
      boolean others = descriptor > LAST_STANDARD && !inherited.descriptors().contains(descriptor);
      if (others && (descriptor < highest || !closesRest)) {
        LinuxCalls.call(CLOSE, at(actions), descriptor);
      }
    }
    return actions;
  }

  /** Closes all from a number on; false where the C library is too old for that. */
  private static boolean closesRest(MemorySegment actions, int from) {
    try {
      LinuxCalls.call(CLOSE_FROM, at(actions), from);
      return true;
    } catch (LinuxCalls.MissingException e) {
      return false;
    }
  }

  private static Set<Integer> open() throws IOException {
    Set<Integer> open = new TreeSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path file : files) {
        open.add(Integer.valueOf(file.getFileName().toString()));
      }
    }
    return open;
  }

  private MemorySegment attributes() {
    MemorySegment attributes = arena.allocate(STRUCTURE, Long.BYTES);
    LinuxCalls.call("posix_spawnattr_init", at(attributes));
    LinuxCalls.call("posix_spawnattr_setflags", at(attributes), SET_DEFAULTS | SET_MASK);
    LinuxCalls.call("posix_spawnattr_setsigmask", at(attributes), set(inherited.blocked()));
    LinuxCalls.call(
        "posix_spawnattr_setsigdefault",
        at(attributes),
        set((INTERNAL | Inherited.ignoredNow()) & ~inherited.ignored()));
    return attributes;
  }

  /** Where the set is. */
  private long set(long signals) {
    MemorySegment set = arena.allocate(SIGNALS * 2L, Long.BYTES);
    LinuxCalls.buffer(set).putLong(signals);
    return at(set);
  }
}
