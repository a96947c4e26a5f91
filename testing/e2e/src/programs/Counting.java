import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

/**
 * Two threads that count their calls in shared memory, each after the call has returned. A second
 * argument is the number of calls after which a thread rests for a millisecond.
 */
public class Counting {
  static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  static int counted(int n) {
    int sum = n;
    for (int i = 0; i < n % 7; i++) {
      sum += i * n;
    }
    return sum;
  }

  static void run(MappedByteBuffer counter, int slot, int restAfter) {
    int sum = 0;
    for (long i = 1; ; i++) {
      sum += counted((int) i);
      LONG.setRelease(counter, slot * 64, i);
      if (sum == 1 && i < 0) {
        return;
      }
      if (i % restAfter == 0) {
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    try (FileChannel channel =
        FileChannel.open(
            Path.of(arguments[0]),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      MappedByteBuffer counter = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096);
      int rest = arguments.length > 1 ? Integer.parseInt(arguments[1]) : Integer.MAX_VALUE;
      Thread second = new Thread(() -> run(counter, 1, rest), "second");
      second.start();
      run(counter, 0, rest);
    }
  }
}
