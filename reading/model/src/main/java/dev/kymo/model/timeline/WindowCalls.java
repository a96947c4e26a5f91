package dev.kymo.model.timeline;

import dev.kymo.format.ThreadRecord;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.levels.SliceRow;

/** Hands out every call of one track that overlaps a window, in the order of their ends. */
final class WindowCalls {
  private final CallPass pass;
  private final ThreadRows rows;
  private final ThreadCalls thread;
  private final TrackKind kind;
  private final TrackNumbers numbers;

  WindowCalls(CallPass pass, ThreadRows rows, TrackKind kind, TrackNumbers numbers) {
    this.pass = pass;
    this.rows = rows;
    this.thread = rows.thread();
    this.kind = kind;
    this.numbers = numbers;
  }

  /** See {@link Timeline#calls}. */
  void read(long from, long to, CallVisitor visitor) {
    long resolution = rows.resolution();
    long last = Math.min(to, rows.duration()) + resolution;
    CallSink inWindow =
        new CallsToSlices(pass) {
          @Override
          void put(CallCursor call, long begin, long end) {
            if (end >= from && begin <= to && end <= last) {
              if (call.hasDetail()) {
                visitor.detail(call.object(), numbers.ofStates(thread.process(), call.other()));
              }
              visitor.call(call.depth(), call.method(), begin, end, call.flags());
            }
          }
        };
    rows.replay(from - Math.min(resolution, from), last, inWindow);
    for (int depth = rows.depths() - 1; depth >= 0; depth--) {
      SliceRow later = rows.kept(depth, last + 1, to);
      addOpen(depth, from, to, last, later);
      for (int i = 0; i < later.size; i++) {
        long word = later.data[i * SliceRow.SLICE + SliceRow.METHOD];
        laterDetail(depth, later, i, visitor);
        visitor.call(depth, (int) (word >>> 32), later.begin(i), later.end(i), (int) word);
      }
    }
  }

  /** Reports what is known of a state that ends after what was decoded. */
  private void laterDetail(int depth, SliceRow later, int i, CallVisitor visitor) {
    long detail = thread.openDetail();
    boolean open = (later.data[i * SliceRow.SLICE + SliceRow.METHOD] & Slice.OPEN_END) != 0;
    if (open && detail != 0) {
      int other = ThreadRecord.detailOther(detail);
      visitor.detail(ThreadRecord.detailObject(detail), numbers.ofStates(thread.process(), other));
    } else if (!open && kind.hasDetails()) {
      DetailAtEnd found = new DetailAtEnd(pass, depth, later.end(i));
      rows.replay(later.end(i), later.end(i) + rows.resolution(), found);
      visitor.detail(found.object(), numbers.ofStates(thread.process(), found.other()));
    }
  }

  /** An open call ends where no event is, so decoding does not find it; it is its row's last. */
  private void addOpen(int depth, long from, long to, long last, SliceRow calls) {
    SliceRow tail = rows.last(depth);
    if (tail != null) {
      int i = tail.size - 1;
      boolean inside = tail.end(i) >= from && tail.end(i) <= last && tail.begin(i) <= to;
      if (tail.open(i) && inside) {
        calls.append(tail.data, i * SliceRow.SLICE);
      }
    }
    if (rows.duration() >= from && rows.duration() <= last) {
      rows.addRunning(depth, from, to, calls);
    }
  }
}
