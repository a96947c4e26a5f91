package dev.kymo.importers.uftrace;

import dev.kymo.format.Clock;
import dev.kymo.importers.target.ForeignFile;
import dev.kymo.importers.target.ForeignFormat;
import dev.kymo.importers.target.Import;
import dev.kymo.importers.target.Order;
import dev.kymo.importers.target.Source;
import dev.kymo.importers.target.Target;
import dev.kymo.importers.uftrace.data.InfoFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A directory that {@code uftrace record} has written. */
public final class UftraceFormat implements ForeignFormat {
  private static final long PER_SECOND = 1_000_000_000;
  private static final Pattern PROCESSORS = Pattern.compile("(\\d{1,5}) / (\\d{1,5}).*");

  @Override
  public String name() {
    return "uftrace";
  }

  @Override
  public String title() {
    return "uftrace's data";
  }

  @Override
  public boolean recognises(ForeignFile file) throws IOException {
    Path info = file.path().resolve("info");
    return file.isDirectory()
        && Files.isRegularFile(info)
        && ForeignFile.of(info).beginsWith(InfoFile.MAGIC);
  }

  @Override
  public void convert(ForeignFile file, Import to) throws IOException {
    InfoFile info = InfoFile.read(file.path().resolve("info"));
    DataFiles files = DataFiles.of(file.path(), info.order());
    try (Target target =
        to.begin(
            new Clock(Clock.MONOTONIC, PER_SECOND, wallOffset(info)),
            files.first(),
            source(file, info),
            Order.ANY)) {
      new DirectoryImport(file.path(), info, files, target, to.progress()).run();
    }
  }

  /** Newer versions say how many seconds lie between their clock's 0 and 1970. */
  private static long wallOffset(InfoFile info) {
    try {
      return Math.multiplyExact(Long.parseLong(info.get("utc_offset").strip()), PER_SECOND);
    } catch (NumberFormatException | ArithmeticException e) {
      return 0;
    }
  }

  private Source source(ForeignFile file, InfoFile info) {
    Matcher processors = PROCESSORS.matcher(info.get("cpuinfo.nr_cpus"));
    return new Source(
        title(),
        file.name(),
        or(info.get("osinfo.hostname")),
        or(info.get("osinfo.kernel")),
        or(info.get("cpuinfo.desc")),
        processors.matches() ? Integer.parseInt(processors.group(1)) : 0);
  }

  private static String or(String text) {
    return text.isEmpty() ? "unknown" : text;
  }
}
