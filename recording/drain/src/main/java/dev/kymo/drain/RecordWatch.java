package dev.kymo.drain;

import dev.kymo.format.Clock;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * Looks at what the programs record while a flight recorder keeps it, and asks for snapshots. The
 * drainer's thread calls it; what it takes time for, the programs' buffers go on without.
 */
public interface RecordWatch {
  /**
   * Records that a ring has got.
   *
   * @param missed whether records before these were overwritten before they could be copied
   * @param first whether these are the first of a packet; else they continue the piece before
   * @param begin clock before the first record of a packet
   * @param thread number, in its process, of a packet's first thread
   * @param records as in a {@code THREADS} stream; to be read before this returns
   */
  record Piece(
      int process,
      int ring,
      boolean missed,
      boolean first,
      long begin,
      int thread,
      ByteBuffer records) {}

  /** Why a snapshot is taken. */
  interface Reason {
    /**
     * One line for people.
     *
     * @param snapshot that is being written
     * @param clock the snapshot's
     * @param base first clock in it
     */
    String text(Path snapshot, Clock clock, long base);
  }

  /** The definitions that the next pieces need are in the recording's files. */
  void begin();

  /** Takes records; the pieces of a ring come in their order. */
  void take(Piece piece);

  /**
   * All pieces of this look have come. Returns why a snapshot is to be taken now; nothing = none.
   *
   * @param now the recording's clock
   */
  List<Reason> end(Clock clock, long now);
}
