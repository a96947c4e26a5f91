package dev.kymo.model.timeline;

import dev.kymo.model.definitions.TrackKind;

/**
 * A row on the time axis: one thread, what a thread waited for, something that the virtual machine
 * does, what the kernel did with a thread, or a processor.
 *
 * @param id position in {@link Timeline#tracks()}
 * @param process number in the recording
 * @param thread number in the process
 * @param kind what it shows
 * @param of of {@link TrackKind#STATES} and {@link TrackKind#SCHEDULED}: the track of the same
 *     thread's calls; -1 = there is none
 * @param tid the kernel's number, 0 for a virtual thread; of {@link TrackKind#CPU} that of the
 *     processor
 * @param javaId {@code Thread.threadId()}; of {@link TrackKind#SCHEDULED} the number of its process
 * @param begin time of the first event; of a thread without events, of the first counted call
 * @param end time of the last event or counted call
 * @param calls that ended or were open at the end; those that were counted only are not among them
 * @param counted calls that were counted only, see {@link Timeline#counts()}
 * @param events read
 * @param lost events known to be missing
 * @param own events of the program's own among them
 * @param depth how many calls were nested at most
 */
@SuppressWarnings("checkstyle:ParameterNumber") // one component a fact
public record Track(
    int id,
    int process,
    int thread,
    TrackKind kind,
    int of,
    String name,
    boolean virtual,
    int tid,
    long javaId,
    long begin,
    long end,
    long calls,
    long counted,
    long events,
    long lost,
    long own,
    int depth) {
  /** The same, in another time. */
  Track from(long first, long last) {
    return new Track(
        id, process, thread, kind, of, name, virtual, tid, javaId, first, last, calls, counted,
        events, lost, own, depth);
  }
}
