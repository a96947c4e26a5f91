package dev.kymo.agent.messages;

import dev.kymo.agent.weave.JdkClass;
import dev.kymo.recorder.ProcessRecorder;
import dev.kymo.recorder.messages.SocketStreams;
import dev.kymo.recorder.platform.AgentLibrary;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Weaves calls to {@link SocketStreams} into the class through which all stream sockets of the JDK
 * go, whether a program uses streams, channels or selectors, and into the way by which a file is
 * sent to a socket.
 */
public final class SocketWeaver {
  private static final String SOCKETS = "sun.nio.ch.SocketDispatcher";

  /** Where {@link #TRANSFER} is called: until Java 20 in the first one, later in the second. */
  private static final List<String> FILES =
      List.of("sun.nio.ch.FileChannelImpl", "sun.nio.ch.FileDispatcherImpl");

  private static final String TRANSFER = "transferTo0";
  private static final String STREAMS = "dev/kymo/recorder/messages/SocketStreams";
  private static final String DESCRIPTOR = "java/io/FileDescriptor";
  private static final String BEFORE = "(L" + DESCRIPTOR + ";JIZ)V";
  private static final String WROTE = "(JL" + DESCRIPTOR + ";)V";
  private static final String READ = "(JL" + DESCRIPTOR + ";JZ)V";

  private final Instrumentation instrumentation;
  private final List<Class<?>> woven = new ArrayList<>();

  private SocketWeaver(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Starts recording messages if the session wants them; the program runs on if it cannot be. */
  public static SocketWeaver start(Instrumentation instrumentation, ProcessRecorder recorder) {
    SocketWeaver weaver = new SocketWeaver(instrumentation);
    if (recorder.session().events().messages()) {
      try {
        if (!AgentLibrary.isLoaded()) {
          throw new IOException("libkymo-agent.so is missing");
        }
        weaver.weave();
      } catch (ReflectiveOperationException
          | UnmodifiableClassException
          | IOException
          | RuntimeException
          | LinkageError e) {
        recorder.notice("messages are not recorded: error=" + e);
      }
    }
    return weaver;
  }

  private void weave()
      throws ReflectiveOperationException, UnmodifiableClassException, IOException {
    SocketStreams.prepare();
    for (String name : FILES) {
      weave(name, SocketWeaver::transferring);
    }
    weave(SOCKETS, SocketWeaver::changed);
    SocketStreams.begin();
  }

  private void weave(String name, JdkClass.Change change)
      throws ReflectiveOperationException, UnmodifiableClassException {
    Class<?> type = Class.forName(name, false, null);
    JdkClass.change(instrumentation, type, change);
    woven.add(type);
  }

  public void unweave() throws UnmodifiableClassException {
    if (!woven.isEmpty()) {
      SocketStreams.end();
      instrumentation.retransformClasses(woven.toArray(Class<?>[]::new));
    }
  }

  private static MethodVisitor changed(
      int access, String name, String descriptor, MethodVisitor next) {
    boolean reads = name.equals("read") || name.equals("readv");
    boolean writes = name.equals("write") || name.equals("writev");
    boolean static_ = (access & Opcodes.ACC_STATIC) != 0;
    return static_ || !(reads || writes) || !descriptor.startsWith("(L" + DESCRIPTOR + ";J")
        ? next
        : new CallVisitor(writes, name.endsWith("v"), next);
  }

  /**
   * A method of a socket: its arguments are the descriptor, the place of the bytes or of the list
   * of places, and how many there are; its result is the number of bytes.
   */
  private static final class CallVisitor extends MethodVisitor {
    private static final int PLACE = 2;
    private static final int SIZE = 4;

    private final boolean writes;
    private final boolean isList;

    CallVisitor(boolean writes, boolean isList, MethodVisitor next) {
      super(Opcodes.ASM9, next);
      this.writes = writes;
      this.isList = isList;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if (writes) {
        mv.visitVarInsn(Opcodes.ALOAD, 1);
        mv.visitVarInsn(Opcodes.LLOAD, PLACE);
        mv.visitVarInsn(Opcodes.ILOAD, SIZE);
        mv.visitInsn(isList ? Opcodes.ICONST_1 : Opcodes.ICONST_0);
        call(mv, "beforeWrite", BEFORE);
      }
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.IRETURN) {
        mv.visitInsn(Opcodes.DUP);
        mv.visitInsn(Opcodes.I2L);
        after();
      } else if (opcode == Opcodes.LRETURN) {
        mv.visitInsn(Opcodes.DUP2);
        after();
      }
      super.visitInsn(opcode);
    }

    private void after() {
      mv.visitVarInsn(Opcodes.ALOAD, 1);
      if (writes) {
        call(mv, "wrote", WROTE);
      } else {
        mv.visitVarInsn(Opcodes.LLOAD, PLACE);
        mv.visitInsn(isList ? Opcodes.ICONST_1 : Opcodes.ICONST_0);
        call(mv, "read", READ);
      }
    }
  }

  private static void call(MethodVisitor mv, String what, String descriptor) {
    mv.visitMethodInsn(Opcodes.INVOKESTATIC, STREAMS, what, descriptor, false);
  }

  private static MethodVisitor transferring(
      int access, String name, String descriptor, MethodVisitor next) {
    int target = lastDescriptor(access, descriptor);
    return target < 0 || !name.startsWith("transferTo")
        ? next
        : new MethodVisitor(Opcodes.ASM9, next) {
          @Override
          public void visitMethodInsn(
              int opcode, String owner, String called, String type, boolean isInterface) {
            boolean sends = called.equals(TRANSFER);
            if (sends) {
              mv.visitVarInsn(Opcodes.ALOAD, target);
              mv.visitInsn(Opcodes.LCONST_0);
              mv.visitInsn(Opcodes.ICONST_0);
              mv.visitInsn(Opcodes.ICONST_0);
              call(mv, "beforeWrite", BEFORE);
            }
            super.visitMethodInsn(opcode, owner, called, type, isInterface);
            if (sends) {
              mv.visitInsn(Opcodes.DUP2);
              mv.visitVarInsn(Opcodes.ALOAD, target);
              call(mv, "wrote", WROTE);
            }
          }
        };
  }

  /** The local variable of a method's last argument that is a descriptor; -1 if it has none. */
  private static int lastDescriptor(int access, String descriptor) {
    int local = (access & Opcodes.ACC_STATIC) == 0 ? 1 : 0;
    int last = -1;
    for (Type argument : Type.getArgumentTypes(descriptor)) {
      if (argument.getSort() == Type.OBJECT && argument.getInternalName().equals(DESCRIPTOR)) {
        last = local;
      }
      local += argument.getSize();
    }
    return last;
  }
}
