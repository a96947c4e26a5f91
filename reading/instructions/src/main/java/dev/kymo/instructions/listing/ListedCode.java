package dev.kymo.instructions.listing;

/**
 * The part of a listed instruction that is the same each time it is executed.
 *
 * @param address where it lies; of a system call or signal 0
 * @param module name of the file with it, empty if it is in none
 * @param function with the distance from its begin, {@code main+0x1c}
 * @param source line that it was made of, {@code /src/main.c:12}; empty if that is not known
 * @param code in hexadecimal digits
 * @param text its disassembly; what a system call or a signal is
 */
public record ListedCode(
    long address, String module, String function, String source, String code, String text) {

  /** Of a line that is not an instruction. */
  static ListedCode event(String text) {
    return new ListedCode(0, "", "", "", "", text);
  }
}
