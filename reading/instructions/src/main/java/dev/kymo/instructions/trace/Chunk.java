package dev.kymo.instructions.trace;

/**
 * A part of what a thread did, which can be read by itself.
 *
 * @param offset of its header in the file
 * @param length bytes of its records
 * @param stored bytes after the header
 * @param begin clock
 * @param end clock
 */
public record Chunk(
    long offset, int crc, int length, int stored, long begin, long end, long blocks) {}
