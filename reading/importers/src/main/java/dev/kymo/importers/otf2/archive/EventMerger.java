package dev.kymo.importers.otf2.archive;

import dev.kymo.importers.otf2.archive.Defined.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Gives the events of several locations by their times; their files are open as long as it is. */
public final class EventMerger implements AutoCloseable {
  /** Of all locations together. */
  private static final int BUFFERS = 32 * 1024 * 1024;

  private static final int LARGEST = 128 * 1024;

  private final List<LocationEvents> all = new ArrayList<>();
  private final PriorityQueue<LocationEvents> waiting =
      new PriorityQueue<>(
          Comparator.comparingLong(LocationEvents::time)
              .thenComparingLong(events -> events.location().id()));
  private @Nullable LocationEvents current;

  /** Opens the events of locations; those that have none need no file. */
  public EventMerger(Anchor anchor, List<Location> locations) throws IOException {
    int buffer = Math.min(LARGEST, BUFFERS / Math.max(1, locations.size()));
    try {
      for (Location location : locations) {
        if (location.events() != 0) {
          LocationEvents events = new LocationEvents(anchor, location, buffer);
          all.add(events);
          if (events.next()) {
            waiting.add(events);
          }
        }
      }
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  /** All that have events. */
  public List<LocationEvents> locations() {
    return all;
  }

  /** Bytes that have been read. */
  public long done() {
    return all.stream().mapToLong(LocationEvents::done).sum();
  }

  /** Goes to the next event; null at the end. It is valid until the next call. */
  public @Nullable LocationEvents next() throws IOException {
    LocationEvents before = current;
    if (before != null && before.next()) {
      LocationEvents other = waiting.peek();
      if (other == null || before.time() < other.time()) {
        return before;
      }
      waiting.add(before);
    }
    current = waiting.poll();
    return current;
  }

  @Override
  public void close() throws IOException {
    for (LocationEvents events : all) {
      events.close();
    }
  }
}
