package dev.kymo.spark;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** The values that kymo has written into a file of properties. */
final class Given {
  private final Properties all = new Properties();

  private Given() {}

  static Given read(Path file) throws IOException {
    Given given = new Given();
    try (Reader in = Files.newBufferedReader(file)) {
      given.all.load(in);
    }
    return given;
  }

  /** A value; empty if there is none. */
  String text(String name) {
    return all.getProperty(name, "");
  }

  boolean flag(String name) {
    return Boolean.parseBoolean(text(name));
  }

  /** Values whose names are numbered from 0. */
  List<String> list(String name) {
    List<String> values = new ArrayList<>();
    while (true) {
      String value = all.getProperty(name + '.' + values.size());
      if (value == null) {
        return values;
      }
      values.add(value);
    }
  }

  /** Values by the rests of their names. */
  Map<String, String> map(String begin) {
    Map<String, String> values = new TreeMap<>();
    for (String name : all.stringPropertyNames()) {
      if (name.startsWith(begin)) {
        values.put(name.substring(begin.length()), text(name));
      }
    }
    return values;
  }
}
