package dev.kymo.jmh;

import dev.kymo.api.Unrecorded;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A {@link Profile} for people. */
@Unrecorded
final class ProfileText {
  private static final int MOST_METHODS = 20;
  private static final int MOST_WAITS = 10;

  private final Profile profile;
  private final StringBuilder text = new StringBuilder();

  private ProfileText(Profile profile) {
    this.profile = profile;
  }

  static String of(Profile profile) {
    ProfileText of = new ProfileText(profile);
    if (profile.operations() > 0) {
      of.sums();
      of.methods();
      of.waits(profile.waits(), profile.timed(), "the benchmark's threads waited for");
      of.waits(profile.others(), profile.timed(), "other threads waited for");
      of.line("");
    }
    profile.notes().forEach(note -> of.line("  " + note));
    return of.text.toString();
  }

  private void line(String format, Object... facts) {
    text.append(
            facts.length == 0 ? format : String.format(Locale.ROOT, format, facts).stripTrailing())
        .append(System.lineSeparator());
  }

  private void sums() {
    line(
        "  %,d operations in %d %s, %,d calls recorded%s",
        profile.operations(),
        profile.forks(),
        profile.forks() == 1 ? "recording" : "recordings",
        profile.calls(),
        profile.counted() == 0
            ? ""
            : String.format(Locale.ROOT, ", %,d of them only counted", profile.counted()));
    line(
        "  The score has the cost of recording in it: compare it with no score of an unrecorded run.");
  }

  private void methods() {
    line("");
    if (profile.methods().isEmpty()) {
      line(
          "  No calls: simple methods are not recorded without min-size=0, and the JDK's only with include.");
      line("");
    }
    line("  %12s %12s %12s %8s", "calls/op", "self/op", "waited/op", "share");
    List<Profile.Method> most = profile.most();
    for (Profile.Method method : most.subList(0, Math.min(most.size(), MOST_METHODS))) {
      method(method, (method.atLeast() ? "≥" : "") + number(method.calls()), method.name());
    }
    if (most.size() > MOST_METHODS) {
      Profile.Method rest =
          most.subList(MOST_METHODS, most.size()).stream()
              .reduce(Profile.Method.none("rest"), Profile.Method::plus);
      method(rest, number(rest.calls()), "%d other methods".formatted(most.size() - MOST_METHODS));
    }
    method(profile.loops(), "", "JMH's loop, and in it what is not recorded");
  }

  private void method(Profile.Method method, String calls, String name) {
    line(
        "  %12s %12s %12s %7.1f%%  %s",
        calls,
        (method.estimated() ? "~" : "") + time(method.self(), profile.operations()),
        method.stood() == 0 ? "" : time(method.stood(), profile.operations()),
        profile.self() == 0 ? 0 : 100.0 * method.self() / profile.self(),
        name);
  }

  private void waits(List<Profile.Wait> waits, long operations, String what) {
    if (waits.isEmpty()) {
      return;
    }
    line("");
    line("  %12s %12s %12s %8s  %s", "waits/op", "waited/op", "longest", "share", what);
    List<Profile.Wait> most =
        waits.stream().sorted(Comparator.comparingLong(Profile.Wait::time).reversed()).toList();
    long all = Math.max(1, waits.stream().mapToLong(Profile.Wait::time).sum());
    for (Profile.Wait wait : most.subList(0, Math.min(most.size(), MOST_WAITS))) {
      line(
          "  %12s %12s %12s %7.1f%%  %s",
          number((double) wait.count() / operations),
          time(wait.time(), operations),
          time(wait.longest(), 1),
          100.0 * wait.time() / all,
          wait.state());
    }
    if (most.size() > MOST_WAITS) {
      line("  %d more kinds of waits", most.size() - MOST_WAITS);
    }
  }

  private String number(long calls) {
    return number((double) calls / profile.operations());
  }

  private static String number(double number) {
    return number == 0 || number >= 0.001
        ? String.format(Locale.ROOT, "%,.3f", number)
        : String.format(Locale.ROOT, "%.1e", number);
  }

  private static String time(long nanos, long operations) {
    double time = (double) nanos / operations;
    return time < 1_000
        ? String.format(Locale.ROOT, "%.1f ns", time)
        : time < 1_000_000
            ? String.format(Locale.ROOT, "%.2f us", time / 1e3)
            : time < 1_000_000_000
                ? String.format(Locale.ROOT, "%.2f ms", time / 1e6)
                : String.format(Locale.ROOT, "%.2f s", time / 1e9);
  }
}
