package dev.kymo.network.listen;

import dev.kymo.network.wire.FrameReader;
import dev.kymo.network.wire.FrameType;
import dev.kymo.network.wire.Hello;
import dev.kymo.network.wire.ProtocolException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes recordings that come in parcels, as {@code dev.kymo.network.send.Parcels} makes them. A
 * parcel may be taken again, with those that followed it, in the same order: then the recording is
 * what it was. Used by one thread.
 *
 * <p>What an earlier sender of a recording has sent, and comes after the present one's, is left
 * out.
 */
public final class ReceivedParcels implements AutoCloseable {
  /** Recordings whose files are open at a time. */
  private static final int MOST_OPEN = 256;

  private final Recordings recordings;
  private final Keeper keeper;
  private final Consumer<String> log;

  /** By identity, the one that was used longest ago first. */
  private final Map<UUID, Open> open = new LinkedHashMap<>(16, 0.75f, true);

  /** A recording; its files are opened when there is something to be written. */
  private static final class Open {
    private final Path path;
    private final Conversations conversations;
    private @Nullable ReceivedRecording recording;

    Open(Path path) throws IOException {
      this.path = path;
      this.conversations = new Conversations(path);
    }

    ReceivedRecording recording(Keeper keeper) throws IOException {
      ReceivedRecording known = recording;
      if (known == null) {
        known = ReceivedRecording.open(path, keeper);
        recording = known;
      }
      return known;
    }

    void sync() throws IOException {
      if (recording != null) {
        recording.unsynced().sync();
      }
      conversations.sync();
    }

    void close() throws IOException {
      if (recording != null) {
        recording.close();
      }
    }
  }

  private ReceivedParcels(Recordings recordings, Keeper keeper, Consumer<String> log) {
    this.recordings = recordings;
    this.keeper = keeper;
    this.log = log;
  }

  /**
   * Goes on with what is in a directory.
   *
   * @param kept how much is kept of what was received
   * @param log takes a line about each recording that begins to come, is complete, or is removed
   */
  public static ReceivedParcels in(Path directory, Retention kept, Consumer<String> log)
      throws IOException {
    Recordings recordings = new Recordings(directory);
    return new ReceivedParcels(recordings, Keeper.start(recordings, kept, log), log);
  }

  /**
   * Takes a parcel.
   *
   * @throws ProtocolException if it is none, or does not fit what came before; it is left out
   * @throws IOException if it cannot be written; it may be taken again later, after {@link #forget}
   */
  public void take(byte[] parcel) throws IOException {
    FrameReader in = new FrameReader(new ByteArrayInputStream(parcel));
    Hello hello = Hello.read(in);
    FileName.directory(hello.name());
    if (!hello.session().isEmpty()) {
      FileName.directory(hello.session());
    }
    Open to = open(hello);
    if (in.taken() == parcel.length) {
      to.conversations.greet(hello.token());
      return;
    }
    if (!to.conversations.counts(hello.token())) {
      return;
    }
    boolean isNew = to.conversations.isNew();
    if (isNew) {
      log.accept("receiving " + to.path);
    }
    ReceivedRecording recording = to.recording(keeper);
    if (to.conversations.isAnother(hello.token())) {
      // The new sender counts on what the earlier ones have sent, which is not taken again.
      if (!isNew) {
        recording.unsynced().sync();
      }
      to.conversations.take(hello.token());
    }
    while (in.taken() < parcel.length) {
      FrameType type = in.next(FrameType.LARGEST);
      if (type == FrameType.DONE) {
        to.conversations.sync();
        done(hello.recording(), recording);
        return;
      }
      if (!recording.take(type, in)) {
        throw new ProtocolException("not a frame of a parcel: type=" + type);
      }
    }
  }

  private Open open(Hello hello) throws IOException {
    Open known = open.get(hello.recording());
    if (known != null) {
      return known;
    }
    closeOldest();
    Path path = recordings.claim(hello);
    try {
      Open now = new Open(path);
      open.put(hello.recording(), now);
      return now;
    } catch (IOException | RuntimeException e) {
      recordings.release(path);
      throw e;
    }
  }

  private void closeOldest() throws IOException {
    Iterator<Open> all = open.values().iterator();
    if (open.size() >= MOST_OPEN && all.hasNext()) {
      Open oldest = all.next();
      oldest.sync();
      all.remove();
      close(oldest);
    }
  }

  private void done(UUID identity, ReceivedRecording recording) throws IOException {
    recording.done();
    Open ended = open.remove(identity);
    if (ended != null) {
      close(ended);
    }
    log.accept("complete %s: bytes=%d".formatted(recording.path(), recording.bytes()));
  }

  private void close(Open what) throws IOException {
    try {
      what.close();
    } finally {
      recordings.release(what.path);
    }
  }

  /** Recordings that were begun here, and of which the end has not come. */
  List<Path> incomplete() {
    return open.values().stream().map(each -> each.path).sorted().toList();
  }

  /** Puts everything that was taken on disk. */
  public void sync() throws IOException {
    for (Open each : open.values()) {
      each.sync();
    }
  }

  /**
   * Closes all files; everything that was taken since the last {@link #sync} is to be taken again.
   */
  public void forget() {
    for (Open each : open.values()) {
      try {
        close(each);
      } catch (IOException e) {
        log.accept("not closed: path=%s error=\"%s\"".formatted(each.path, e.getMessage()));
      }
    }
    open.clear();
  }

  /** The same; nothing is taken any more. */
  @Override
  public void close() {
    forget();
    keeper.close();
  }
}
