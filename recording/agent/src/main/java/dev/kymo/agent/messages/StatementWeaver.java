package dev.kymo.agent.messages;

import dev.kymo.agent.weave.JdkAccess;
import dev.kymo.agent.weave.JdkClass;
import dev.kymo.agent.weave.LoadedClasses;
import dev.kymo.recorder.ProcessRecorder;
import dev.kymo.recorder.messages.Statements;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.LocalVariablesSorter;

/**
 * Weaves calls to {@link Statements} into JDBC's statements and connections, whoever's they are:
 * into methods that have the names and types of theirs. What a class inherits is not looked up,
 * because that could load classes.
 */
public final class StatementWeaver implements ClassFileTransformer {
  private static final byte[] PACKAGE = "java/sql/".getBytes(StandardCharsets.US_ASCII);
  private static final String STRING = "Ljava/lang/String;";

  private static final Set<String> EXECUTE =
      Set.of(
          "execute()Z",
          "execute(Ljava/lang/String;)Z",
          "execute(Ljava/lang/String;I)Z",
          "execute(Ljava/lang/String;[I)Z",
          "execute(Ljava/lang/String;[Ljava/lang/String;)Z",
          "executeQuery()Ljava/sql/ResultSet;",
          "executeQuery(Ljava/lang/String;)Ljava/sql/ResultSet;",
          "executeUpdate()I",
          "executeUpdate(Ljava/lang/String;)I",
          "executeUpdate(Ljava/lang/String;I)I",
          "executeUpdate(Ljava/lang/String;[I)I",
          "executeUpdate(Ljava/lang/String;[Ljava/lang/String;)I",
          "executeLargeUpdate()J",
          "executeLargeUpdate(Ljava/lang/String;)J",
          "executeLargeUpdate(Ljava/lang/String;I)J",
          "executeLargeUpdate(Ljava/lang/String;[I)J",
          "executeLargeUpdate(Ljava/lang/String;[Ljava/lang/String;)J",
          "executeBatch()[I",
          "executeLargeBatch()[J");

  private final Instrumentation instrumentation;
  private final ProcessRecorder recorder;
  private final boolean isOn;

  private StatementWeaver(Instrumentation instrumentation, ProcessRecorder recorder) {
    this.instrumentation = instrumentation;
    this.recorder = recorder;
    this.isOn = recorder.session().events().messages();
  }

  /** Starts recording statements if the session wants messages. */
  public static StatementWeaver start(Instrumentation instrumentation, ProcessRecorder recorder) {
    StatementWeaver weaver = new StatementWeaver(instrumentation, recorder);
    if (weaver.isOn) {
      Statements.switchOn();
      instrumentation.addTransformer(weaver, true);
      LoadedClasses.retransform(instrumentation, StatementWeaver::isOfJdbc, recorder);
    }
    return weaver;
  }

  public void unweave() {
    if (isOn) {
      Statements.switchOff();
      instrumentation.removeTransformer(this);
      LoadedClasses.retransform(instrumentation, StatementWeaver::isOfJdbc, recorder);
    }
  }

  private static boolean isOfJdbc(Class<?> type) {
    return !type.isInterface()
        && (Statements.isA(type, "java.sql.Statement")
            || Statements.isA(type, "java.sql.Connection"));
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // this very visitor
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (!mentionsJdbc(classFile)) {
      return null;
    }
    try {
      boolean[] changes = new boolean[1];
      boolean isInterface = (new ClassReader(classFile).getAccess() & Opcodes.ACC_INTERFACE) != 0;
      byte[] changed =
          isInterface
              ? classFile
              : JdkClass.changed(
                  classFile,
                  (access, method, descriptor, next) -> {
                    MethodVisitor visitor = changed(access, method, descriptor, next);
                    changes[0] |= visitor != next;
                    return visitor;
                  });
      return changes[0] ? changed : null;
    } catch (Throwable e) {
      recorder.notice("statements of a class are not recorded: class=" + name + " error=" + e);
      return null;
    }
  }

