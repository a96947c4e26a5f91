package dev.kymo.model.timeline;

import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.Arrows;
import dev.kymo.model.arrows.ArrowsAndCounters;
import dev.kymo.model.arrows.MessageArrows;
import dev.kymo.model.arrows.WaitArrows;
import java.util.ArrayList;
import java.util.List;

/** Finds the arrows of a window. */
final class ArrowFinder {
  private final ArrowsAndCounters kept;
  private final TrackNumbers numbers;

  ArrowFinder(ArrowsAndCounters kept, TrackNumbers numbers) {
    this.kept = kept;
    this.numbers = numbers;
  }

  /** See {@link Timeline#arrows(ArrowKind, long, long, int)}. */
  Arrows find(ArrowKind kind, long from, long to, int max) {
    if (kind == ArrowKind.MESSAGE) {
      return messages(from, to, max);
    }
    List<Arrows.Arrow> arrows = new ArrayList<>();
    boolean more =
        kept.of(kind)
            .read(
                from,
                to,
                max,
                new WaitArrows.Taker() {
                  @Override
                  public boolean has(int thread, int other) {
                    return numbers.of(thread) >= 0 && numbers.other(thread, other) >= 0;
                  }

                  @Override
                  public void take(long end, long length, int thread, int other, int method) {
                    arrows.add(
                        new Arrows.Arrow(
                            end,
                            ArrowsAndCounters.waited(kind, length),
                            numbers.other(thread, other),
                            numbers.of(thread),
                            method));
                  }
                });
    return new Arrows(List.copyOf(arrows), more);
  }

  private Arrows messages(long from, long to, int max) {
    List<Arrows.Arrow> arrows = new ArrayList<>();
    boolean more =
        kept.messages()
            .read(
                from,
                to,
                max,
                new MessageArrows.Taker() {
                  @Override
                  public boolean has(int sender, int receiver) {
                    return numbers.of(sender) >= 0 && track(receiver) >= 0;
                  }

                  @Override
                  public void take(long sent, long received, int sender, int receiver, int event) {
                    arrows.add(
                        new Arrows.Arrow(
                            received, received - sent, numbers.of(sender), track(receiver), event));
                  }
                });
    return new Arrows(List.copyOf(arrows), more);
  }

  private int track(int receiver) {
    return kept.messages().track(receiver, numbers::of, numbers::ofKey);
  }
}
