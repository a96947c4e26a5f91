/** Makes a million calls: sixteen megabytes of events. */
class Busy {
  private static int sum;

  public static void main(String[] args) {
    for (int i = 0; i < 1_000_000; i++) {
      call(i);
    }
    System.out.println(sum);
  }

  private static void call(int i) {
    for (int k = 0; k < 3; k++) {
      sum += i % (k + 7);
    }
  }
}
