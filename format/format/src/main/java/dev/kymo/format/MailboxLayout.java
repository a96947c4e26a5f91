package dev.kymo.format;

/**
 * The file in shared memory in which a recorded program that listens to no socket takes commands,
 * beside the page of {@link ControlLayout}. One client at a time locks the file, writes a line and
 * waits for the answer.
 *
 * <pre>
 *   byte     0  u64  magic "KYMOMAIL"
 *            8  u32  bell: the process sleeps on it (futex); whoever wants it awake adds 1
 *   -- written by the client --
 *           12  u32  requests: goes up when a line is complete
 *           16  u32  where the answer is to continue; 0 = from its beginning
 *           20  u32  bytes of the line
 *   -- written by the process --
 *           24  u32  accepted: the request that it works on
 *           28  u32  answers: the last request answered
 *           32  u32  where the rest of the answer begins; 0 = there is none
 *           36  u32  bytes of the answer
 *           64  the line, UTF-8
 *         4096  the answer, UTF-8
 * </pre>
 */
public final class MailboxLayout {
  public static final String FILE = "mailbox";

  public static final long MAGIC = 0x4C49414D4F4D594BL;
  public static final int MAGIC_OFFSET = 0;
  public static final int BELL_OFFSET = 8;
  public static final int REQUESTS_OFFSET = 12;
  public static final int FROM_OFFSET = 16;
  public static final int LINE_SIZE_OFFSET = 20;
  public static final int ACCEPTED_OFFSET = 24;
  public static final int ANSWERS_OFFSET = 28;
  public static final int NEXT_OFFSET = 32;
  public static final int ANSWER_SIZE_OFFSET = 36;
  public static final int LINE_OFFSET = 64;
  public static final int ANSWER_OFFSET = 4096;
  public static final int SIZE = 16384;

  /** Maximum size of a line in bytes. */
  public static final int LONGEST_LINE = ANSWER_OFFSET - LINE_OFFSET - 1;

  private MailboxLayout() {}
}
