package dev.kymo.session.system;

import dev.kymo.session.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** QEMU's user mode for x86-64, as this machine has it. */
public final class Emulator {
  private static final String SET = "QEMU_SET_ENV";
  private static final String UNSET = "QEMU_UNSET_ENV";
  private static final String PROGRAM = "qemu-x86_64";
  private static final String PACKAGE =
      "instructions are recorded in QEMU 7.2's user mode, which Debian 12's package qemu-user has";
  private static final Pattern VERSION = Pattern.compile("version (\\d+\\.\\d+)");

  /** The version whose blocks and registers the plugin knows. */
  private static final String KNOWN = "7.2";

  private static final int MOST_INTERPRETERS = 4;

  private Emulator() {}

  /** False on ARM64: what is recorded with is built for x86-64 only. */
  public static boolean isForThisMachine() {
    return System.getProperty("os.arch").equals("amd64");
  }

  /**
   * Finds it on the path.
   *
   * @throws UsageException that says what to install
   */
  public static ProgramFile find(Map<String, String> environment) throws IOException {
    if (!isForThisMachine()) {
      throw new UsageException(
          "instructions are recorded on x86-64 only: machine=" + System.getProperty("os.arch"));
    }
    ProgramFile file;
    try {
      file = ProgramFile.find(PROGRAM, environment);
    } catch (UsageException e) {
      throw new UsageException(PACKAGE + "; not found: " + PROGRAM);
    }
    String version = version(file);
    if (!version.equals(KNOWN)) {
      throw new UsageException(
          "%s; this is another version: path=%s version=%s"
              .formatted(PACKAGE, RawText.shown(file.name()), version));
    }
    return file;
  }

  private static String version(ProgramFile file) throws IOException {
    Process process =
        new ProcessBuilder(file.path().toString(), "--version").redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher matcher = VERSION.matcher(text);
    return matcher.find() ? matcher.group(1) : "unknown";
  }

  /**
   * The words that make QEMU run a command: options, the program, its arguments. What the dynamic
   * linker is told is for the program's, not for QEMU's: these variables move into one of QEMU's
   * own. Options for them would be for everybody to read.
   *
   * @param plugin with its arguments
   * @throws UsageException if it is not a program for x86-64
   */
  public static List<String> command(
      String plugin, ProgramFile program, List<String> words, Map<String, String> environment) {
    List<String> command = new ArrayList<>(List.of(PROGRAM, "-plugin", plugin));
    List<String> handed = new ArrayList<>();
    for (String name : List.copyOf(environment.keySet())) {
      String value = environment.get(name);
      if (name.startsWith("LD_") && value != null && value.indexOf(',') < 0) { // it divides there
        handed.add(name + "=" + value);
        environment.remove(name);
      }
    }
    if (!handed.isEmpty()) {
      environment.put(SET, String.join(",", handed));
      environment.put(UNSET, SET + "," + UNSET);
    }
    List<String> front = new ArrayList<>(List.of(words.getFirst()));
    String runnable = runnable(program.name(), front);
    command.addAll(List.of("-0", front.getFirst(), runnable));
    command.addAll(front.subList(1, front.size()));
    command.addAll(words.subList(1, words.size()));
    return command;
  }

  /**
   * The program that runs a file: itself, or what its first line names.
   *
   * @param front what takes the place of argument 0
   */
  private static String runnable(String name, List<String> front) {
    String file = name;
    for (int i = 0; i < MOST_INTERPRETERS; i++) {
      try {
        Path path = RawText.path(file);
        ElfFile elf = ElfFile.open(path);
        if (elf != null) {
          return mustBeX86(elf, file);
        }
        String[] interpreter = ProgramFile.interpreter(path);
        front.set(0, file);
        if (interpreter != null && interpreter.length > 1) {
          front.addFirst(interpreter[1]);
        }
        file = interpreter == null ? "/bin/sh" : interpreter[0]; // as any shell does
        front.addFirst(file);
      } catch (IOException e) {
        throw new UsageException(
            "command cannot be run: path=%s error=\"%s\""
                .formatted(RawText.shown(file), e.getMessage()));
      }
    }
    throw new UsageException("too many interpreters of interpreters: " + RawText.shown(name));
  }

  private static String mustBeX86(ElfFile elf, String file) {
    if (!elf.isX86()) {
      throw new UsageException(
          "instructions are recorded of programs for x86-64 only: " + RawText.shown(file));
    }
    return file;
  }
}
