package dev.kymo.model.timeline;

/** Finds the detail of one state. */
final class StateDetail implements CallVisitor {
  private final int depth;
  private final long begin;
  private final long end;
  private int nextObject;
  private int nextOther = -1;

  private int object;
  private int other = -1;

  StateDetail(int depth, long begin, long end) {
    this.depth = depth;
    this.begin = begin;
    this.end = end;
  }

  @Override
  public void detail(int objectOfNext, int otherOfNext) {
    nextObject = objectOfNext;
    nextOther = otherOfNext;
  }

  @Override
  public void call(int depthOfCall, int method, long beginOfCall, long endOfCall, int flags) {
    if (depthOfCall == depth && beginOfCall == begin && endOfCall == end) {
      object = nextObject;
      other = nextOther;
    }
    nextObject = 0;
    nextOther = -1;
  }

  /** Identity of what was waited for; 0 = unknown. */
  int object() {
    return object;
  }

  /** Track of the thread that let it continue; -1 = unknown. */
  int other() {
    return other;
  }
}
