package dev.kymo.session.machine;

import dev.kymo.session.system.RawText;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;

/**
 * The orders for the machine's first program; {@code recording/native/machine/init.c} reads them.
 */
final class GuestOrders {
  static final String FILE = "/kymo-orders";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private GuestOrders(String task) {
    add(task);
    add(Long.toHexString(GuestMessages.AREA_ADDRESS));
  }

  /** To say what the kernel knows of itself. */
  static byte[] learn() {
    GuestOrders orders = new GuestOrders("learn");
    orders.add("/");
    orders.add("");
    orders.add("0");
    return orders.bytes.toByteArray();
  }

  /**
   * To run a program.
   *
   * @param words its arguments from number 0 on, as {@link RawText}
   */
  static byte[] run(
      String directory, String program, List<String> words, Map<String, String> environment) {
    GuestOrders orders = new GuestOrders("run");
    orders.add(directory);
    orders.add(program);
    orders.add(Integer.toHexString(words.size()));
    words.forEach(orders::add);
    environment.forEach((name, value) -> orders.add(name + "=" + value));
    return orders.bytes.toByteArray();
  }

  private void add(String text) {
    bytes.writeBytes(RawText.encode(text));
    bytes.write(0);
  }
}
