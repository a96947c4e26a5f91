package dev.kymo.network.wire;

/**
 * The kinds of frames. A frame is
 *
 * <pre>
 *   byte 0  u8   number of the type
 *        1  u32  bytes that follow, big-endian as all numbers here
 *        5  what the type says
 * </pre>
 *
 * <p>Text is UTF-8 after its length in bytes (u16). A file is written in the order of its frames,
 * so that whoever reads it at the receiver never sees more than at the sender.
 */
public enum FrameType {
  /** Sender, first: {@link Hello}. */
  HELLO(0),
  /** Receiver: it may send. Text: the recording's name there; text: identity of its clock. */
  WELCOME(1),
  /** Receiver, last: it may not go on. u16: 1 = for good, 0 = for now; text: why. */
  REFUSED(2),
  /** Sender: u32 number of a file from now on, text: its name. */
  FILE(3),
  /** Sender: u32 file, u64 offset, bytes. */
  WRITE(4),
  /** Sender: u32 file, u64 its length from now on. */
  LENGTH(5),
  /** Sender: text: name of a file, bytes: its whole content, in place of what it had. */
  REPLACE(6),
  /** Sender: text: name of a file that is there no more. */
  DELETE(7),
  /** Sender: u64 clock up to which every event has been sent. */
  PRESENT(8),
  /** Sender: u64 number. */
  MARK(9),
  /** Receiver: u64 number of a mark; everything before it is on disk. */
  ACKNOWLEDGED(10),
  /** Sender: u64 its clock; receiver: that, u64 when it came, u64 now, both on its own clock. */
  CLOCK(11),
  /** Sender: text: name of a file, u64 its length: the receiver's must be as long. */
  CHECK(12),
  /** Sender: this is all. Receiver: it has it. */
  DONE(13),
  /** Sender: u32 length, then as many bytes packed with zstd: the content of a {@link #WRITE}. */
  PACKED(14);

  private static final FrameType[] ALL = values();

  private final byte number;

  FrameType(int number) {
    this.number = (byte) number;
  }

  /** Bytes before what the type says. */
  public static final int HEADER = 5;

  /** The most bytes that may follow a header. */
  public static final int LARGEST = 1 << 20;

  byte number() {
    return number;
  }

  public static FrameType of(int number) throws ProtocolException {
    if (number < 0 || number >= ALL.length) {
      throw new ProtocolException("no such frame: type=" + number);
    }
    return ALL[number];
  }
}
