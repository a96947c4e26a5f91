package dev.kymo.instructions.trace;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The registers of a machine before each instruction of some ranges, as replays have written them:
 * files {@code registers-N}, whose chunks have a record for each instruction. A record is u16,
 * whose bit N says that register N differs from the record before, or from 0 at the chunk's begin;
 * then the differences as {@code signed}.
 */
public final class RegisterTrace {
  /** In the order of their numbers in instructions. */
  private static final String[] NAMES = {
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"
  };

  private final DetailFiles files;

  public RegisterTrace(DetailFiles files) {
    this.files = files;
  }

  /**
   * By clock: the registers that an instruction has changed, {@code rax=1 rsp=7fffffffe0a8}; for an
   * instruction whose registers before it are not known, all of them. Empty if it changed none.
   *
   * @param from clock
   * @param to clock that is not wanted any more
   * @throws IOException if they are damaged
   */
  public Map<Long, String> changes(long from, long to) throws IOException {
    Map<Long, String> changes = new HashMap<>();
    for (ChunkFile file : files.files()) {
      Reader reader = new Reader();
      // The registers after an instruction are those before the next one.
      DetailFiles.read(
          file, from, to, (records, chunk) -> reader.read(records, chunk, from, to, changes));
    }
    return changes;
  }

  private static final class Reader {
    private final long[] known = new long[NAMES.length];
    private final long[] now = new long[NAMES.length];
    private long next = -1;

    void read(byte[] records, Chunk chunk, long from, long to, Map<Long, String> changes)
        throws IOException {
      Varints varints = new Varints(records);
      Arrays.fill(now, 0);
      for (long clock = chunk.begin(); clock < chunk.end() && clock <= to; clock++) {
        int changed = varints.single() | varints.single() << 8;
        for (int i = 0; i < NAMES.length; i++) {
          if ((changed >> i & 1) != 0) {
            now[i] += varints.signed();
          }
        }
        if (clock > from) {
          changes.put(clock - 1, text(clock == next));
        }
        System.arraycopy(now, 0, known, 0, now.length);
        next = clock + 1;
      }
    }

    private String text(boolean compared) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < NAMES.length; i++) {
        if (!compared || now[i] != known[i]) {
          text.append(text.isEmpty() ? "" : " ");
          text.append(NAMES[i]).append('=').append(Long.toHexString(now[i]));
        }
      }
      return text.toString();
    }
  }
}
