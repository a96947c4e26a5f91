package dev.kymo.cli.query.spark;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** A message between both processes: a file of properties. */
final class Exchanged {
  private final Properties all = new Properties();

  static Exchanged read(Path file) throws IOException {
    Exchanged read = new Exchanged();
    try (Reader in = Files.newBufferedReader(file)) {
      read.all.load(in);
    }
    return read;
  }

  void write(Path file) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      all.store(out, null);
    }
  }

  void put(String name, Object value) {
    all.setProperty(name, value.toString());
  }

  /** Puts values whose names are numbered from 0. */
  void put(String name, Iterable<String> values) {
    int number = 0;
    for (String value : values) {
      put(name + '.' + number++, value);
    }
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

  /** Numbers by the rests of their names. */
  Map<String, Long> numbers(String begin) {
    Map<String, Long> numbers = new TreeMap<>();
    for (String name : all.stringPropertyNames()) {
      if (name.startsWith(begin)) {
        numbers.put(name.substring(begin.length()), Long.valueOf(all.getProperty(name)));
      }
    }
    return numbers;
  }
}
