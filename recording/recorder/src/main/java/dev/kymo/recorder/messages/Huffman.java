package dev.kymo.recorder.messages;

/**
 * Decodes the Huffman code of HTTP/2's headers (RFC 7541, appendix B). The code is a canonical one:
 * it follows from the lengths of the symbols' codes.
 */
final class Huffman {
  /** Of each symbol, the last one the end of text: the length of its code, 5 as {@code A}. */
  private static final String LENGTHS =
      "ISXXXXXXXTZXXZXXXXXXXXZXXXXXXXXXBFFHIBDGFFDGDBBBAAABBBBBBBCDKBHF"
          + "IBCCCCCCCCCCCCCCCCCCCCCCDCDIOIJBKABABABBBACCBBBABCBAABCCCCCKGJIX"
          + "PRPPRRRSRSSSSSTSTTRSTSSSSQRSRSSTRQPRRSSQSRRTQRSSQQRQSRSSPRRRSRRS"
          + "VVPORSRUVVVWWVTUOQVWWVWTQQVVXWWWPTPQRQQSRRUUTTVSVWVVWWWWWXWWWWWV"
          + "Z";

  private static final int SHORTEST = 5;
  private static final int LONGEST = 30;
  private static final int END = 256;

  /** The symbols in the order of their codes. */
  private static final short[] SYMBOLS = new short[LENGTHS.length()];

  /** By length: the first code, how many there are, and where their symbols begin. */
  private static final int[] FIRST = new int[LONGEST + 1];

  private static final int[] COUNT = new int[LONGEST + 1];
  private static final int[] BEGIN = new int[LONGEST + 1];

  static {
    int code = 0;
    int at = 0;
    for (int length = 1; length <= LONGEST; length++) {
      code <<= 1;
      FIRST[length] = code;
      BEGIN[length] = at;
      for (int symbol = 0; symbol <= END; symbol++) {
        if (LENGTHS.charAt(symbol) - 'A' + SHORTEST == length) {
          SYMBOLS[at++] = (short) symbol;
          code++;
        }
      }
      COUNT[length] = at - BEGIN[length];
    }
  }

  private Huffman() {}

  /**
   * Decodes bytes.
   *
   * @param into gets the text as far as there is room
   * @return how many bytes the text has; -1 if it is none
   */
  static int decode(byte[] bytes, int from, int to, byte[] into) {
    int decoded = 0;
    int code = 0;
    int length = 0;
    for (int bit = 0; bit < (to - from) * Byte.SIZE; bit++) {
      int at = bytes[from + bit / Byte.SIZE] >> (Byte.SIZE - 1 - bit % Byte.SIZE) & 1;
      code = code << 1 | at;
      length++;
      if (length > LONGEST) {
        return -1;
      }
      int index = code - FIRST[length];
      if (index >= 0 && index < COUNT[length]) {
        int symbol = SYMBOLS[BEGIN[length] + index];
        if (symbol == END) {
          return -1;
        }
        if (decoded < into.length) {
          into[decoded] = (byte) symbol;
        }
        decoded++;
        code = 0;
        length = 0;
      }
    }
    boolean isPadded = length < Byte.SIZE && code == (1 << length) - 1;
    return isPadded ? decoded : -1;
  }
}
