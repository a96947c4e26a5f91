package dev.kymo.cli.options;

import dev.kymo.cli.terminal.Terminal;
import dev.kymo.editing.clocks.ClockNetwork;
import dev.kymo.editing.clocks.ComparedClock;
import dev.kymo.editing.slice.GrowingMerge;
import dev.kymo.editing.slice.RecordingMerge;
import dev.kymo.model.timeline.Feed;
import dev.kymo.reader.RecordingException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

/**
 * Recordings on one axis while they are written, as one recording that grows. Recordings that come
 * into their directories join them. It is complete when all of them are.
 */
public final class LiveAxis implements Feed, AutoCloseable {
  /** So often is looked for new recordings, and for what is known of clocks by now. */
  private static final long LOOK_NANOS = 1_000_000_000;

  /** Looking takes no more than one part of so many of the time. */
  private static final int LOOKING_SHARE = 20;

  private final Path joined;
  private final List<Path> directories;
  private final OffsetOptions offsets;
  private final boolean asked;
  private final Terminal terminal;
  private final GrowingMerge merge;
  private final List<AxisMember> members = new ArrayList<>();

  /** Where those are that are on the axis; asked by others, too. */
  private final Set<Path> shown = new CopyOnWriteArraySet<>();

  /** Those that cannot join, as far as that was said. */
  private final Set<Path> refused = new HashSet<>();

  private long begin = Long.MAX_VALUE;
  private long nextLook = System.nanoTime() + LOOK_NANOS;
  private volatile boolean complete;
  private volatile boolean early;

  /**
   * Takes the recordings that there are.
   *
   * @param first are closed with this
   * @param joined an empty directory
   * @param directories to which recordings may come
   * @param asked whether clocks that were not compared are to be joined, too
   */
  LiveAxis(
      List<AxisMember> first,
      Path joined,
      List<Path> directories,
      OffsetOptions offsets,
      boolean asked,
      Terminal terminal)
      throws IOException {
    this.joined = joined;
    this.directories = directories;
    this.offsets = offsets;
    this.asked = asked;
    this.terminal = terminal;
    this.merge = new GrowingMerge(joined, first.getFirst().recording(), terminal::warn);
    List<RecordingMerge.Source> sources = sources(first);
    for (int i = 0; i < first.size(); i++) {
      begin = Math.min(begin, begin(first.get(i), sources.get(i)));
      add(first.get(i), sources.get(i));
    }
  }

  /** The recording of all. */
  public Path path() {
    return joined;
  }

  /** Whether a recording is on the axis, or will be if it can. */
  public boolean has(Path recording) {
    return shown.contains(recording) || !(complete || early);
  }

  private List<RecordingMerge.Source> sources(List<AxisMember> some) throws IOException {
    return AxisMember.join(some, network(some), offsets, terminal);
  }

  private ClockNetwork network(List<AxisMember> some) throws IOException {
    List<ComparedClock> clocks = new ArrayList<>();
    for (int i = 0; i < some.size(); i++) {
      AxisMember member = some.get(i);
      long last = i < members.size() ? merge.last(i) : Long.MIN_VALUE;
      clocks.add(member.clock(last));
    }
    return new ClockNetwork(clocks);
  }

  private static long begin(AxisMember member, RecordingMerge.Source source) {
    return member.begin() + source.drift().at(member.begin());
  }

  private void add(AxisMember member, RecordingMerge.Source source) throws IOException {
    if (!members.isEmpty()) {
      terminal.warn("joined %s: %s".formatted(member.name(), source.joined()));
    }
    members.add(member);
    merge.add(source);
    shown.add(member.recording().path());
    terminal.watch(member.recording().path(), member.recording()::oddities);
  }

  @Override
  public void feed() throws IOException {
    if (complete) {
      return;
    }
    long now = System.nanoTime();
    if (now - nextLook >= 0) {
      look();
      long after = System.nanoTime();
      nextLook = after + Math.max(LOOK_NANOS, LOOKING_SHARE * (after - now));
    }
    if (!merge.poll()) {
      merge.close();
      complete = true;
    }
  }

  private void look() throws IOException {
    for (Path directory : directories) {
      for (Path path : SessionFolder.recordings(directory)) {
        if (!shown.contains(path) && !refused.contains(path) && !early) {
          join(path);
        }
      }
    }
    ClockNetwork network = network(members);
    for (int i = 1; i < members.size(); i++) {
      AxisMember member = members.get(i);
      Optional<RecordingMerge.Source> known =
          network
              .relation(i)
              .flatMap(relation -> offsets.compared(member.name(), member.recording(), relation));
      if (known.isPresent()) {
        merge.relate(i, known.get());
      }
    }
  }

  /** Takes one that has come, as soon as it is known how its clock runs. */
  private void join(Path path) throws IOException {
    AxisMember member;
    try {
      member = AxisMember.open(path, OneAxis.names(List.of(path)).getFirst(), terminal);
    } catch (RecordingException e) {
      return; // it is only being made
    }
    List<AxisMember> all = new ArrayList<>(members);
    all.add(member);
    boolean isKnown = asked || network(all).relation(members.size()).isPresent();
    if (!isKnown) {
      if (!member.recording().isGrowing() && refused.add(path)) {
        terminal.warn("not on this axis, its clock was not compared: path=" + path);
      }
      member.close();
      return;
    }
    RecordingMerge.Source source = sources(all).getLast();
    if (begin(member, source) < begin) {
      early = true; // there is no time before the first
      member.close();
      return;
    }
    add(member, source);
  }

  /** Its parts stay where they are. */
  @Override
  public void close() throws IOException {
    merge.close();
    members.forEach(AxisMember::close);
  }
}
