package dev.kymo.model;

/** Takes the calls around the end of one state, and what is told of that. */
final class DetailAtEnd extends CallsToSlices {
  private final int depth;
  private final long end;
  private int nextObject;
  private int nextOther;
  private int object;
  private int other;

  DetailAtEnd(CallPass pass, int depth, long end) {
    super(pass);
    this.depth = depth;
    this.end = end;
  }

  @Override
  public void detail(ThreadCalls states, long clock, int objectOfNext, int otherOfNext) {
    nextObject = objectOfNext;
    nextOther = otherOfNext;
  }

  @Override
  void put(int t, int d, long begin, long endOfCall, long word, long children, long childTime) {
    // Of several that end then, the others took no time, and came later.
    if (d == depth && endOfCall == end && begin < end) {
      object = nextObject;
      other = nextOther;
    }
    nextObject = 0;
    nextOther = 0;
  }

  /** Identity of what was waited for; 0 = unknown. */
  int object() {
    return object;
  }

  /** Number of the other thread in its process; 0 = unknown. */
  int other() {
    return other;
  }
}
