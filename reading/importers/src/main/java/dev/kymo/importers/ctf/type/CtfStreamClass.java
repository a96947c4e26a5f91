package dev.kymo.importers.ctf.type;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A kind of stream.
 *
 * @param clock name of its clock, where the metadata gives one to the stream (CTF 2); null = its
 *     fields tell
 * @param events by their numbers
 */
public record CtfStreamClass(
    long id,
    StructType packetContext,
    StructType eventHeader,
    StructType eventContext,
    @Nullable String clock,
    Map<Long, EventClass> events) {}
