package dev.kymo.exporters.picture;

import dev.kymo.format.SchedulerState;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;
import java.awt.Color;

/** The colours of a picture: a hue a class, so that calls of a class look alike everywhere. */
final class Palette {
  static final Color TEXT = new Color(0x1f2937);
  static final Color FAINT = new Color(0x6b7280);
  static final Color LINE = new Color(0xe2e5ec);
  static final Color LOST = new Color(0xb91c1c);
  private static final Color WAITING = new Color(0xd9541e);
  private static final Color RUNNING = new Color(0x3a9d5d);
  private static final Color RUNNABLE = new Color(0xe3b505);
  private static final Color BLOCKED = new Color(0x5b5bd6);

  /** The golden angle: hues of numbers in a row lie far apart. */
  private static final float ANGLE = 0.618034f;

  private static final int HUES = 64;

  private Palette() {}

  static Color of(TrackKind kind, TracedMethod method) {
    if (kind == TrackKind.CALLS) {
      float hue = Math.floorMod(method.type().hashCode() * 31 + 7, HUES) * ANGLE;
      return Color.getHSBColor(hue, 0.42f, 0.92f);
    }
    if (method.is(SchedulerState.RUNNING)) {
      return RUNNING;
    }
    if (method.is(SchedulerState.RUNNABLE)) {
      return RUNNABLE;
    }
    return method.is(SchedulerState.BLOCKED) ? BLOCKED : WAITING;
  }

  /** Calls that cannot be told apart. */
  static Color pale(Color color) {
    return new Color(
        (color.getRed() + 255) / 2, (color.getGreen() + 255) / 2, (color.getBlue() + 255) / 2);
  }
}
