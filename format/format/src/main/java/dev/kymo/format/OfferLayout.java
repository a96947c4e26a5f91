package dev.kymo.format;

/**
 * The layout of an offer to a running native process to join a recording. Somewhere in the writable
 * data of libkymo in that process lies, at a multiple of 16 bytes:
 *
 * <pre>
 *   byte   0  u8[16]  {@link #MAGIC}
 *         16  u64     address of a byte: not 0 = the hooks of functions look for a recording
 *         24  u64     address of a byte: not 0 = events look for a recording
 *         32  u64     address of a byte for each event, as above
 *         40  u64     their number
 *   -- written by the recorder --
 *         48  u32     0 = nothing is offered, {@link #MADE}, {@link #TAKEN} (written by the process)
 *         56  the session's directory, UTF-8, ended by a zero byte; at most {@link #DIRECTORY_SIZE}
 * </pre>
 *
 * The recorder writes the directory, then the state, then sets the bytes that the addresses name;
 * the next function or event that is hooked joins.
 */
public final class OfferLayout {
  public static final String MAGIC = "KYMO-OFFER-00001";
  public static final int FUNCTIONS_OFFSET = 16;
  public static final int RECORDING_OFFSET = 24;
  public static final int EVENTS_OFFSET = 32;
  public static final int EVENT_COUNT_OFFSET = 40;
  public static final int STATE_OFFSET = 48;
  public static final int DIRECTORY_OFFSET = 56;
  public static final int DIRECTORY_SIZE = 4096;
  public static final int MADE = 1;
  public static final int TAKEN = 2;

  private OfferLayout() {}
}
