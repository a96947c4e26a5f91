package dev.kymo.exporters.picture;

/**
 * A picture of a part of a recording.
 *
 * @param png the file
 * @param threads that are shown
 * @param left threads with something in that time that are not shown, because there is no room
 * @param cut whether calls are nested more deeply than is shown
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares pictures
public record Picture(byte[] png, int threads, int left, boolean cut) {}
