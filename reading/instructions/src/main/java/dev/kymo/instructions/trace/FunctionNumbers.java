package dev.kymo.instructions.trace;

import dev.kymo.format.ThreadRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The methods of a process: a number for each address that is called, system call and signal.
 * Numbers are given in the order in which they are asked for, from 1. Safe for use by several
 * threads: a file may lack numbers that its readers need.
 */
public final class FunctionNumbers {
  private final Map<Long, Integer> numbers = new ConcurrentHashMap<>();
  private final List<Long> addresses = new ArrayList<>();

  /** Takes the numbers of a process that was read before. */
  public static FunctionNumbers of(List<Long> addresses) {
    FunctionNumbers methods = new FunctionNumbers();
    addresses.forEach(methods::number);
    return methods;
  }

  /**
   * The number of a method.
   *
   * @param address {@link Functions#SYSTEM_CALL} and a number, {@link Functions#SIGNAL} and a
   *     number, or an address
   */
  public int number(long address) {
    Integer known = numbers.get(address);
    return known == null ? add(address) : known;
  }

  private synchronized int add(long address) {
    Integer known = numbers.get(address);
    if (known != null) {
      return known;
    }
    if (addresses.size() + 1 >= ThreadRecord.MAX_PAYLOAD) {
      return ThreadRecord.MAX_PAYLOAD;
    }
    addresses.add(address);
    numbers.put(address, addresses.size());
    return addresses.size();
  }

  /** What a number stands for; 0 if it is that of all for which there was none. */
  public synchronized long address(int number) {
    return number > 0 && number <= addresses.size() ? addresses.get(number - 1) : 0;
  }

  /** By number, from 1. */
  List<Long> addresses() {
    return addresses;
  }
}
