package dev.kymo.session.machine;

import dev.kymo.session.system.ElfFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds what ELF files need to be loaded, by asking the dynamic loader, as {@code ldd} does. */
final class Libraries {
  private static final Pattern FOUND = Pattern.compile("(?:=> |^\\s*)(/.*) \\(0x[0-9a-f]+\\)$");
  private static final Path USUAL_LOADER = Path.of("/lib64/ld-linux-x86-64.so.2");

  /** Without these, the loader would do more than list, or write elsewhere. */
  private static final Map<String, String> QUIET =
      Map.of("LD_DEBUG", "", "LD_PRELOAD", "", "LD_VERBOSE", "");

  private final Set<String> found = new HashSet<>();

  /**
   * The dynamic loader and the libraries of a program or library, as far as they have not been
   * returned before; none if it is no such file.
   */
  List<Path> of(Path file) throws IOException, InterruptedException {
    ElfFile elf = ElfFile.open(file);
    List<Path> paths = new ArrayList<>();
    if (elf == null || !elf.isX86()) {
      return paths;
    }
    Path loader = elf.loader() == null ? USUAL_LOADER : Path.of(elf.loader());
    if (elf.loader() != null) {
      add(loader, paths);
    }
    if (found.containsAll(elf.needed()) || !Files.isExecutable(loader)) {
      return paths;
    }
    String listed;
    try {
      Path absolute = file.toAbsolutePath();
      listed =
          HostProgram.run(
              Path.of("/"), QUIET, List.of(loader.toString(), "--list", absolute.toString()));
    } catch (IOException e) {
      return paths; // a library that only some program can load
    }
    for (String line : listed.lines().toList()) {
      Matcher matcher = FOUND.matcher(line);
      if (matcher.find()) {
        add(Path.of(matcher.group(1)), paths);
      }
    }
    return paths;
  }

  private void add(Path library, List<Path> paths) {
    Path name = library.getFileName();
    if (name != null && found.add(name.toString())) {
      paths.add(library);
    }
  }
}
