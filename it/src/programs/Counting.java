import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Two threads that count their calls in shared memory, each after the call has returned. */
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

  static void run(MappedByteBuffer counter, int slot) {
    int sum = 0;
    for (long i = 1; ; i++) {
      sum += counted((int) i);
      LONG.setRelease(counter, slot * 64, i);
      if (sum == 1 && i < 0) {
        return;
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
      Thread second = new Thread(() -> run(counter, 1), "second");
      second.start();
      run(counter, 0);
    }
  }
}
