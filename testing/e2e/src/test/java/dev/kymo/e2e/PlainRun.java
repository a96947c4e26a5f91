package dev.kymo.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Runs programs plain and recorded, one after the other, and compares what they did. */
final class PlainRun {
  private static final Path DIFFERENCES = PlainPrograms.SOURCES.resolveSibling("differences.txt");

  /** A line that the library prints on a program's standard error. */
  private static final Pattern OF_KYMO = Pattern.compile("(?m)^kymo: .*\n");

  /** What is another each time: addresses, and the numbers of threads that Rust tells. */
  private static final Pattern NUMBERS = Pattern.compile("0x[0-9a-f]+|(?<=')\\s\\(\\d+\\)");

  /** Processor time that a recorded program may have, in microseconds: much, but not endless. */
  private static final long MOST_TIMES = 50;

  private static final long MOST = 20_000_000;

  private final Path folder;
  private final PlainPrograms programs;

  PlainRun(Path folder, PlainPrograms programs) {
    this.folder = folder;
    this.programs = programs;
  }

  /** Runs all programs plain. */
  void plain() throws Exception {
    Kymo.Result result = Kymo.exec(prepare("plain"), programs.runner().toString(), "list");
    if (result.exit() != 0) {
      throw new AssertionError(result.err());
    }
  }

  /** Runs all programs recorded, and returns each difference that is not expected. */
  List<String> recorded(String mode, String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("record", "-q", "--no-index"));
    words.addAll(List.of(options));
    words.addAll(List.of("-o", "../" + mode + ".kymo", "--", folder + "/each", "list"));
    Kymo.Result result = Kymo.runIn(prepare(mode), Map.of(), "", words.toArray(String[]::new));
    List<String> wrong = new ArrayList<>();
    if (result.exit() != 0 || !result.err().isEmpty()) {
      wrong.add("kymo record: " + result);
    }
    Map<String, String> expected = differences(mode);
    for (String name : programs.lines.keySet()) {
      compare(name, mode, expected.getOrDefault(name, "same"), wrong);
    }
    Kymo.exec(folder, "rm", "-r", mode + ".kymo");
    return wrong;
  }

  /** Programs have names that modes have, too. */
  private Path directory(String mode) {
    return folder.resolve("in-" + mode);
  }

  private Path prepare(String mode) throws IOException {
    Path directory = Files.createDirectory(directory(mode));
    List<String> list = new ArrayList<>();
    programs.lines.forEach((name, command) -> list.add(name + " " + command));
    Files.write(directory.resolve("list"), list);
    return directory;
  }

  private static Map<String, String> differences(String mode) throws IOException {
    Map<String, String> found = new TreeMap<>();
    for (String line : Files.readAllLines(DIFFERENCES)) {
      String[] words = line.split(" ");
      if (!line.startsWith("#")
          && (words[0].equals("*") || List.of(words[0].split(",")).contains(mode))) {
        found.put(words[1], words[2].replace(":", ""));
      }
    }
    return found;
  }

  private String read(String mode, String name, String file) throws IOException {
    Path path = directory(mode).resolve(name).resolve(file);
    String text = Files.exists(path) ? Files.readString(path) : "";
    return NUMBERS.matcher(text.replace("/in-" + mode + "/", "/in-plain/")).replaceAll("");
  }

  private void compare(String name, String mode, String expected, List<String> wrong)
      throws IOException {
    StringBuilder differs = new StringBuilder();
    boolean says = false;
    for (String file : List.of("out", "err", "end")) {
      String plain = read("plain", name, file);
      String got = read(mode, name, file);
      String without = file.equals("err") ? OF_KYMO.matcher(got).replaceAll("") : got;
      says |= !without.equals(got);
      if (!without.equals(plain)) {
        differs.append("\n  ").append(file).append(" was: ").append(plain);
        differs.append("\n  ").append(file).append(" is:  ").append(got);
      }
    }
    String is = !differs.isEmpty() ? "differs" : says ? "says" : "same";
    boolean forbidden = read("plain", name, "out").matches("(?s).*(EPERM|not allowed).*");
    if (!is.equals(expected) && !(is.equals("same") && forbidden)) {
      String said = says ? "\n  says: " + read(mode, name, "err") : "";
      wrong.add(name + " " + is + ", expected: " + expected + differs + said);
    }
    long most = MOST_TIMES * time("plain", name) + MOST;
    if (time(mode, name) > most) {
      wrong.add(name + ": micros=" + time(mode, name) + " plain=" + time("plain", name));
    }
  }

  private long time(String mode, String name) throws IOException {
    return Long.parseLong("0" + read(mode, name, "time").strip());
  }
}
