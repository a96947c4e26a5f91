package dev.kymo.model.definitions;

import dev.kymo.format.Definition;
import dev.kymo.format.ThreadRecord;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The stacks of samples, by process. A stack's innermost frame is a method; its other frames are
 * those of another stack, its caller, whose number is smaller. What contradicts that is left out,
 * so that every stack has an end.
 */
public final class SampledStacks {
  private final MethodTable methods;
  private final Map<Integer, Stacks> processes = new HashMap<>();

  /** Each function by what it is called: the method that stands for it. */
  private final Map<Function, TracedMethod> functions = new ConcurrentHashMap<>();

  /** Methods of one function: of native code, each address that was seen is a method. */
  private record Function(int process, String type, String loader, String name, String descriptor) {
    static Function of(TracedMethod m) {
      return new Function(m.process(), m.type(), m.loader(), m.name(), m.descriptor());
    }
  }

  /**
   * The stacks of one process, by their places: callers come before those they called. Twelve bytes
   * for each stack, because there can be millions.
   */
  public static final class Stacks {
    private int count;
    private int[] numbers = new int[16];
    private int[] callers = new int[16];
    private int[] payloads = new int[16];

    Stacks() {}

    void add(int stack, int caller, int payload) {
      if (stack <= last() || caller < 0 || caller >= stack) {
        return;
      }
      if (count == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * count);
        callers = Arrays.copyOf(callers, 2 * count);
        payloads = Arrays.copyOf(payloads, 2 * count);
      }
      numbers[count] = stack;
      callers[count] = caller;
      payloads[count++] = payload;
    }

    private int last() {
      return count == 0 ? 0 : numbers[count - 1];
    }

    public int count() {
      return count;
    }

    /** The place of a stack's caller, which is smaller; negative if there is none. */
    public int caller(int place) {
      return callers[place] == 0 ? -1 : place(callers[place]);
    }

    /** The number of a stack's innermost method in its process. */
    public int payload(int place) {
      return payloads[place];
    }

    /** The place of a stack; negative if it is not defined. Without gaps, stack 1 is in place 0. */
    public int place(int stack) {
      boolean there = stack > 0 && stack <= count && numbers[stack - 1] == stack;
      return there ? stack - 1 : Arrays.binarySearch(numbers, 0, count, stack);
    }
  }

  SampledStacks(MethodTable methods) {
    this.methods = methods;
  }

  void add(int process, Definition.Stack stack) {
    if (stack.method() >= 0 && stack.method() <= ThreadRecord.MAX_PAYLOAD) {
      processes
          .computeIfAbsent(process, none -> new Stacks())
          .add(stack.stack(), stack.caller(), stack.method());
    }
  }

  public static SampledStacks none() {
    return new SampledStacks(new MethodTable());
  }

  public Stacks of(int process) {
    return processes.getOrDefault(process, new Stacks());
  }

  /** The methods of a process that its stacks have, by their numbers in it. */
  public Optional<TracedMethod> method(int process, Stacks of, int place) {
    return function(methods.known(process, of.payload(place)));
  }

  public boolean isEmpty() {
    return processes.isEmpty();
  }

  /** The stack that a stack was called from; 0 = none, or not known. */
  public int caller(int process, int stack) {
    Stacks of = processes.get(process);
    int place = of == null ? -1 : of.place(stack);
    return of == null || place < 0 ? 0 : of.callers[place];
  }

  /** The number of a stack's innermost method in its process; negative if it is not known. */
  public int payload(int process, int stack) {
    Stacks of = processes.get(process);
    int place = of == null ? -1 : of.place(stack);
    return of == null || place < 0 ? -1 : of.payloads[place];
  }

  /** A stack's innermost method, if the stack and the method are defined. */
  public Optional<TracedMethod> method(int process, int stack) {
    int payload = payload(process, stack);
    return payload < 0 ? Optional.empty() : function(methods.known(process, payload));
  }

  /** Of the methods that are one function, always the same one. */
  private Optional<TracedMethod> function(Optional<TracedMethod> method) {
    return method.map(m -> functions.computeIfAbsent(Function.of(m), first -> m));
  }
}
