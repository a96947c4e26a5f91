import java.io.FilePermission;
import java.io.OutputStream;
import java.io.PrintStream;
import java.security.AccessControlContext;
import java.security.AccessController;
import java.security.Permissions;
import java.security.PrivilegedAction;
import java.security.ProtectionDomain;

/** Has threads without any permissions, under a security manager, and ends with code 3. */
@SuppressWarnings("removal")
public class Restricted {
  private static int sum;

  public static void main(String[] arguments) throws Exception {
    System.setErr(new PrintStream(new Unwilling()));
    AccessControlContext nothing =
        new AccessControlContext(
            new ProtectionDomain[] {new ProtectionDomain(null, new Permissions())});
    for (int i = 0; i < 3; i++) {
      Thread thread = AccessController.doPrivileged(new Start(), nothing);
      thread.join();
    }
    System.out.println("sum " + sum + " " + isAllowed(nothing));
    System.exit(3);
  }

  /** Starts a thread, which has the permissions of its maker. */
  private static final class Start implements PrivilegedAction<Thread> {
    @Override
    public Thread run() {
      Thread thread = new Worker();
      thread.start();
      return thread;
    }
  }

  private static final class Worker extends Thread {
    @Override
    public void run() {
      for (int i = 0; i < 100; i++) {
        add(i);
      }
    }
  }

  static void add(int more) {
    sum = Math.addExact(sum, more);
  }

  private static boolean isAllowed(AccessControlContext context) {
    try {
      context.checkPermission(new FilePermission("/dev/shm/-", "read,write"));
      return true;
    } catch (SecurityException e) {
      return false;
    }
  }

  /** A standard error that nobody may write to. */
  private static final class Unwilling extends OutputStream {
    @Override
    public void write(int b) {
      throw new IllegalStateException("nobody may write here");
    }
  }
}
