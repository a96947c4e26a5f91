package dev.kymo.session.machine;

import dev.kymo.session.UsageException;
import dev.kymo.session.system.ElfFile;
import dev.kymo.session.system.ProgramFile;
import dev.kymo.session.system.RawText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The needs of a command in a machine: the files, and the orders for the first program. */
public final class MachineFiles {
  /** An argument that names a larger file is rarely an input. */
  private static final long LARGEST_ARGUMENT = 256 << 20;

  private static final Path SHELL = Path.of("/bin/sh");

  /** What the C library has of languages, which programs read by themselves. */
  private static final List<Path> LOCALES =
      List.of(Path.of("/usr/lib/locale/C.utf8"), Path.of("/usr/lib/locale/locale-archive"));

  private static final List<String> LANGUAGE = List.of("LC_ALL", "LC_CTYPE", "LANG");

  private MachineFiles() {}

  /**
   * Collects them.
   *
   * @param words the command
   * @param extra files and directories that the command reads, too
   * @param init the machine's first program
   * @throws UsageException if there is no such program or file
   */
  public static InitialFiles collect(
      List<String> words, List<Path> extra, byte[] init, Map<String, String> environment)
      throws IOException, InterruptedException {
    ProgramFile program = ProgramFile.find(words.getFirst(), environment);
    ElfFile elf = ElfFile.open(program.path());
    if (elf != null && !elf.isX86()) {
      throw new UsageException(
          "machines run programs for x86-64 only: " + RawText.shown(program.name()));
    }
    InitialFiles files = new InitialFiles(environment);
    Path current = Path.of("").toAbsolutePath();
    files.addDirectory(current);
    files.add(program.path());
    String first = program.name();
    List<String> all = new ArrayList<>(words);
    if (elf == null && ProgramFile.interpreter(program.path()) == null) {
      files.add(SHELL); // as any shell does
      first = SHELL.toString();
      all.set(0, program.name());
      all.addFirst("sh");
    }
    for (Path each : extra) {
      files.add(each);
    }
    if (LANGUAGE.stream().anyMatch(name -> !environment.getOrDefault(name, "").isEmpty())) {
      for (Path each : LOCALES) {
        if (Files.exists(each)) {
          files.add(each);
        }
      }
    }
    for (String each : words.subList(1, words.size())) {
      if (isInput(each)) {
        files.add(RawText.path(each));
      }
    }
    files.make("/init", init);
    files.make(GuestOrders.FILE, GuestOrders.run(current.toString(), first, all, environment));
    return files;
  }

  private static boolean isInput(String argument) throws IOException {
    try {
      Path path = RawText.path(argument);
      return !argument.isEmpty()
          && Files.isRegularFile(path)
          && Files.isReadable(path)
          && Files.size(path) <= LARGEST_ARGUMENT;
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
