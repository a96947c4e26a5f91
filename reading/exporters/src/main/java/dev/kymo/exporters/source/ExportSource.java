package dev.kymo.exporters.source;

import dev.kymo.format.Definition;
import dev.kymo.model.arrows.ArrowKind;
import dev.kymo.model.arrows.MessageArrows;
import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.GapList;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.calls.Slice;
import dev.kymo.model.calls.StateOwners;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.counts.CountedCalls;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.model.definitions.TrackKind;
import dev.kymo.model.replay.HistoryPart;
import dev.kymo.model.replay.ThreadHistories;
import dev.kymo.model.timeline.EventVisitor;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.Recording;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Source of an export: the selected tracks of a recording, which can be walked through one after
 * the other, repeatedly. Times are nanoseconds since the recording's begin.
 */
public final class ExportSource implements AutoCloseable {
  private final CallPass pass;
  private final ThreadHistories histories;
  private final Selected selected;
  private final ProgressListener progress;
  private final StateOwners owners;
  private final List<ExportTrack> tracks = new ArrayList<>();

  /** By {@link ThreadCalls#index()}, the number of a track; -1 = it is not selected. */
  private final int[] numbers;

  private final Map<Long, ThreadCalls> byThread = new HashMap<>();
  private Exported exported = new Exported();
  private MessageArrows messages = new MessageArrows();
  private long walked;

  private ExportSource(ThreadHistories histories, Selected selected, ProgressListener progress) {
    this.pass = histories.pass();
    this.histories = histories;
    this.selected = selected;
    this.progress = progress;
    this.owners = new StateOwners(pass.threads(), pass.definitions());
    this.numbers = new int[pass.threads().size()];
    Arrays.fill(numbers, -1);
    addTracks();
  }

  /** A loss: {@code count} is -1 if it is not known, 0 if it is counted with another thread. */
  public record Loss(long from, long to, long count) {}

  /**
   * Opens what is to be exported; reads the recording once if it has no index.
   *
   * @param reading told how far that is
   * @param writing told how far the walks through the tracks are
   */
  public static ExportSource open(
      Recording recording, Selected selected, ProgressListener reading, ProgressListener writing) {
    return new ExportSource(ThreadHistories.open(recording, reading), selected, writing);
  }

  private void addTracks() {
    List<ThreadCalls> chosen = new ArrayList<>();
    for (ThreadCalls thread : pass.threads()) {
      byThread.put(RecordedDefinitions.key(thread.process(), thread.thread()), thread);
      if (selected.threads().test(thread)) {
        numbers[thread.index()] = chosen.size();
        chosen.add(thread);
      }
    }
    for (ThreadCalls thread : chosen) {
      int owner = owners.of(thread.index());
      TrackKind kind = TrackKind.of(thread.definition());
      tracks.add(new ExportTrack(tracks.size(), thread, kind, owner < 0 ? -1 : numbers[owner]));
    }
  }

  public CallPass pass() {
    return pass;
  }

  public RecordedDefinitions definitions() {
    return pass.definitions();
  }

  public TracedMethod method(int number) {
    return pass.definitions().methods().get(number);
  }

  public int methods() {
    return pass.definitions().methods().size();
  }

  public Selected selected() {
    return selected;
  }

  /** All selected tracks; {@code tracks().get(i).number() == i}. */
  public List<ExportTrack> tracks() {
    return tracks;
  }

  /** What was handed out since the last call of {@link #again}. */
  public Exported exported() {
    return exported;
  }

  /** The tracks will be walked through once more. */
  public void again() {
    exported = new Exported();
    messages = new MessageArrows();
    walked = 0;
  }

  public void walk(ExportTrack track, ExportSink sink) {
    if (track.thread().counts().events() > 0) {
      TrackWalk walk =
          new TrackWalk(
              definitions(),
              pass.nanoClock(),
              pass.nanoClock(),
              selected,
              messages,
              exported,
              sink);
      histories.replay(track.thread(), walk);
      walk.finish();
    }
    walked += track.thread().counts().events();
    progress.progress(walked, allEvents());
  }

  /** Hands out the user events of one track that are in the range, as they are recorded. */
  public void events(ExportTrack track, EventVisitor visitor) {
    NanoClock clock = pass.nanoClock();
    CallSink sink =
        new CallSink() {
          @Override
          public void call(CallCursor call) {}

          @Override
          public void event(ThreadCalls thread, int event, long at, EventBatch batch, int word) {
            long time = clock.nanos(at);
            if (selected.overlaps(time, time)) {
              visitor.event(time, definitions().event(event), batch, word);
            }
          }
        };
    if (track.thread().counts().own() > 0) {
      histories.replay(track.thread(), sink);
    }
    walked += track.thread().counts().events();
    progress.progress(walked, allEvents());
  }

