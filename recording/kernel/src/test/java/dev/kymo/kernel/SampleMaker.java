package dev.kymo.kernel;

import dev.kymo.format.KernelEventFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.zip.GZIPOutputStream;

/**
 * Makes the sample that {@link PageDecoderTest} reads: pages of this machine's kernel, and what it
 * says of them. Root only. Argument: the folder, {@code
 * kernel/src/test/resources/dev/kymo/kernel/sample}.
 */
final class SampleMaker {
  private static final int BUFFER_KB = 24; // overflows, so that the pages tell of lost events

  private SampleMaker() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    Path scratch = Files.createTempDirectory("kymo-sample-");
    Symbols symbols = Symbols.ofThisKernel();
    TreeSet<String> kinds = new TreeSet<>();
    try (TracedWork work = TracedWork.busy(Tracefs.find(), BUFFER_KB, 60)) {
      String header = work.instance.read("events/header_page");
      write(folder.resolve("header_page"), header);
      PageLayout layout = PageLayout.parse(header);
      for (int cpu : List.of(0, 1)) {
        Path usual = scratch.resolve("usual");
        Path fields = scratch.resolve("fields");
        work.text(cpu, false, usual);
        work.text(cpu, true, fields);
        List<byte[]> pages = work.pages(cpu, layout);
        try (var usualText = Files.newBufferedReader(usual);
            var fieldsText = Files.newBufferedReader(fields)) {
          TracedPages compared =
              new TracedPages(layout, work.formats, symbols, usualText, fieldsText);
          ByteArrayOutputStream raw = new ByteArrayOutputStream();
          for (byte[] page : pages) {
            compared.page(page);
            raw.write(page);
          }
          compared.end();
          System.out.println(compared.events + " events, differences: " + compared.differences);
          kinds.addAll(compared.kinds.keySet());
          zip(folder.resolve("cpu" + cpu + ".pages.gz"), raw.toByteArray());
          zip(folder.resolve("cpu" + cpu + ".usual.gz"), Files.readAllBytes(usual));
          zip(folder.resolve("cpu" + cpu + ".fields.gz"), Files.readAllBytes(fields));
        }
        Files.delete(usual);
        Files.delete(fields);
      }
      StringBuilder formats = new StringBuilder();
      for (KernelEventFormat format : work.formats) {
        if (kinds.contains(format.name())) {
          formats.append("subsystem: ").append(format.subsystem()).append('\n');
          formats.append(format.text()).append('\n');
        }
      }
      write(folder.resolve("formats"), formats.toString());
      write(folder.resolve("symbols"), symbols.used());
    } finally {
      Files.delete(scratch);
    }
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text);
  }

  private static void zip(Path file, byte[] bytes) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(bytes);
    }
  }

  /** What {@code formats} has. */
  static List<KernelEventFormat> formats(String text) {
    return Arrays.stream(text.split("\n\n"))
        .filter(part -> !part.isBlank())
        .map(part -> {
          int end = part.indexOf('\n');
          return KernelEventFormat.parse(
              part.substring("subsystem: ".length(), end), part.substring(end + 1));
        })
        .toList();
  }

  /** Bytes as text, for those who read the sample. */
  static String utf8(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
