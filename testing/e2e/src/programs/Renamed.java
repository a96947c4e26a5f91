/** A thread that gives itself another name after its first call. */
public class Renamed {
  static int work(String text) {
    return Integer.parseInt(text);
  }

  public static void main(String[] arguments) throws Exception {
    Thread thread =
        new Thread(
            () -> {
              work("1");
              Thread.currentThread().setName("after");
              work("2");
            },
            "before");
    thread.start();
    thread.join();
  }
}
