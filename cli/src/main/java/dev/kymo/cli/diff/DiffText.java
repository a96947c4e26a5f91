package dev.kymo.cli.diff;

import dev.kymo.analysis.difference.AlignedNode;
import dev.kymo.analysis.difference.AlignedRole;
import dev.kymo.analysis.difference.Choice;
import dev.kymo.analysis.difference.Difference;
import dev.kymo.analysis.difference.DifferenceWords;
import dev.kymo.analysis.difference.Drift;
import dev.kymo.analysis.difference.Finding;
import dev.kymo.analysis.difference.Part;
import dev.kymo.analysis.difference.Side;
import dev.kymo.analysis.difference.paths.RecordedPaths;
import dev.kymo.analysis.names.Quantity;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.terminal.Terminal;
import dev.kymo.cli.terminal.TextTable;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Differences for people. */
final class DiffText {
  /** Of what may be chance, so many are shown. */
  private static final int UNCERTAIN = 5;

  /** A smaller drift is not worth a line. */
  private static final double DRIFT = 1.03;

  private final Terminal terminal;
  private final Difference difference;
  private final DifferenceWords words;
  private final Compared compared;
  private final int limit;

  DiffText(Terminal terminal, Compared compared, int limit) {
    this.terminal = terminal;
    this.compared = compared;
    this.difference = compared.difference();
    this.words = new DifferenceWords(difference);
    this.limit = limit == 0 ? Integer.MAX_VALUE : limit;
  }

  void write() {
    recordings();
    drift();
    roles();
    List<Finding> certain = Choice.certain(difference);
    List<Finding> uncertain = Choice.uncertain(difference);
    terminal.line("");
    if (certain.isEmpty()) {
      terminal.line("no certain difference");
    }
    certain.stream().limit(limit).forEach(this::finding);
    more(certain.size() - limit);
    if (!uncertain.isEmpty()) {
      terminal.line("");
      terminal.line("not certain, it may be chance:");
      uncertain.stream().limit(Math.min(limit, UNCERTAIN)).forEach(this::shortly);
      more(uncertain.size() - Math.min(limit, UNCERTAIN));
    }
    counted();
    if (!compared.rules().isEmpty()) {
      GateText.write(terminal, difference, compared.rules(), compared.gate());
    }
  }

  private void counted() {
    int counted = difference.counted().size();
    if (counted > 0) {
      terminal.line("");
      terminal.line(
          "%d methods were only counted in some of the recordings, or left out: their time is in that of their callers"
              .formatted(counted));
    }
  }

  private void more(int left) {
    if (left > 0) {
      terminal.line("  … and %d more".formatted(left));
    }
  }

  private void recordings() {
    TextTable table = new TextTable();
    table.row("side", "time", "events", "recording");
    for (Side side : Side.values()) {
      List<RecordedPaths> of = difference.recordings(side);
      for (int i = 0; i < of.size(); i++) {
        table.row(
            side == Side.BASE ? "base" : "new",
            Nanos.text(of.get(i).duration()),
            Quantity.text(of.get(i).events()),
            String.valueOf(compared.paths(side).get(i)));
      }
    }
    table.write(terminal);
  }

  private void drift() {
    Drift drift = difference.drift();
    double factor = drift.factor();
    if (Math.max(factor, 1 / factor) > DRIFT) {
      terminal.line("");
      terminal.line(
          String.format(
              Locale.ROOT,
              "everything takes %.2f times as long, by the middle one of %d methods: taken out below",
              factor,
              drift.methods()));
    }
  }

  private void roles() {
    TextTable table = new TextTable();
    table.row("difference", "base", "new", "threads", "calls of threads");
    List<AlignedRole> all =
        difference.roles().stream()
            .sorted(Comparator.comparingDouble(DiffText::time).reversed())
            .toList();
    for (AlignedRole role : all.subList(0, Math.min(limit, all.size()))) {
      AlignedNode tree = role.tree();
      table.row(
          DifferenceWords.signed(tree.fresh().total() - tree.base().total()),
          Nanos.text(Math.round(tree.base().total())),
          Nanos.text(Math.round(tree.fresh().total())),
          threads(role),
          role.name() + note(role));
    }
    terminal.line("");
    table.write(terminal);
    more(all.size() - limit);
  }

  private static double time(AlignedRole role) {
    return Math.max(role.tree().base().total(), role.tree().fresh().total());
  }

  private static String threads(AlignedRole role) {
    long before = role.threads(Side.BASE);
    long after = role.threads(Side.NEW);
    return before == after ? Long.toString(after) : before + " → " + after;
  }

  private static String note(AlignedRole role) {
    String lossy = role.isLossy() ? "; events were lost" : "";
    var before = role.role(Side.BASE);
    if (before == null) {
      return ": only in new" + lossy;
    }
    if (role.role(Side.NEW) == null) {
      return ": only in base" + lossy;
    }
    return (role.isRenamed() ? ": in base called " + before.text() : "") + lossy;
  }

  private void shortly(Finding finding) {
    Part part = finding.parts().getFirst();
    terminal.line(
        "%s  %s  [%s]: %s"
            .formatted(
                DifferenceWords.signed(finding.weight()),
                words.title(finding),
                finding.role().name(),
                words.text(part)));
  }

  private void finding(Finding finding) {
    terminal.line(
        "%s  %s  [%s]"
            .formatted(
                DifferenceWords.signed(finding.weight()),
                words.title(finding),
                finding.role().name()));
    for (Part part : finding.parts()) {
      String sure = DifferenceWords.certainty(part);
      terminal.line(
          "    %s  %s%s"
              .formatted(
                  DifferenceWords.signed(part.weight().value()),
                  words.text(part),
                  sure.isEmpty() ? "" : " (" + sure + ")"));
    }
    AlignedNode where = finding.parts().getFirst().node();
    if (where.parent() == null) {
      return; // nobody knows where counted calls were
    }
    terminal.line(
        "    longest: base %s, new %s"
            .formatted(
                words.place(where, Side.BASE).orElse("none"),
                words.place(where, Side.NEW).orElse("none")));
  }
}
