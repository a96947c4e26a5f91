package dev.kymo.e2e.kit;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A file of coverage as JaCoCo's agent writes it: blocks that begin with their kind.
 *
 * <pre>
 *   kind 01  magic u2, version u2
 *   kind 10  name of the session, its begin u8, its end u8
 *   kind 11  number of the class u8, its name, probes:
 *            how many there are, in bytes of 7 bits, the lowest first; 8 probes a byte, likewise
 * </pre>
 */
public final class JacocoFile {
  private JacocoFile() {}

  /** Its classes in order, each with its number, its name and a digit for each probe. */
  public static List<String> classes(Path file) throws IOException {
    List<String> classes = new ArrayList<>();
    try (InputStream stream = Files.newInputStream(file);
        DataInputStream in = new DataInputStream(stream)) {
      for (int kind = in.read(); kind >= 0; kind = in.read()) {
        switch (kind) {
          case 0x01 -> in.readInt();
          case 0x10 -> {
            in.readUTF();
            in.readLong();
            in.readLong();
          }
          case 0x11 ->
              classes.add(Long.toHexString(in.readLong()) + " " + in.readUTF() + " " + probes(in));
          default -> throw new IOException("unknown block: file=" + file + " kind=" + kind);
        }
      }
    }
    Collections.sort(classes);
    return classes;
  }

  private static String probes(DataInputStream in) throws IOException {
    int count = 0;
    int shift = 0;
    int part;
    do {
      part = in.readUnsignedByte();
      count |= (part & 0x7f) << shift;
      shift += 7;
    } while (part >= 0x80);
    StringBuilder probes = new StringBuilder();
    int eight = 0;
    for (int i = 0; i < count; i++) {
      eight = i % 8 == 0 ? in.readUnsignedByte() : eight >> 1;
      probes.append(eight & 1);
    }
    return probes.toString();
  }
}
