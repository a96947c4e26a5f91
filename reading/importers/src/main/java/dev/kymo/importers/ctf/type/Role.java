package dev.kymo.importers.ctf.type;

/** Meaning of a field for the reader of a stream. */
public enum Role {
  MAGIC(0),
  UUID(1),
  STREAM_CLASS(2),
  STREAM(3),
  PACKET_SIZE(4),
  CONTENT_SIZE(5),
  BEGIN(6),
  END(7),
  DISCARDED(8),
  SEQUENCE(9),
  EVENT_CLASS(10),
  TIME(11),
  CPU(12);

  private final int slot;

  Role(int slot) {
    this.slot = slot;
  }

  /** Where readers keep the value that was read last. */
  public int slot() {
    return slot;
  }
}
