package dev.kymo.e2e.code;

import dev.kymo.e2e.kit.Kymo;
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
  /** The mode in which QEMU runs the programs; in all others they have Kymo's library. */
  static final String INSTRUCTIONS = "instructions";

  private static final Path DIFFERENCES = PlainPrograms.SOURCES.resolveSibling("differences.txt");

  /** A line on a program's standard error that the library prints, the loader about it, or QEMU. */
  private static final Pattern OF_KYMO =
      Pattern.compile(
          "(?m)^(kymo: |qemu: uncaught target signal |ERROR: ld.so: object '.*/libkymo).*\n");

  /** What is another each time: addresses, and the numbers of threads that Rust tells. */
  private static final Pattern NUMBERS = Pattern.compile("0x[0-9a-f]+|(?<=')\\s\\(\\d+\\)");

  /** Processor time that a recorded program may have, in microseconds: much, but not endless. */
  private static final long MOST_TIMES = 50;

  private static final long MOST = 20_000_000;

  /** Nobody is so slow; who is later hangs, and is ended. */
  private static final String SECONDS = "240";

  /** Programs of one recording in QEMU, which is so much slower that all would take too long. */
  private static final int IN_QEMU = 100;

  private final Path folder;
  private final PlainPrograms programs;

  /** Who runs the programs; empty: who runs the tests. */
  private final String user;

  PlainRun(Path folder, PlainPrograms programs, String user) {
    this.folder = folder;
    this.programs = programs;
    this.user = user;
  }

  /** The words before a command that another user is to run. */
  static List<String> as(String user) {
    return List.of("setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--");
  }

  /** Runs all programs plain. */
  void plain() throws Exception {
    List<String> wrong = new ArrayList<>();
    run("plain", List.copyOf(programs.lines.keySet()), List.of(), wrong);
    for (String name : programs.lines.keySet()) {
      expectEnd(name, "plain", wrong);
    }
    if (!wrong.isEmpty()) {
      throw new AssertionError(wrong);
    }
  }

  /** Runs all programs recorded, and returns each difference that is not expected. */
  List<String> recorded(String mode, String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("env", "-u", "JAVA_TOOL_OPTIONS"));
    words.addAll(Kymo.command());
    words.addAll(List.of("record", "--budget", "none", "-q", "--no-index", "-o", "r.kymo"));
    words.addAll(List.of(options));
    words.add("--");
    Map<String, String> expected = differences(mode.equals(INSTRUCTIONS) ? mode : "library");
    if (!user.isEmpty()) {
      expected.putAll(differences("user"));
    }
    List<String> names = new ArrayList<>(programs.lines.keySet());
    names.removeIf(name -> "skipped".equals(expected.get(name)));
    List<String> wrong = new ArrayList<>();
    int most = mode.equals(INSTRUCTIONS) ? IN_QEMU : names.size();
    for (int i = 0; i < names.size(); i += most) {
      run(mode, names.subList(i, Math.min(i + most, names.size())), words, wrong);
      Kymo.exec(directory(mode), "rm", "-r", "r.kymo");
    }
    for (String name : names) {
      compare(name, mode, expected.getOrDefault(name, "same"), wrong);
    }
    return wrong;
  }

  /** Programs have names that modes have, too. */
  private Path directory(String mode) {
    return folder.resolve("in-" + user + mode);
  }

  private void run(String mode, List<String> names, List<String> recorder, List<String> wrong)
      throws Exception {
    Path directory = Files.createDirectories(directory(mode));
    List<String> list = names.stream().map(name -> name + " " + programs.lines.get(name)).toList();
    Files.write(directory.resolve("list"), list);
    List<String> words = new ArrayList<>();
    if (!user.isEmpty()) {
      Kymo.exec(directory, "chown", user, ".", "list");
      words.addAll(as(user));
    }
    words.addAll(List.of(programs.runner("reaps").toString(), SECONDS));
    words.addAll(recorder);
    words.addAll(List.of(programs.runner("each").toString(), "list", SECONDS));
    Kymo.Result result = Kymo.exec(directory, words.toArray(String[]::new));
    if (result.exit() != 0 || !result.err().isEmpty()) {
      wrong.add(mode + ": " + result);
    }
  }

  private static Map<String, String> differences(String mode) throws IOException {
    Map<String, String> found = new TreeMap<>();
    for (String line : Files.readAllLines(DIFFERENCES)) {
      String[] words = line.split(" ");
      if (words[0].equals(mode)) {
        found.put(words[1], words[2].replace(":", ""));
      }
    }
    return found;
  }

  private String read(String mode, String name, String file) throws IOException {
    Path path = directory(mode).resolve(name).resolve(file);
    String text = Files.exists(path) ? Files.readString(path) : "";
    return NUMBERS.matcher(text.replace(directory(mode) + "/", "")).replaceAll("");
  }

  private void expectEnd(String name, String mode, List<String> wrong) throws IOException {
    String end = read(mode, name, "end");
    if (end.isEmpty() || end.contains("late")) {
      wrong.add(name + " does not end, or did not begin: " + mode);
    }
  }

  private void compare(String name, String mode, String expected, List<String> wrong)
      throws IOException {
    expectEnd(name, mode, wrong);
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
    boolean any = expected.equals("varies") || (is.equals("same") && forbidden);
    if (!is.equals(expected) && !any) {
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
