package dev.kymo.cli.diff;

import dev.kymo.analysis.difference.Difference;
import dev.kymo.analysis.difference.Gate;
import dev.kymo.analysis.difference.GateRule;
import dev.kymo.analysis.difference.Side;
import java.nio.file.Path;
import java.util.List;

/** The compared recordings, and the differences found between them. */
record Compared(
    Difference difference, List<Path> base, List<Path> fresh, List<GateRule> rules, Gate gate) {
  List<Path> paths(Side side) {
    return side == Side.BASE ? base : fresh;
  }
}
