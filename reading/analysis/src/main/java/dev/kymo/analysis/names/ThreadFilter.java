package dev.kymo.analysis.names;

import dev.kymo.format.Definition;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.timeline.Track;
import java.util.List;
import java.util.function.Predicate;

/**
 * Threads that somebody asks for: by name, in which {@code *} stands for anything, by their number
 * in the recording, or by the kernel's number.
 */
public final class ThreadFilter implements Predicate<ThreadCalls> {
  private final List<NameGlob> patterns;
  private final List<String> numbers;

  /** A filter that lets through what matches any of these; everything if there are none. */
  public ThreadFilter(List<String> names) {
    numbers = List.copyOf(names);
    patterns = names.stream().map(NameGlob::new).toList();
  }

  /** Whether all threads are asked for. */
  public boolean isAll() {
    return numbers.isEmpty();
  }

  @Override
  public boolean test(ThreadCalls thread) {
    return test(thread.definition());
  }

  /** Whether a thread is asked for. */
  public boolean test(Definition.TracedThread thread) {
    return test(thread.thread(), thread.tid(), thread.name());
  }

  /** Whether a track is of a thread that is asked for. */
  public boolean test(Track track) {
    return test(track.thread(), track.tid(), track.name());
  }

  private boolean test(int thread, int tid, String name) {
    return numbers.isEmpty()
        || numbers.contains(Integer.toString(thread))
        || (tid != 0 && numbers.contains(Integer.toString(tid)))
        || patterns.stream().anyMatch(p -> p.test(name));
  }
}
