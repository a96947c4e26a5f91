package dev.kymo.model.definitions;

import dev.kymo.format.Definition;
import dev.kymo.format.ThreadRecord;
import dev.kymo.model.index.ByteCursor;
import dev.kymo.model.index.ByteWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Numbers the methods of all processes of a recording. Methods without a definition get a number
 * when they are first met and are called {@code method 77}.
 */
public final class MethodTable {
  /** More undefined methods than this are damage; the rest share one number. */
  private static final int MAX_UNDEFINED = 1 << 16;

  private static final int DEFINED = 0;
  private static final int UNDEFINED = 1;
  private static final int REST = 2;

  private final List<TracedMethod> methods = new ArrayList<>();

  /** By number in the recording, the number in the process. */
  private final List<Integer> payloads = new ArrayList<>();

  private final Map<Integer, Numbers> processes = new HashMap<>();
  private final List<Met> undefined = new ArrayList<>();

  /** A method that was met without being defined. */
  record Met(int process, int payload) {}

  MethodTable() {}

  /** The numbers of one process's methods. */
  public final class Numbers {
    private static final int PAGE_BITS = 10;
    private static final int PAGE = 1 << PAGE_BITS;

    private final int process;
    private final int[][] pages = new int[(ThreadRecord.MAX_PAYLOAD + 1) >> PAGE_BITS][];
    private int rest = -1;

    Numbers(int process) {
      this.process = process;
    }

    /** Number in the recording of the method with this number in its process. */
    public int of(int payload) {
      int[] page = pages[payload >>> PAGE_BITS];
      int number = page == null ? 0 : page[payload & (PAGE - 1)];
      return number == 0 ? undefined(payload) : number - 1;
    }

    private int undefined(int payload) {
      if (undefined.size() >= MAX_UNDEFINED) {
        if (rest < 0) {
          undefined.add(new Met(process, payload));
          rest(payload);
        }
        return rest;
      }
      undefined.add(new Met(process, payload));
      return nameless(payload);
    }

    /** All further undefined methods get one number; this was the first. */
    private void rest(int payload) {
      rest = methods.size();
      methods.add(MethodTable.nameless(process, rest, "more undefined methods"));
      payloads.add(payload);
    }

    private int nameless(int payload) {
      return define(payload, MethodTable.nameless(process, methods.size(), "method " + payload));
    }

    private int define(int payload, TracedMethod method) {
      int[] page = pages[payload >>> PAGE_BITS];
      if (page == null) {
        page = new int[PAGE];
        pages[payload >>> PAGE_BITS] = page;
      }
      int known = page[payload & (PAGE - 1)];
      if (known != 0) {
        methods.set(known - 1, method);
        return known - 1;
      }
      methods.add(method);
      payloads.add(payload);
      page[payload & (PAGE - 1)] = methods.size();
      return methods.size() - 1;
    }

    private int number(int payload) {
      int[] page = pages[payload >>> PAGE_BITS];
      int known = page == null ? 0 : page[payload & (PAGE - 1)];
      return known == 0 ? methods.size() : known - 1;
    }
  }

  private static TracedMethod nameless(int process, int id, String name) {
    return new TracedMethod(id, process, "", name, "", "", "", 0);
  }

  public Numbers numbers(int process) {
    return processes.computeIfAbsent(process, Numbers::new);
  }

  void define(int process, Definition.Method method, Definition.Type type) {
    if (method.method() < 0 || method.method() > ThreadRecord.MAX_PAYLOAD) {
      return;
    }
    Numbers numbers = numbers(process);
    numbers.define(
        method.method(),
        new TracedMethod(
            numbers.number(method.method()),
            process,
            type.name(),
            method.name(),
            method.descriptor(),
            type.loader(),
            isBuildId(method, type) ? "" : type.source(),
            method.line()));
  }

  /** Whether it is what a native process itself says about its functions. */
  private static boolean isBuildId(Definition.Method method, Definition.Type type) {
    return type.type() < Definition.Type.FIRST_OF_NAMES && method.descriptor().startsWith("+0x");
  }

  /** Writes which method has which number: numbers depend on what was met first. */
  public void writeTo(ByteWriter to) {
    Set<Met> met = new HashSet<>(undefined);
    to.number(size());
    for (int i = 0; i < size(); i++) {
      Met method = new Met(methods.get(i).process(), payloads.get(i));
      boolean isRest = numbers(method.process()).rest == i;
      int kind = isRest ? REST : met.contains(method) ? UNDEFINED : DEFINED;
      to.number(method.process()).number(method.payload()).number(kind);
    }
  }

  /** Gives methods the numbers that {@link #writeTo} wrote; their names come later. */
  public void readFrom(ByteCursor from) {
    int count = from.count();
    for (int i = 0; i < count; i++) {
      Met method = new Met((int) from.number(), (int) from.number());
      long kind = from.number();
      if (kind == REST) {
        numbers(method.process()).rest(method.payload());
      } else {
        numbers(method.process()).nameless(method.payload());
      }
      if (kind != DEFINED) {
        undefined.add(method);
      }
    }
  }

  public int size() {
    return methods.size();
  }

  /** A method by its number in its process. */
  public TracedMethod get(int process, int number) {
    return get(numbers(process).of(number));
  }

  /** A method by its number in its process, if it was defined or met. */
  public Optional<TracedMethod> known(int process, int payload) {
    Numbers numbers = processes.get(process);
    int number = numbers == null ? size() : numbers.number(payload);
    return number == size() ? Optional.empty() : Optional.of(get(number));
  }

  /** The number in its process of the method with a number: the payload of its records. */
  public int payload(int number) {
    return payloads.get(number);
  }

  public TracedMethod get(int number) {
    return methods.get(number);
  }
}
