package dev.kymo.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What recording a call costs with Kymo and with the tools on this machine. */
public final class PeerResults {
  private final Map<Peer, List<Peer.Outcome>> outcomes = new LinkedHashMap<>();
  private final Map<Peer, String> skipped = new LinkedHashMap<>();

  /** Lets the peers take turns. A peer that fails is left out, with its reason. */
  public static PeerResults measure(List<Peer> peers, int turns)
      throws IOException, InterruptedException {
    PeerResults table = new PeerResults();
    for (Peer peer : peers) {
      String missing = peer.missing();
      if (missing.isEmpty()) {
        table.outcomes.put(peer, new ArrayList<>());
      } else {
        table.skipped.put(peer, missing);
      }
    }
    for (int turn = 0; turn < turns; turn++) {
      for (Peer peer : List.copyOf(table.outcomes.keySet())) {
        table.measure(peer);
      }
    }
    return table;
  }

  private void measure(Peer peer) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("kymo-bench-");
    try {
      outcomes.getOrDefault(peer, List.of()).add(peer.measure(folder));
    } catch (IOException e) {
      outcomes.remove(peer);
      skipped.put(peer, String.valueOf(e.getMessage()));
    } finally {
      ChildCommand.delete(folder);
    }
  }

  /**
   * What recording with a tool costs.
   *
   * @param events in the recordings
   * @param lost events that should be in them and are not
   * @param bytes for each event
   */
  public record Row(String tool, double nanosPerEvent, long events, long lost, double bytes) {
    private static Row of(Peer peer, List<Peer.Outcome> outcomes) {
      int perCall = peer.eventsPerCall();
      long expected = perCall * Peer.ALL_CALLS * outcomes.size();
      long events = outcomes.stream().mapToLong(Peer.Outcome::events).sum();
      long bytes = outcomes.stream().mapToLong(Peer.Outcome::bytes).sum();
      return new Row(
          peer.name(),
          median(outcomes, o -> (o.recorded() - o.plain()) / perCall),
          events,
          expected - events,
          events == 0 ? 0 : (double) bytes / events);
    }
  }

  private static double median(List<Peer.Outcome> outcomes, ToDoubleFunction<Peer.Outcome> value) {
    double[] sorted = outcomes.stream().mapToDouble(value).toArray();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** A row for each tool that was measured. */
  public List<Row> rows() {
    return outcomes.entrySet().stream().map(e -> Row.of(e.getKey(), e.getValue())).toList();
  }

  /** How often each tool was measured. */
  public int turns() {
    return outcomes.isEmpty() ? 0 : outcomes.values().iterator().next().size();
  }

  /** Why tools were not measured, by their names. */
  public Map<String, String> skipped() {
    Map<String, String> names = new LinkedHashMap<>();
    skipped.forEach((peer, why) -> names.put(peer.name(), why));
    return names;
  }
}
