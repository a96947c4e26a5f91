package dev.kymo.model;

/**
 * A row on the time axis: one thread.
 *
 * @param id position in {@link Timeline#tracks()}
 * @param process number in the recording
 * @param thread number in the process
 * @param tid the kernel's number, 0 for a virtual thread
 * @param javaId {@code Thread.threadId()}
 * @param begin time of the first event
 * @param end time of the last event
 * @param calls that ended or were open at the end
 * @param events read
 * @param lost events known to be missing
 * @param depth how many calls were nested at most
 */
@SuppressWarnings("checkstyle:ParameterNumber") // one component a fact
public record Track(
    int id,
    int process,
    int thread,
    String name,
    boolean virtual,
    int tid,
    long javaId,
    long begin,
    long end,
    long calls,
    long events,
    long lost,
    int depth) {}
