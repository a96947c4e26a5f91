package dev.kymo.kernel;

import dev.kymo.format.KernelEventFormat;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Pages beside the kernel's two texts of them: walks all three and collects what differs. */
final class TracedPages {
  private static final int SHOWN = 20;

  private final PageDecoder decoder;
  private final Map<Integer, KernelEventFormat> formats = new HashMap<>();
  private final TextComparison comparison;
  private final BufferedReader usual;
  private final BufferedReader fields;

  final List<String> differences = new ArrayList<>();
  final Map<String, Integer> kinds = new TreeMap<>();
  long events;
  long lost;
  long malformed;

  TracedPages(
      PageLayout layout,
      List<KernelEventFormat> formats,
      Symbols symbols,
      BufferedReader usual,
      BufferedReader fields) {
    this.decoder = new PageDecoder(layout);
    formats.forEach(f -> this.formats.put(f.kernelId(), f));
    this.comparison = new TextComparison(symbols);
    this.usual = usual;
    this.fields = fields;
  }

  void page(byte[] page) throws IOException {
    decoder.begin(page);
    lost += decoder.lost();
    while (decoder.next()) {
      events++;
      int id = (page[decoder.offset()] & 0xFF) | ((page[decoder.offset() + 1] & 0xFF) << 8);
      KernelEventFormat format = formats.get(id);
      Optional<KernelText> line = next(usual);
      Optional<KernelText> all = next(fields);
      if (format == null || line.isEmpty() || all.isEmpty()) {
        note("event %d: id %d, kernel says %s".formatted(events, id, line));
        continue;
      }
      kinds.merge(format.name(), 1, Integer::sum);
      EventValues values = EventValues.of(format, page, decoder.offset(), decoder.size());
      String wrong = comparison.inUsual(line.get(), decoder.clock(), values);
      String wrongField = TextComparison.inFields(all.get(), decoder.clock(), values);
      if (wrong != null || wrongField != null) {
        note("event %d: %s, %s; kernel: %s, %s".formatted(events, wrong, wrongField, line, all));
      }
    }
    malformed += decoder.malformed() ? 1 : 0;
  }

  /** No text may be left. */
  void end() throws IOException {
    next(usual).ifPresent(more -> note("only the kernel has " + more));
    next(fields).ifPresent(more -> note("only the kernel has " + more));
  }

  private void note(String difference) {
    if (differences.size() < SHOWN) {
      differences.add(difference);
    }
  }

  private static Optional<KernelText> next(BufferedReader in) throws IOException {
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      Optional<KernelText> text = KernelText.parse(line);
      if (text.isPresent()) {
        return text;
      }
    }
    return Optional.empty();
  }
}
