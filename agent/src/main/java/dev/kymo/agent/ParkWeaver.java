package dev.kymo.agent;

import dev.kymo.recorder.Parking;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.LocalVariablesSorter;

/** Makes {@code LockSupport} tell {@link Parking} who parks and who wakes whom. */
final class ParkWeaver {
  private static final String PARKING = "dev/kymo/recorder/Parking";
  private static final String OBJECT = "java/lang/Object";

  private final Instrumentation instrumentation;

  ParkWeaver(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Puts the calls in. */
  void weave() throws ReflectiveOperationException, UnmodifiableClassException {
    MethodHandles.Lookup own = MethodHandles.lookup();
    MethodHandle threadId =
        MethodHandles.privateLookupIn(Thread.class, own)
            .findGetter(Thread.class, "tid", long.class);
    MethodHandle lockOwner =
        MethodHandles.privateLookupIn(AbstractOwnableSynchronizer.class, own)
            .findGetter(AbstractOwnableSynchronizer.class, "exclusiveOwnerThread", Thread.class)
            .asType(MethodType.methodType(Thread.class, Object.class));
    Parking.end(Parking.begin(null)); // off still: this only loads and links what it needs
    Parking.switchOn(threadId, lockOwner, AbstractOwnableSynchronizer.class);
    Parking.end(Parking.begin(this));
    JdkClass.change(instrumentation, LockSupport.class, ParkWeaver::changed);
  }

  /** Takes the calls out again. */
  void unweave() throws UnmodifiableClassException {
    Parking.switchOff();
    instrumentation.retransformClasses(LockSupport.class);
  }

  private static MethodVisitor changed(
      int access, String name, String descriptor, MethodVisitor next) {
    if ((access & Opcodes.ACC_PUBLIC) == 0 || (access & Opcodes.ACC_STATIC) == 0) {
      return next;
    }
    return name.startsWith("park")
        ? new ParkVisitor(access, descriptor, next)
        : name.equals("unpark") ? new UnparkVisitor(next) : next;
  }

  private static final class UnparkVisitor extends MethodVisitor {
    UnparkVisitor(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      visitVarInsn(Opcodes.ALOAD, 0);
      visitMethodInsn(Opcodes.INVOKESTATIC, PARKING, "unpark", "(Ljava/lang/Thread;)V", false);
    }
  }

  /** {@code Object begun = Parking.begin(blocker); try ... finally Parking.end(begun)}. */
  private static final class ParkVisitor extends LocalVariablesSorter {
    private final Type[] arguments;
    private final Label begin = new Label();
    private int begun;

    ParkVisitor(int access, String descriptor, MethodVisitor next) {
      super(Opcodes.ASM9, access, descriptor, next);
      arguments = Type.getArgumentTypes(descriptor);
    }

    private boolean hasBlocker() {
      return arguments.length > 0 && arguments[0].getSort() == Type.OBJECT;
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
          Opcodes.INVOKESTATIC, PARKING, "begin", "(Ljava/lang/Object;)Ljava/lang/Object;", false);
      mv.visitVarInsn(Opcodes.ASTORE, begun);
      mv.visitLabel(begin);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.RETURN) {
        end();
      }
      super.visitInsn(opcode);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      Label handler = new Label();
      mv.visitTryCatchBlock(begin, handler, handler, null);
      mv.visitLabel(handler);
      Object[] locals = new Object[arguments.length + 1];
      for (int i = 0; i < arguments.length; i++) {
        locals[i] = arguments[i].getSort() == Type.LONG ? Opcodes.LONG : OBJECT;
      }
      locals[arguments.length] = OBJECT;
      mv.visitFrame(Opcodes.F_NEW, locals.length, locals, 1, new Object[] {"java/lang/Throwable"});
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
