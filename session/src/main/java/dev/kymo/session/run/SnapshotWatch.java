package dev.kymo.session.run;

import dev.kymo.drain.RecordWatch;
import dev.kymo.format.Clock;
import dev.kymo.query.rules.LiveJudge;
import dev.kymo.query.rules.LiveViolation;
import dev.kymo.query.rules.Rule;
import dev.kymo.reader.DefinitionFollower;
import dev.kymo.reader.Diagnostics;
import dev.kymo.reader.Recording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes snapshots when rules are violated; not all of them, so that the disk does not fill. */
final class SnapshotWatch implements RecordWatch {
  private final Path path;
  private final LiveJudge judge;
  private final Consumer<String> told;
  private final SnapshotRules rules;
  private final Map<Rule, Long> lastTaken = new HashMap<>();
  private @Nullable Recording recording;
  private @Nullable DefinitionFollower definitions;
  private boolean failed;
  private int taken;
  private long withheld;

  /**
   * Watches a recording that is about to begin.
   *
   * @param told takes sentences about what is not judged
   */
  SnapshotWatch(Path path, LiveJudge judge, Consumer<String> told, SnapshotRules rules) {
    this.path = path;
    this.judge = judge;
    this.told = told;
    this.rules = rules;
  }

  @Override
  public void begin() {
    try {
      DefinitionFollower follower = definitions;
      if (follower == null && !failed) {
        Recording open = Recording.open(path);
        recording = open;
        follower = new DefinitionFollower(open, new Diagnostics());
        definitions = follower;
      }
      if (follower != null) {
        follower.poll((process, clock, definition) -> judge.define(process, definition));
      }
    } catch (IOException e) {
      giveUp(e);
    }
  }

  private void giveUp(Exception e) {
    if (!failed) {
      failed = true;
      told.accept("rules are not looked at any more: error=\"%s\"".formatted(e.getMessage()));
    }
  }

  @Override
  public void take(Piece piece) {
    if (piece.missed()) {
      judge.missed(piece.process(), piece.ring());
    }
    if (piece.first()) {
      judge.packet(piece.process(), piece.ring(), piece.thread(), piece.begin());
    }
    judge.records(piece.process(), piece.ring(), piece.records());
  }

  @Override
  public List<Reason> end(Clock clock, long now) {
    List<Reason> reasons = new ArrayList<>();
    Set<Rule> here = new HashSet<>();
    long time = System.nanoTime();
    for (LiveViolation violation : judge.look(now)) {
      Long last = lastTaken.get(violation.rule());
      boolean early = last != null && time - last < rules.pauseNanos();
      if (here.contains(violation.rule()) || early || taken >= rules.most()) {
        withheld++;
      } else {
        here.add(violation.rule());
        reasons.add((snapshot, known, base) -> text(violation, snapshot, known, base));
      }
    }
    here.forEach(rule -> lastTaken.put(rule, time));
    taken += reasons.isEmpty() ? 0 : 1;
    judge.clock(clock);
    return reasons;
  }

  private String text(LiveViolation violation, Path snapshot, Clock clock, long base) {
    long begin = clock.nanos(Math.max(0, violation.begin() - base));
    long end = Math.max(begin, clock.nanos(Math.max(0, violation.end() - base)));
    String place = rules.places().of(violation.process(), violation.thread(), begin, end);
    return "%s; kymo view %s --at %s"
        .formatted(
            violation.text(clock.nanos(violation.end() - violation.begin())),
            snapshot.getFileName(),
            place);
  }

  /** Says at the recording's end what nobody has seen; closes what it reads. */
  void finish() {
    if (withheld > 0) {
      told.accept(
          "rules were violated more often than snapshots were taken: snapshots=%d other=%d"
              .formatted(taken, withheld));
    }
    if (judge.missed() > 0) {
      told.accept(
          "not all records could be looked at for rules, because they were overwritten first:"
              + " times=%d; give threads more with --buffer".formatted(judge.missed()));
    }
    Recording open = recording;
    if (open != null) {
      open.close();
    }
  }
}
