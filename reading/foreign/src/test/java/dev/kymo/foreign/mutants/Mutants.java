package dev.kymo.foreign.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.foreign.target.ForeignException;
import dev.kymo.foreign.target.ForeignFile;
import dev.kymo.foreign.target.ForeignFormat;
import dev.kymo.foreign.target.Import;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Damages files at random and imports them: each is imported, or refused by a sentence. */
public final class Mutants {
  private final Random random;
  private int refused;

  /** The seed is printed, for a run that is to be repeated. */
  public Mutants(String of) {
    long seed = System.nanoTime();
    System.out.println(of + " mutants seed=" + seed);
    random = new Random(seed);
  }

  /** How many were refused. */
  public int refused() {
    return refused;
  }

  /** Bytes that differ in one to four places, or are cut. */
  public byte[] mutant(byte[] original) {
    byte[] mutant = original.clone();
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes && mutant.length > 0; i++) {
      mutant = change(mutant, random.nextInt(mutant.length));
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

  /** Imports damaged copies of a file. */
  public void importMany(ForeignFormat format, byte[] original, int many, Path folder)
      throws IOException {
    for (int i = 0; i < many; i++) {
      Path file = Files.write(folder.resolve("mutant"), mutant(original));
      convert(format, file, folder.resolve("mutant.kymo"));
    }
  }

  /** Imports a file that may be damaged. */
  public void convert(ForeignFormat format, Path file, Path recording) throws IOException {
    convert(format, file, "file=" + file + " ", recording);
  }

  /** Imports a directory of which any file may be damaged. */
  public void convertPart(ForeignFormat format, Path directory, Path recording) throws IOException {
    convert(format, directory, "file=" + directory + "/", recording);
  }

  private void convert(ForeignFormat format, Path file, String named, Path recording)
      throws IOException {
    Files.createDirectory(recording);
    try {
      format.convert(ForeignFile.of(file), new Import(recording, (done, all) -> {}));
    } catch (ForeignException e) {
      assertThat(e.getMessage())
          .contains(named)
          .containsPattern("(offset|line)=\\d+")
          .doesNotContain("\n");
      refused++;
    }
    delete(recording);
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
