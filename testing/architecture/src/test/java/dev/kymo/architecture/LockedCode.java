package dev.kymo.architecture;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The locks that a method takes, and what it calls while it has them. Both monitors and {@code
 * SpinLock} are held in what javac makes of {@code synchronized} and {@code finally}: a range with
 * a handler of all exceptions that lets go.
 */
final class LockedCode {
  private static final String SPIN_LOCK = "dev/kymo/recorder/platform/SpinLock";

  private final String type;
  private final boolean isStatic;
  private final CodeModel code;
  private final List<CodeElement> elements;
  private final Map<Label, Integer> places = new HashMap<>();
  private final List<Region> regions = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();

  /** Elements of the code, from and to, at which a lock is held. */
  record Region(String lock, int from, int to) {
    boolean has(Call call) {
      return from <= call.at && call.at < to;
    }

    /** Whether the other lock is taken while this one is held. */
    boolean has(Region other) {
      return from <= other.from
          && other.to <= to
          && !equals(other)
          && (from < other.from || other.to < to);
    }
  }

  /**
   * A call, or the making of a lambda, which is taken for its call.
   *
   * @param owner class, as in class files
   * @param method name and descriptor
   * @param isVirtual whether a subclass's method may be called
   */
  record Call(int at, String owner, String method, boolean isVirtual) {}

  LockedCode(ClassModel type, MethodModel method, CodeModel code) {
    this.type = type.thisClass().asInternalName();
    this.isStatic = method.flags().has(AccessFlag.STATIC);
    this.code = code;
    this.elements = code.elementList();
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof LabelTarget target) {
        places.put(target.label(), i);
      }
    }
    if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
      regions.add(
          new Region(
              ClassFiles.simple(this.type) + (isStatic ? ".class" : ""), 0, elements.size()));
    }
    for (int i = 0; i < elements.size(); i++) {
      findRegions(i);
      findCall(i);
    }
  }

  List<Region> regions() {
    return regions;
  }

  List<Call> calls() {
    return calls;
  }

  private void findRegions(int at) {
    CodeElement element = elements.get(at);
    if (element instanceof MonitorInstruction monitor && monitor.opcode() == Opcode.MONITORENTER) {
      // What is locked was copied, and kept in a variable of its own to be let go.
      int store = before(at);
      int slot = elements.get(store) instanceof StoreInstruction kept ? kept.slot() : -1;
      int object = before(store);
      String lock =
          object(elements.get(object) instanceof StackInstruction ? before(object) : object);
      addRegions(lock, at, handler -> lets(handler, slot));
    } else if (isSpinLock(element, "acquire")) {
      addRegions(object(before(at)), at, this::releases);
    }
  }

  private interface Handler {
    boolean letsGo(int at);
  }

  private void addRegions(String lock, int taken, Handler handler) {
    int count = regions.size();
    for (ExceptionCatch range : code.exceptionHandlers()) {
      int from = place(range.tryStart());
      int to = place(range.tryEnd());
      int by = place(range.handler());
      if (range.catchType().isEmpty()
          && from >= taken
          && to <= by
          && handler.letsGo(by)
          && isNearest(taken, from)) {
        regions.add(new Region(lock, from, to));
      }
    }
    if (regions.size() == count) {
      throw new IllegalStateException("no code lets it go: lock=%s class=%s".formatted(lock, type));
    }
  }

  private int place(Label label) {
    return Objects.requireNonNull(places.get(label));
  }

  /** Whether no other spin lock is taken between one and a range. */
  private boolean isNearest(int taken, int from) {
    for (int i = taken + 1; i < from; i++) {
      if (isSpinLock(elements.get(i), "acquire")) {
        return false;
      }
    }
    return true;
  }

  private boolean lets(int handler, int slot) {
    int store = after(handler);
    int load = after(store);
    return elements.get(store) instanceof StoreInstruction
        && elements.get(load) instanceof LoadInstruction kept
        && kept.slot() == slot
        && elements.get(after(load)) instanceof MonitorInstruction;
  }

  private boolean releases(int handler) {
    for (int i = after(handler); elements.get(i) instanceof Instruction next; i = after(i)) {
      if (isSpinLock(next, "release")) {
        return true;
      } else if (next.opcode() == Opcode.ATHROW) {
        return false;
      }
    }
    return false;
  }

  private static boolean isSpinLock(CodeElement element, String method) {
    return element instanceof InvokeInstruction call
        && call.owner().asInternalName().equals(SPIN_LOCK)
        && call.name().equalsString(method);
  }

  /** The previous instruction. */
  private int before(int at) {
    int i = at - 1;
    while (!(elements.get(i) instanceof Instruction)) {
      i--;
    }
    return i;
  }

  /** The next instruction. */
  private int after(int at) {
    int i = at + 1;
    while (i + 1 < elements.size() && !(elements.get(i) instanceof Instruction)) {
      i++;
    }
    return i;
  }

  /** A name of what an instruction puts on the stack, to be locked. */
  private String object(int at) {
    return switch (elements.get(at)) {
      case LoadInstruction load when load.slot() == 0 && !isStatic -> ClassFiles.simple(type);
      case LoadInstruction load -> variable(load.slot());
      case FieldInstruction field ->
          ClassFiles.simple(field.owner().asInternalName()) + "." + field.name().stringValue();
      case ConstantInstruction constant when constant.constantValue() instanceof ClassDesc of ->
          of.displayName() + ".class";
      case CodeElement other ->
          throw new IllegalStateException("what is locked? class=%s by=%s".formatted(type, other));
    };
  }

  /** By its class: which object of it that is cannot be known. */
  private String variable(int slot) {
    return elements.stream()
        .filter(element -> element instanceof LocalVariable known && known.slot() == slot)
        .map(element -> ((LocalVariable) element).typeSymbol().displayName())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("not compiled with -g: class=" + type));
  }

  private void findCall(int at) {
    if (elements.get(at) instanceof InvokeInstruction call) {
      boolean isVirtual =
          call.opcode() == Opcode.INVOKEVIRTUAL || call.opcode() == Opcode.INVOKEINTERFACE;
      String method = call.name().stringValue() + call.type().stringValue();
      calls.add(new Call(at, call.owner().asInternalName(), method, isVirtual));
    } else if (elements.get(at) instanceof InvokeDynamicInstruction made) {
      for (ConstantDesc argument : made.bootstrapArgs()) {
        if (argument instanceof DirectMethodHandleDesc of) {
          calls.add(call(at, of));
        }
      }
    }
  }

  private static Call call(int at, DirectMethodHandleDesc of) {
    String owner = of.owner().descriptorString();
    boolean isVirtual =
        of.kind() == DirectMethodHandleDesc.Kind.VIRTUAL
            || of.kind() == DirectMethodHandleDesc.Kind.INTERFACE_VIRTUAL;
    return new Call(
        at,
        owner.substring(1, owner.length() - 1),
        of.methodName() + of.lookupDescriptor(),
        isVirtual);
  }
}
