package dev.kymo.exporters.perfetto;

/**
 * Numbers of the fields that are written, as in Perfetto's {@code trace_packet.proto}, {@code
 * track_event.proto}, {@code track_descriptor.proto} and their like.
 */
final class Fields {
  static final int PACKET = 1;

  static final int PACKET_CLOCKS = 6;
  static final int PACKET_TIME = 8;
  static final int PACKET_SEQUENCE = 10;
  static final int PACKET_EVENT = 11;
  static final int PACKET_INTERNED = 12;
  static final int PACKET_FLAGS = 13;
  static final int PACKET_TRACK = 60;

  /** Values of {@link #PACKET_FLAGS}: names begin anew; names are needed. */
  static final int NAMES_BEGIN = 1;

  static final int NAMES_NEEDED = 2;

  static final int CLOCK = 1;
  static final int CLOCK_ID = 1;
  static final int CLOCK_TIME = 2;
  static final int REALTIME = 1;
  static final int BOOTTIME = 6;

  static final int TRACK_UUID = 1;
  static final int TRACK_NAME = 2;
  static final int TRACK_PROCESS = 3;
  static final int TRACK_THREAD = 4;
  static final int TRACK_PARENT = 5;
  static final int TRACK_COUNTER = 8;
  static final int PROCESS_PID = 1;
  static final int PROCESS_NAME = 6;
  static final int THREAD_PID = 1;
  static final int THREAD_TID = 2;
  static final int THREAD_NAME = 5;

  static final int EVENT_NOTE = 4;
  static final int EVENT_TYPE = 9;
  static final int EVENT_NAME_ID = 10;
  static final int EVENT_TRACK = 11;
  static final int EVENT_CATEGORY = 22;
  static final int EVENT_NAME = 23;
  static final int EVENT_VALUE = 30;
  static final int EVENT_REAL = 44;
  static final int EVENT_FLOW = 47;
  static final int EVENT_LAST_OF_FLOW = 48;

  /** Values of {@link #EVENT_TYPE}. */
  static final int BEGIN = 1;

  static final int END = 2;
  static final int INSTANT = 3;
  static final int COUNTER = 4;

  static final int NAMES = 2;
  static final int NAME_ID = 1;
  static final int NAME = 2;

  static final int NOTE_BOOL = 2;
  static final int NOTE_UNSIGNED = 3;
  static final int NOTE_SIGNED = 4;
  static final int NOTE_REAL = 5;
  static final int NOTE_TEXT = 6;
  static final int NOTE_NAME = 10;

  private Fields() {}
}