  private long allEvents() {
    return tracks.stream().mapToLong(t -> t.thread().counts().events()).sum();
  }

  /** What some tracks did, in parts that can be read again independently. */
  public List<HistoryPart> parts(Predicate<ExportTrack> of, long events) {
    return histories.parts(
        thread -> numbers[thread.index()] >= 0 && of.test(track(thread)), events);
  }

  /** The selected track of what a thread did. */
  public ExportTrack track(ThreadCalls thread) {
    return tracks.get(numbers[thread.index()]);
  }

  /** The track of the thread whose states these are, if it is known; or else the track itself. */
  public ExportTrack owner(ExportTrack track) {
    return track.of() < 0 ? track : tracks.get(track.of());
  }

  /** The losses of a track that overlap the range. */
  public List<Loss> losses(ExportTrack track) {
    NanoClock clock = pass.nanoClock();
    GapList gaps = track.thread().gaps();
    List<Loss> losses = new ArrayList<>();
    for (int i = 0; i < gaps.count(); i++) {
      long from = clock.nanos(Math.max(pass.base(), gaps.from(i)));
      long to = clock.nanos(Math.max(pass.base(), gaps.to(i)));
      if (selected.overlaps(from, to)) {
        losses.add(new Loss(from, to, gaps.lost(i)));
      }
    }
    return losses;
  }

  /** How many losses of the selected tracks overlap the range. */
  public long losses() {
    return tracks.stream().mapToLong(track -> losses(track).size()).sum();
  }

  /** The calls of a track in the range that were counted only, by method and mode. */
  public void counted(ExportTrack track, Consumer<CountedCalls> visitor) {
    pass.counts().between(track.thread().index(), selected.from(), selected.to(), visitor);
  }

  /** The track of who let a thread go on, if a state's detail says so and that is selected. */
  public Optional<ExportTrack> waker(ExportTrack track, EndedCall state) {
    return waker(track, state.other(), state.flags());
  }

  /** The same of a state with these flags, whose detail has this other thread; 0 = none. */
  public Optional<ExportTrack> waker(ExportTrack track, int other, int flags) {
    // The virtual machine works for a thread: nobody lets anybody go on.
    boolean woken = track.kind() == TrackKind.STATES || track.kind() == TrackKind.SCHEDULED;
    if (!woken || other == 0 || (flags & Slice.OPEN_END) != 0) {
      return Optional.empty();
    }
    int index = ofStates(track.process(), other);
    return index < 0 || numbers[index] < 0
        ? Optional.empty()
        : Optional.of(tracks.get(numbers[index]));
  }

  /** Index of the thread that has these states, or of the states if it has no track. */
  private int ofStates(int process, int thread) {
    ThreadCalls states = byThread.get(RecordedDefinitions.key(process, thread));
    if (states == null) {
      Definition.TracedThread defined = definitions().thread(process, thread).orElse(null);
      return defined == null ? -1 : owners.of(process, defined);
    }
    int owner = owners.of(states.index());
    return owner >= 0 ? owner : states.index();
  }

  public ArrowKind arrow(ExportTrack track, EndedCall state) {
    return ArrowKind.of(track.kind(), method(state.method()));
  }

  /** Takes messages. */
  @FunctionalInterface
  public interface MessageTaker {
    /** A message between two tracks; {@code event} is the number of what sent it. */
    void take(long sent, long received, ExportTrack sender, ExportTrack receiver, int event);
  }

  /** Hands out the messages between the tracks walked through, in the order of their receipt. */
  public void messages(MessageTaker taker) {
    exported.messages = 0;
    exported.moreMessages =
        messages.read(
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            Integer.MAX_VALUE,
            new MessageArrows.Taker() {
              @Override
              public boolean has(int sender, int receiver) {
                return numbers[sender] >= 0 && numbers[receiver] >= 0;
              }

              @Override
              public void take(long sent, long received, int sender, int receiver, int event) {
                exported.messages++;
                taker.take(
                    sent,
                    received,
                    tracks.get(numbers[sender]),
                    tracks.get(numbers[receiver]),
                    event);
              }
            });
  }

  /** Closes the recording. */
  @Override
  public void close() {
    histories.close();
    pass.recording().close();
  }
}
