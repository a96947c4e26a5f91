package dev.kymo.agent.waits;

import dev.kymo.agent.weave.JdkClass;
import dev.kymo.recorder.waits.Parking;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.LocalVariablesSorter;

/**
 * Weaves calls to {@link Parking} into the JDK: {@code LockSupport} reports who parks and who wakes
 * whom, reference queues report who waits for a reference, and virtual threads report who starts
 * them, when they begin to run, and when they sleep.
 */
final class ParkWeaver {
  private static final int FIRST_WITH_VIRTUAL_THREADS = 21;
  private static final String PARKING = "dev/kymo/recorder/waits/Parking";
  private static final String OBJECT = "java/lang/Object";

  private final Instrumentation instrumentation;
  private final List<Class<?>> woven = new ArrayList<>();

  ParkWeaver(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  void weave() throws ReflectiveOperationException, UnmodifiableClassException {
    MethodHandles.Lookup own = MethodHandles.lookup();
    MethodHandle threadId =
        MethodHandles.privateLookupIn(Thread.class, own)
            .findGetter(Thread.class, "tid", long.class);
    MethodHandle lockOwner =
        MethodHandles.privateLookupIn(AbstractOwnableSynchronizer.class, own)
            .findGetter(AbstractOwnableSynchronizer.class, "exclusiveOwnerThread", Thread.class)
            .asType(MethodType.methodType(Thread.class, Object.class));
    Parking.end(Parking.begin(null)); // still off: this only loads and links what it needs
    Parking.switchOn(threadId, lockOwner, AbstractOwnableSynchronizer.class);
    Parking.end(Parking.begin(this));
    weave(LockSupport.class, ParkWeaver::changed);
  }

  /**
   * Puts in the less common calls, after {@link #weave}.
   *
   * @param sleeps whether nobody else reports sleeps of virtual threads
   */
  void weaveRest(boolean sleeps) throws ReflectiveOperationException, UnmodifiableClassException {
    weave(ReferenceQueue.class, ParkWeaver::waiting);
    if (Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS) {
      Class<?> virtual = Class.forName("java.lang.VirtualThread");
      weave(virtual, sleeps ? ParkWeaver::startingAndSleeping : ParkWeaver::starting);
    }
  }

  private void weave(Class<?> type, JdkClass.Change change) throws UnmodifiableClassException {
    JdkClass.change(instrumentation, type, change);
    woven.add(type);
  }

  void unweave() throws UnmodifiableClassException {
    Parking.switchOff();
    if (!woven.isEmpty()) {
      instrumentation.retransformClasses(woven.toArray(Class<?>[]::new));
    }
  }

  /** The flight recorder reports these too, but begins later. */
  private static MethodVisitor waiting(
      int access, String name, String descriptor, MethodVisitor next) {
    boolean remove = name.equals("remove") && (access & Opcodes.ACC_PUBLIC) != 0;
    return remove ? new ParkVisitor("begin", access, descriptor, next) : next;
  }

  private static MethodVisitor startingAndSleeping(
      int access, String name, String descriptor, MethodVisitor next) {
    return name.equals("sleepNanos") && descriptor.equals("(J)V")
        ? new ParkVisitor("sleep", access, descriptor, next)
        : starting(access, name, descriptor, next);
  }

  private static MethodVisitor starting(
      int access, String name, String descriptor, MethodVisitor next) {
    boolean start = name.equals("start") && descriptor.startsWith("(Ljdk/internal/vm/");
    boolean run = name.equals("run") && descriptor.equals("(Ljava/lang/Runnable;)V");
    return start || run ? new BeginVisitor(name, next) : next;
  }

  private static MethodVisitor changed(
      int access, String name, String descriptor, MethodVisitor next) {
    if ((access & Opcodes.ACC_PUBLIC) == 0 || (access & Opcodes.ACC_STATIC) == 0) {
      return next;
    }
    return name.startsWith("park")
        ? new ParkVisitor("begin", access, descriptor, next)
        : name.equals("unpark") ? new BeginVisitor(name, next) : next;
  }

  /** Begins by calling the method of that name with the first argument or {@code this}. */
  private static final class BeginVisitor extends MethodVisitor {
    private final String told;

    BeginVisitor(String told, MethodVisitor next) {
      super(Opcodes.ASM9, next);
      this.told = told;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      visitVarInsn(Opcodes.ALOAD, 0);
      visitMethodInsn(Opcodes.INVOKESTATIC, PARKING, told, "(Ljava/lang/Thread;)V", false);
    }
  }

  /**
   * {@code Object begun = Parking.begin(blocker); try ... finally Parking.end(begun)}, or another
   * method that is told of the begin.
   */
  private static final class ParkVisitor extends LocalVariablesSorter {
    private final String told;
    private final Type[] arguments;
    private final boolean isOfObject;
    private final Label begin = new Label();
    private int begun;

    ParkVisitor(String told, int access, String descriptor, MethodVisitor next) {
      super(Opcodes.ASM9, access, descriptor, next);
      this.told = told;
      arguments = Type.getArgumentTypes(descriptor);
      isOfObject = (access & Opcodes.ACC_STATIC) == 0;
    }

    /** The value that is the first argument or {@code this}. */
    private boolean hasBlocker() {
      return isOfObject || (arguments.length > 0 && arguments[0].getSort() == Type.OBJECT);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      begun = newLocal(Type.getObjectType(OBJECT));
      if (hasBlocker()) {
        mv.visitVarInsn(Opcodes.ALOAD, 0);
      } else {
        mv.visitInsn(Opcodes.ACONST_NULL);
      }
      mv.visitMethodInsn(
          Opcodes.INVOKESTATIC, PARKING, told, "(Ljava/lang/Object;)Ljava/lang/Object;", false);
      mv.visitVarInsn(Opcodes.ASTORE, begun);
      mv.visitLabel(begin);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.RETURN || opcode == Opcodes.ARETURN) {
        end();
      }
      super.visitInsn(opcode);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      Label handler = new Label();
      mv.visitTryCatchBlock(begin, handler, handler, null);
      mv.visitLabel(handler);
      List<Object> locals = new ArrayList<>();
      if (isOfObject) {
        locals.add(OBJECT);
      }
      for (Type argument : arguments) {
        locals.add(argument.getSort() == Type.LONG ? Opcodes.LONG : OBJECT);
      }
      locals.add(OBJECT);
      Object[] thrown = {"java/lang/Throwable"};
      mv.visitFrame(Opcodes.F_NEW, locals.size(), locals.toArray(), 1, thrown);
      end();
      mv.visitInsn(Opcodes.ATHROW);
      super.visitMaxs(maxStack, maxLocals);
    }

    private void end() {
      mv.visitVarInsn(Opcodes.ALOAD, begun);
      mv.visitMethodInsn(Opcodes.INVOKESTATIC, PARKING, "end", "(Ljava/lang/Object;)V", false);
    }
  }
}
