package dev.kymo.server.export;

import com.sun.net.httpserver.HttpExchange;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.editing.slice.RecordingSlice;
import dev.kymo.editing.slice.SliceQuery;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Track;
import dev.kymo.reader.Recording;
import dev.kymo.server.answers.SelectionQuery;
import dev.kymo.server.http.Answers;
import dev.kymo.server.http.BadRequestException;
import dev.kymo.server.http.Query;
import dev.kymo.server.page.StandalonePage;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/** {@code /api/slice} and {@code /api/page}: a part of the recording, as a file to keep. */
public final class ExportHandler {
  private static final String RECORDING = ".kymo";

  private final Timeline timeline;
  private final Exports exports;
  private final @Nullable Path directory;

  public ExportHandler(Timeline timeline, Exports exports) {
    this.timeline = timeline;
    this.exports = exports;
    this.directory = timeline.directory().orElse(null);
  }

  /** A recording, packed as one file. */
  public void slice(HttpExchange exchange, Query query) throws IOException, InterruptedException {
    Part part = part(query);
    send(
        exchange,
        "application/zip",
        (folder, progress) ->
            part.write(
                folder,
                progress,
                (slice, recording) -> {
                  slice.write(recording, progress);
                  return zip(recording, folder.resolve("part.zip"));
                }));
  }

  /** A page that needs no server. */
  public void page(HttpExchange exchange, Query query) throws IOException, InterruptedException {
    Part part = part(query);
    send(
        exchange,
        "application/octet-stream",
        (folder, progress) ->
            part.write(
                folder,
                progress,
                (slice, recording) -> {
                  Path page = folder.resolve("part.html");
                  try (OutputStream to = new BufferedOutputStream(Files.newOutputStream(page))) {
                    StandalonePage.write(slice, recording, to);
                  }
                  return page;
                }));
  }

  /** Makes a file of a slice; {@code recording} is an empty directory for it. */
  private interface Form {
    Path write(RecordingSlice slice, Path recording) throws IOException;
  }

  /** What of which recording. */
  private record Part(Path path, String name, SliceQuery query) {
    Path write(Path folder, ProgressListener progress, Form form) throws IOException {
      try (Recording recording = Recording.open(path)) {
        RecordingSlice slice = RecordingSlice.of(recording, query, progress);
        if (!slice.hasThreads()) {
          throw new BadRequestException("The recording has no events of these threads.");
        }
        return form.write(slice, Files.createDirectory(folder.resolve(name)));
      }
    }
  }

  private Part part(Query query) {
    Path path = directory;
    if (path == null) {
      throw new BadRequestException("This recording is not on disk: no part of it can be kept.");
    }
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    Set<Thread> threads = new HashSet<>();
    Set<Integer> wanted = new HashSet<>(selection.tracks());
    for (Track track : timeline.tracks()) {
      if (wanted.contains(track.id()) || wanted.contains(track.of())) {
        threads.add(new Thread(track.process(), track.thread()));
      }
    }
    boolean all = !query.has("tracks");
    String name = path.toAbsolutePath().normalize().getFileName().toString();
    String stem =
        name.endsWith(RECORDING) ? name.substring(0, name.length() - RECORDING.length()) : name;
    return new Part(
        path,
        stem + "-part" + RECORDING,
        new SliceQuery(
            selection.from(),
            selection.to(),
            t -> all || threads.contains(new Thread(t.process(), t.thread()))));
  }

  /** A thread's numbers in the recording. */
  private record Thread(int process, int thread) {}

  private void send(HttpExchange exchange, String type, Exports.Work work)
      throws IOException, InterruptedException {
    String question =
        exchange.getRequestURI().getRawPath() + '?' + exchange.getRequestURI().getRawQuery();
    double share;
    try {
      share = exports.ask(question, work, file -> Answers.file(exchange, type, file));
    } catch (Exports.BusyException e) {
      Answers.error(
          exchange, 429, "Another part is being made into a file; try again when that is there.");
      return;
    } catch (IOException e) {
      // If it could not be sent, there is nobody to report to.
      if (exchange.getResponseCode() < 0) {
        Answers.error(exchange, 500, "The file cannot be made: " + e.getMessage());
      }
      return;
    }
    if (share < 1) {
      Answers.progress(exchange, share);
    }
  }

  private static Path zip(Path recording, Path zip) throws IOException {
    Path parent = recording.resolveSibling("");
    try (ZipOutputStream to =
            new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(zip)));
        Stream<Path> files = Files.walk(recording)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile).sorted()::iterator) {
        to.putNextEntry(new ZipEntry(parent.relativize(file).toString()));
        Files.copy(file, to);
        to.closeEntry();
      }
    }
    return zip;
  }
}
