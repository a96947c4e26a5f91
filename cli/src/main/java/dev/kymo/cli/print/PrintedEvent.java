package dev.kymo.cli.print;

import dev.kymo.format.Definition;

/**
 * An event as it is printed.
 *
 * @param number in the recording, from 1; 0 = it has none: nothing of the program's own
 * @param ticks of the recording's clock
 * @param time nanoseconds since the recording's begin
 * @param thread its thread or processor; with an empty name = the process as a whole
 * @param cells what there is to say about it
 */
record PrintedEvent(
    long number,
    long ticks,
    long time,
    int process,
    Definition.TracedThread thread,
    EventCells cells) {}
