package dev.kymo.e2e.code;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The programs of {@code src/native/plain/cases}: how they are built, and which cases they have.
 */
final class PlainPrograms {
  static final Path SOURCES = Path.of("src/native/plain/cases").toAbsolutePath();

  /** Ways to build one program. */
  private static final List<String> WAYS =
      List.of(
          "-O0",
          "-O3 -flto",
          "-Os",
          "-no-pie",
          "-static",
          "-static-pie",
          "-fno-plt",
          "-fcf-protection=full",
          "-fstack-protector-all",
          "-fstack-clash-protection",
          "-D_FORTIFY_SOURCE=2",
          "-fomit-frame-pointer",
          "-fno-omit-frame-pointer",
          "-fsplit-stack",
          "-ftrapv",
          "-p",
          "--coverage",
          "-fprofile-generate",
          "-rdynamic",
          "-s",
          "-m32",
          "-Wl,-z,now",
          "-Wl,-z,lazy",
          "-Wl,-z,execstack",
          "-Wl,-z,noseparate-code",
          "-Wl,-z,norelro",
          "-Wl,--hash-style=sysv",
          "-Wl,-Bsymbolic",
          "-Wl,--no-as-needed -ldl -lm -lrt");

  private final Path folder;

  /** A line for {@code each} by the name of its case. */
  final Map<String, String> lines = new LinkedHashMap<>();

  /** What could not be built here, and why. */
  final List<String> skipped = new ArrayList<>();

  /** Programs are built in this folder. */
  PlainPrograms(Path folder) {
    this.folder = folder;
  }

  /** One of the two programs that run others. */
  Path runner(String name) throws Exception {
    Path program = folder.resolve(name);
    return Files.exists(program)
        ? program
        : NativePrograms.compile(SOURCES.resolve(name + ".c"), program);
  }

  /** Programs in C that have many cases. */
  void manyCases(String... programs) throws Exception {
    for (String program : programs) {
      addCases(
          program,
          NativePrograms.compile(
              SOURCES.resolve(program + ".c"), folder.resolve(program), "-finstrument-functions"));
    }
  }

  /** Libraries that a program loads, and this program. */
  void loading() throws Exception {
    library("library", "liba.so");
    library("names", "libnames.so");
    NativePrograms.compile(
        SOURCES.resolve("audit.c"), folder.resolve("libaudit.so"), "-shared", "-fPIC");
    manyCases("loading");
  }

  private void library(String source, String name) throws Exception {
    NativePrograms.compile(
        SOURCES.resolve(source + ".c"),
        folder.resolve(name),
        "-shared",
        "-fPIC",
        "-finstrument-functions");
  }

  /** Programs in other languages, if their compilers are installed. */
  void otherLanguages() throws Exception {
    NativePrograms.assumeInstalled();
    language("cpp.cc", "g++ -std=c++20 -O2 -Wall -Wextra -pthread -fopenmp -finstrument-functions");
    language("fortran.f90", "gfortran -O2 -fopenmp -finstrument-functions -J " + folder);
    language("golang.go", "env GOCACHE=" + folder.resolve("cache") + " GO111MODULE=off go build");
    language("rust.rs", "rustc -O");
  }

  private void language(String source, String compiler) throws Exception {
    Path program = folder.resolve(source.substring(0, source.indexOf('.')));
    if (build(compiler, program, SOURCES.resolve(source))) {
      addCases(program.getFileName().toString(), program);
    }
  }

  /** One program in many ways; those that this compiler does not have are skipped. */
  void manyWays() throws Exception {
    NativePrograms.assumeInstalled();
    for (String way : WAYS) {
      way("gcc -O1 -pthread -finstrument-functions " + way, "built" + way, "built.c");
    }
    way("gcc -nostdlib -static", "bare", "bare.c");
    way("gcc -nostdlib -nostartfiles -pie -fPIE", "bare-pie", "bare.c");
    way("musl-gcc -static", "musl-static", "built.c");
    if (way("musl-gcc", "musl", "built.c")) {
      Path script = folder.resolve("script");
      Files.writeString(script, "#!" + folder.resolve("musl") + "\n");
      Kymo.exec(folder, "chmod", "+x", script.toString());
      lines.put("script-of-musl", script.toString());
      lines.put("script-by-shell", "sh -c exec\\ " + script);
    }
  }

  private boolean way(String compiler, String name, String source) throws Exception {
    String plain = name.replaceAll("[^a-zA-Z0-9_-]+", "-");
    boolean built = build(compiler, folder.resolve(plain), SOURCES.resolve(source));
    if (built) {
      lines.put(plain, folder.resolve(plain).toString());
    }
    return built;
  }

  private boolean build(String compiler, Path program, Path source) throws Exception {
    List<String> command = new ArrayList<>(Arrays.asList(compiler.split(" ")));
    command.addAll(List.of("-o", program.toString(), source.toString()));
    String failure;
    try {
      Kymo.Result result = Kymo.exec(folder, command.toArray(String[]::new));
      failure = result.exit() == 0 ? "" : result.err();
    } catch (IOException e) {
      failure = String.valueOf(e.getMessage());
    }
    if (!failure.isEmpty()) {
      skipped.add("SKIPPED " + program.getFileName() + ": " + failure.lines().findFirst().get());
    }
    return failure.isEmpty();
  }

  private void addCases(String program, Path file) throws Exception {
    Stream<String> cases = Kymo.exec(folder, file.toString()).out().lines();
    cases.map(String::trim).forEach(name -> lines.put(program + "." + name, file + " " + name));
  }
}
