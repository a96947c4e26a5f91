package dev.kymo.importers.ctf.type;

import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All that the metadata of a trace says.
 *
 * @param version 1 = CTF 1.8, where the names of fields tell their roles; 2 = CTF 2
 * @param uuid that packets must have; null = none
 * @param environment numbers and texts
 */
public record TraceClass(
    int version,
    @Nullable UUID uuid,
    StructType packetHeader,
    Map<String, Object> environment,
    Map<String, ClockClass> clocks,
    Map<Long, CtfStreamClass> streams) {
  /** A text or number of the environment; empty if there is none. */
  public String environment(String name) {
    Object value = environment.get(name);
    return value == null ? "" : value.toString();
  }
}
