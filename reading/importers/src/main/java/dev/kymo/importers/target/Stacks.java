package dev.kymo.importers.target;

/**
 * Numbers stacks, from 1. A hash table of longs with open addressing, because there can be
 * millions: a key is a caller in the upper half and a function, from 1, in the lower one.
 */
final class Stacks {
  private static final int FIRST = 1024;

  private long[] keys = new long[FIRST];
  private int[] numbers = new int[FIRST];
  private int count;

  int count() {
    return count;
  }

  /** Number of a stack, a new one if it is not known. */
  int number(int caller, int function) {
    long key = ((long) caller << 32) | function;
    int place = place(key);
    if (numbers[place] == 0) {
      keys[place] = key;
      numbers[place] = ++count;
      if (2 * count > keys.length) {
        grow();
        return count;
      }
    }
    return numbers[place];
  }

  private int place(long key) {
    int mask = keys.length - 1;
    int place = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (numbers[place] != 0 && keys[place] != key) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldNumbers = numbers;
    keys = new long[2 * oldKeys.length];
    numbers = new int[keys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldNumbers[i] != 0) {
        int place = place(oldKeys[i]);
        keys[place] = oldKeys[i];
        numbers[place] = oldNumbers[i];
      }
    }
  }
}
