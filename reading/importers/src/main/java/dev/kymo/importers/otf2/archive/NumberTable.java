package dev.kymo.importers.otf2.archive;

import java.util.Arrays;

/** The numbers that definitions have in all of an archive, by those that one location uses. */
final class NumberTable {
  /** Sorted; empty if the location's numbers are 0, 1, 2 and so on. */
  private final long[] local;

  private final long[] global;

  /**
   * A table.
   *
   * @param local numbers of the location, in any order; empty = 0, 1, 2 and so on
   * @param global as many of the archive, or more than none
   */
  NumberTable(long[] local, long[] global) {
    if (isSorted(local)) {
      this.local = local;
      this.global = global;
      return;
    }
    Integer[] order = new Integer[local.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Long.compare(local[a], local[b]));
    this.local = Arrays.stream(order).mapToLong(i -> local[i]).toArray();
    this.global = Arrays.stream(order).mapToLong(i -> global[i]).toArray();
  }

  private static boolean isSorted(long[] numbers) {
    for (int i = 1; i < numbers.length; i++) {
      if (numbers[i] < numbers[i - 1]) {
        return false;
      }
    }
    return true;
  }

  /** The archive's number; the same one if the table does not have it. */
  long of(long number) {
    if (local.length == 0) {
      return number >= 0 && number < global.length ? global[(int) number] : number;
    }
    int place = Arrays.binarySearch(local, number);
    return place < 0 ? number : global[place];
  }
}
