package dev.kymo.importers.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.importers.target.ForeignException;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.ForeignFormat;
import dev.kymo.importers.target.Import;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Damages files at random and imports them: each is imported, or refused by a sentence. */
public final class Mutants implements AutoCloseable {
  /** How many mutants of a format are imported. */
  public static final int MANY = 10_000;

  /** Bytes at a file's begin, which most depends on. */
  private static final int HEAD = 200;

  private static final Path MEMORY = Path.of("/dev/shm");

  private final Path folder;
  private final Random random;
  private int refused;

  /** The seed is printed, for a run that is to be repeated by {@code -Dkymo.seed}. */
  public Mutants(String of) throws IOException {
    long seed = Long.getLong("kymo.seed", System.nanoTime());
    System.out.println(of + " mutants seed=" + seed);
    random = new Random(seed);
    folder =
        Files.isWritable(MEMORY) // where so many small files cost least
            ? Files.createTempDirectory(MEMORY, "kymo-mutants-")
            : Files.createTempDirectory("kymo-mutants-");
  }

  /** Imports {@link #MANY} damaged copies of files; returns how many were refused. */
  public static int importMany(ForeignFormat format, List<byte[]> originals) throws IOException {
    try (Mutants mutants = new Mutants(format.name())) {
      Path file = mutants.folder.resolve("mutant");
      for (int i = 0; i < MANY; i++) {
        Files.write(file, mutants.mutant(originals.get(i % originals.size())));
        mutants.convert(format, file);
      }
      return mutants.refused;
    }
  }

  /**
   * Imports a directory {@link #MANY} times, of which each time one of the named files is damaged;
   * returns how often it was refused.
   */
  public static int importMany(ForeignFormat format, Path original, String... names)
      throws IOException {
    try (Mutants mutants = new Mutants(format.name())) {
      Path directory = mutants.folder.resolve("mutant");
      try (Stream<Path> files = Files.walk(original)) {
        for (Path file : files.toList()) {
          Files.copy(file, directory.resolve(original.relativize(file)));
        }
      }
      List<byte[]> whole = new ArrayList<>();
      for (String name : names) {
        whole.add(Files.readAllBytes(directory.resolve(name)));
      }
      for (int i = 0; i < MANY; i++) {
        Path file = directory.resolve(names[i % names.length]);
        Files.write(file, mutants.mutant(whole.get(i % names.length)));
        mutants.convert(format, directory);
        Files.write(file, whole.get(i % names.length));
      }
      return mutants.refused;
    }
  }

  /** Bytes that differ in one to four places, or are cut. */
  private byte[] mutant(byte[] original) {
    byte[] mutant = original.clone();
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes && mutant.length > 0; i++) {
      boolean atBegin = random.nextInt(4) == 0;
      mutant =
          change(mutant, random.nextInt(atBegin ? Math.min(HEAD, mutant.length) : mutant.length));
    }
    return mutant;
  }

  private byte[] change(byte[] bytes, int at) {
    switch (random.nextInt(6)) {
      case 0 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> bytes[at] = (byte) random.nextInt(256);
      case 3 -> bytes[at] = (byte) 0xFF;
      case 4 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 8), (byte) random.nextInt());
      default -> {
        int from = random.nextInt(bytes.length);
        int length = Math.min(1 + random.nextInt(32), bytes.length - Math.max(at, from));
        System.arraycopy(bytes, from, bytes, at, length);
      }
    }
    return bytes;
  }

  private void convert(ForeignFormat format, Path file) throws IOException {
    Path recording = Files.createDirectory(folder.resolve("mutant.kymo"));
    try {
      format.convert(ForeignFile.of(file), new Import(recording, (done, all) -> {}));
    } catch (ForeignException e) {
      assertThat(e.getMessage())
          .contains("file=" + file)
          .containsPattern("(offset|line)=\\d+")
          .doesNotContain("\n");
      refused++;
    }
    delete(recording);
  }

  @Override
  public void close() throws IOException {
    delete(folder);
  }

  private static void delete(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> walk = Files.walk(folder)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.delete(path);
    }
  }
}
