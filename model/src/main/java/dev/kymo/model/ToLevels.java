package dev.kymo.model;

/** Takes the calls of a recording that is read for the first time, and who ended states. */
final class ToLevels extends CallsToSlices {
  private final ZoomLevels levels;
  private final Waits waits;

  /** Thread whose next call has a detail; -1 = none. */
  private int detailed = -1;

  private int other;

  ToLevels(ZoomLevels levels, Waits waits, CallPass pass) {
    super(pass);
    this.levels = levels;
    this.waits = waits;
  }

  @Override
  public void detail(ThreadCalls thread, long clock, int object, int otherThread) {
    detailed = otherThread == 0 ? -1 : thread.index();
    other = otherThread;
  }

  @Override
  void put(int track, int depth, long begin, long end, long word, long n, long childTime) {
    levels.add(track, depth, begin, end, word, n, childTime);
    if (track == detailed) {
      detailed = -1;
      if ((word & Slice.OPEN_END) == 0) {
        waits.add(begin, end, track, other, (int) (word >>> 32));
      }
    }
  }
}
