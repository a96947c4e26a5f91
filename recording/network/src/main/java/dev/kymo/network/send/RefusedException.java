package dev.kymo.network.send;

import java.io.IOException;

/** The receiver does not take a recording. */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1;
  private final boolean forGood;

  public RefusedException(String why, boolean forGood) {
    super(why);
    this.forGood = forGood;
  }

  /** Whether it makes no sense to try again. */
  boolean isForGood() {
    return forGood;
  }
}