  private static boolean mentionsJdbc(byte[] classFile) {
    for (int i = 0; i <= classFile.length - PACKAGE.length; i++) {
      if (classFile[i] == PACKAGE[0] && isAt(classFile, i)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAt(byte[] classFile, int at) {
    for (int i = 1; i < PACKAGE.length; i++) {
      if (classFile[at + i] != PACKAGE[i]) {
        return false;
      }
    }
    return true;
  }

  private static MethodVisitor changed(
      int access, String name, String descriptor, MethodVisitor next) {
    int without = Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE;
    if ((access & without) != 0) {
      return next;
    }
    if (EXECUTE.contains(name + descriptor)) {
      return new ExecuteVisitor(access, descriptor, next);
    }
    if ((name.equals("prepareStatement") && descriptor.endsWith(")Ljava/sql/PreparedStatement;"))
        || (name.equals("prepareCall") && descriptor.endsWith(")Ljava/sql/CallableStatement;"))) {
      return descriptor.startsWith("(" + STRING)
          ? new PrepareVisitor(access, descriptor, next)
          : next;
    }
    boolean adds = name.equals("addBatch") && descriptor.equals("(" + STRING + ")V");
    boolean clears = name.equals("clearBatch") && descriptor.equals("()V");
    return adds || clears ? new BatchVisitor(adds, next) : next;
  }

  private static void call(MethodVisitor mv, String method, String descriptor) {
    mv.visitMethodInsn(Opcodes.INVOKESTATIC, JdkAccess.HOOK, method, descriptor, false);
  }

  /** Puts a text on the stack: the first argument, or null. */
  private static void text(MethodVisitor mv, boolean isGiven) {
    if (isGiven) {
      mv.visitVarInsn(Opcodes.ALOAD, 1);
    } else {
      mv.visitInsn(Opcodes.ACONST_NULL);
    }
  }

  /** {@code Statements.batched(this, text)} before anything else. */
  private static final class BatchVisitor extends MethodVisitor {
    private final boolean adds;

    BatchVisitor(boolean adds, MethodVisitor next) {
      super(Opcodes.ASM9, next);
      this.adds = adds;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      mv.visitVarInsn(Opcodes.ALOAD, 0);
      text(mv, adds);
      call(mv, JdkAccess.BATCHED, JdkAccess.TEXT);
    }
  }

  /** {@code Statements.prepared(result, text)} at the end. */
  private static final class PrepareVisitor extends LocalVariablesSorter {
    private int text;

    PrepareVisitor(int access, String descriptor, MethodVisitor next) {
      super(Opcodes.ASM9, access, descriptor, next);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      text = newLocal(Type.getType(String.class));
      mv.visitVarInsn(Opcodes.ALOAD, 1);
      mv.visitVarInsn(Opcodes.ASTORE, text);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.ARETURN) {
        mv.visitInsn(Opcodes.DUP);
        mv.visitVarInsn(Opcodes.ALOAD, text);
        call(mv, JdkAccess.PREPARED, JdkAccess.TEXT);
      }
      super.visitInsn(opcode);
    }
  }

  /** {@code int begun = Statements.begin(this, text); try ... finally Statements.end(begun)}. */
  private static final class ExecuteVisitor extends LocalVariablesSorter {
    private final boolean isGiven;
    private final Label begin = new Label();
    private int begun;

    ExecuteVisitor(int access, String descriptor, MethodVisitor next) {
      super(Opcodes.ASM9, access, descriptor, next);
      isGiven = descriptor.startsWith("(" + STRING);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      begun = newLocal(Type.INT_TYPE);
      mv.visitVarInsn(Opcodes.ALOAD, 0);
      text(mv, isGiven);
      call(mv, JdkAccess.EXECUTE, JdkAccess.BEGIN);
      mv.visitVarInsn(Opcodes.ISTORE, begun);
      mv.visitLabel(begin);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
        end();
      }
      super.visitInsn(opcode);
    }

    /** The handler knows no local variable but its own, whatever the method has put into others. */
    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      Label handler = new Label();
      mv.visitTryCatchBlock(begin, handler, handler, null);
      mv.visitLabel(handler);
      Object[] locals = new Object[begun + 1];
      Arrays.fill(locals, Opcodes.TOP);
      locals[begun] = Opcodes.INTEGER;
      Object[] thrown = {"java/lang/Throwable"};
      mv.visitFrame(Opcodes.F_NEW, locals.length, locals, 1, thrown);
      end();
      mv.visitInsn(Opcodes.ATHROW);
      super.visitMaxs(maxStack, maxLocals);
    }

    private void end() {
      mv.visitVarInsn(Opcodes.ILOAD, begun);
      call(mv, JdkAccess.EXECUTED, JdkAccess.ENDED);
    }
  }
}
