package dev.kymo.agent.messages;

import dev.kymo.agent.weave.JdkClass;
import dev.kymo.recorder.ProcessRecorder;
import dev.kymo.recorder.messages.PlainStreams;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.LocalVariablesSorter;

/**
 * Weaves calls to {@link PlainStreams} into the JDK's TLS, where bytes are plain: into the streams
 * of its sockets, and into its engine, which is what channels use. The calls read fields that are
 * not public; without them nothing is woven.
 */
public final class TlsWeaver {
  private static final String PACKAGE = "sun/security/ssl/";
  private static final String SOCKET = PACKAGE + "SSLSocketImpl";
  private static final String ENGINE = PACKAGE + "SSLEngineImpl";
  private static final String INPUT = SOCKET + "$AppInputStream";
  private static final String OUTPUT = SOCKET + "$AppOutputStream";
  private static final String CONTEXT = PACKAGE + "TransportContext";
  private static final String HANDSHAKE = PACKAGE + "HandshakeContext";
  private static final String RANDOM = PACKAGE + "RandomCookie";
  private static final String CONFIGURATION = PACKAGE + "SSLConfiguration";
  private static final String CONTEXTS = PACKAGE + "SSLContextImpl";

  private static final String STREAMS = "dev/kymo/recorder/messages/PlainStreams";
  private static final String RESULT = "Ljavax/net/ssl/SSLEngineResult;";
  private static final String BUFFERS = "[Ljava/nio/ByteBuffer;";
  private static final String OBJECT = "Ljava/lang/Object;";

  private record Field(String owner, String name, String descriptor) {
    void get(MethodVisitor mv) {
      mv.visitFieldInsn(Opcodes.GETFIELD, owner, name, descriptor);
    }
  }

  private static final Field OF_INPUT = new Field(INPUT, "this$0", "L" + SOCKET + ";");
  private static final Field OF_OUTPUT = new Field(OUTPUT, "this$0", "L" + SOCKET + ";");
  private static final Field OF_SOCKET = new Field(SOCKET, "conContext", "L" + CONTEXT + ";");
  private static final Field OF_ENGINE = new Field(ENGINE, "conContext", "L" + CONTEXT + ";");
  private static final Field SHAKEN = new Field(CONTEXT, "handshakeContext", "L" + HANDSHAKE + ";");
  private static final Field OF_CLIENT =
      new Field(HANDSHAKE, "clientHelloRandom", "L" + RANDOM + ";");
  private static final Field OF_SERVER =
      new Field(HANDSHAKE, "serverHelloRandom", "L" + RANDOM + ";");
  private static final Field BYTES = new Field(RANDOM, "randomBytes", "[B");
  private static final Field SET_UP = new Field(CONTEXT, "sslConfig", "L" + CONFIGURATION + ";");
  private static final Field IS_CLIENT = new Field(CONFIGURATION, "isClientMode", "Z");
  private static final Field MADE_BY = new Field(CONTEXT, "sslContext", "L" + CONTEXTS + ";");
  private static final List<Field> FIELDS =
      List.of(
          OF_INPUT, OF_OUTPUT, OF_SOCKET, OF_ENGINE, SHAKEN, OF_CLIENT, OF_SERVER, BYTES, SET_UP,
          IS_CLIENT, MADE_BY);

  private final Instrumentation instrumentation;
  private final List<Class<?>> woven = new ArrayList<>();

  private TlsWeaver(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Starts recording plain bytes if the session wants messages. */
  public static TlsWeaver start(Instrumentation instrumentation, ProcessRecorder recorder) {
    TlsWeaver weaver = new TlsWeaver(instrumentation);
    if (recorder.session().events().messages()) {
      try {
        weaver.weave();
      } catch (ReflectiveOperationException
          | UnmodifiableClassException
          | RuntimeException
          | LinkageError e) {
        recorder.notice("messages inside TLS are not recorded: error=" + e);
      }
    }
    return weaver;
  }

  private void weave() throws ReflectiveOperationException, UnmodifiableClassException {
    for (Field field : FIELDS) {
      Class<?> type = type(field.owner).getDeclaredField(field.name).getType();
      if (!Type.getDescriptor(type).equals(field.descriptor)) {
        throw new NoSuchFieldException(field.toString());
      }
    }
    Object unused = type(CONTEXTS).getDeclaredMethod("isDTLS");
    PlainStreams.begin();
    weave(CONTEXT, TlsWeaver::connecting);
    weave(OUTPUT, TlsWeaver::writing);
    weave(INPUT, TlsWeaver::reading);
    weave(ENGINE, TlsWeaver::wrapping);
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName(name.replace('/', '.'), false, null);
  }

  private void weave(String name, JdkClass.Change change)
      throws ReflectiveOperationException, UnmodifiableClassException {
    Class<?> type = type(name);
    woven.add(type);
    JdkClass.change(instrumentation, type, change);
  }

  public void unweave() throws UnmodifiableClassException {
    if (!woven.isEmpty()) {
      PlainStreams.end();
      instrumentation.retransformClasses(woven.toArray(Class<?>[]::new));
    }
  }

  private static void call(MethodVisitor mv, String method, String descriptor) {
    mv.visitMethodInsn(Opcodes.INVOKESTATIC, STREAMS, method, descriptor, false);
  }

  /** Puts what a field of {@code this} leads to on the stack. */
  private static void get(MethodVisitor mv, Field... fields) {
    mv.visitVarInsn(Opcodes.ALOAD, 0);
    for (Field field : fields) {
      field.get(mv);
    }
  }

  private static MethodVisitor connecting(
      int access, String name, String descriptor, MethodVisitor next) {
    return name.equals("finishHandshake") ? new ConnectVisitor(next) : next;
  }

  /**
   * {@code try PlainStreams.connected(this, handshakeContext..., isDTLS) catch (Throwable) nothing}
   * before anything else: a handshake of a kind that is not known here may lack some of it.
   */
  private static final class ConnectVisitor extends MethodVisitor {
    private static final Object[] THIS = {CONTEXT};

    ConnectVisitor(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      Label begin = new Label();
      Label end = new Label();
      Label handler = new Label();
      Label rest = new Label();
      mv.visitTryCatchBlock(begin, end, handler, "java/lang/Throwable");
      mv.visitLabel(begin);
      get(mv);
      get(mv, SHAKEN, OF_CLIENT, BYTES);
      get(mv, SHAKEN, OF_SERVER, BYTES);
      get(mv, SET_UP, IS_CLIENT);
      get(mv, MADE_BY);
      mv.visitMethodInsn(Opcodes.INVOKEVIRTUAL, CONTEXTS, "isDTLS", "()Z", false);
      call(mv, "connected", "(" + OBJECT + "[B[BZZ)V");
      mv.visitLabel(end);
      mv.visitJumpInsn(Opcodes.GOTO, rest);
      mv.visitLabel(handler);
      mv.visitFrame(Opcodes.F_NEW, 1, THIS, 1, new Object[] {"java/lang/Throwable"});
      mv.visitInsn(Opcodes.POP);
      mv.visitLabel(rest);
      mv.visitFrame(Opcodes.F_NEW, 1, THIS, 0, new Object[0]);
      mv.visitInsn(Opcodes.NOP); // another frame may follow
    }
  }

  /** {@code PlainStreams.writing(bytes, offset, length, context)} before they are sent. */
  private static MethodVisitor writing(
      int access, String name, String descriptor, MethodVisitor next) {
    return !name.equals("write") || !descriptor.equals("([BII)V")
        ? next
        : new MethodVisitor(Opcodes.ASM9, next) {
          @Override
          public void visitMethodInsn(
              int opcode, String owner, String called, String type, boolean isInterface) {
            if (called.equals("deliver")) {
              mv.visitVarInsn(Opcodes.ALOAD, 1);
              mv.visitVarInsn(Opcodes.ILOAD, 2);
              mv.visitVarInsn(Opcodes.ILOAD, 3);
              get(mv, OF_OUTPUT, OF_SOCKET);
              call(mv, "writing", "([BII" + OBJECT + ")V");
            }
            super.visitMethodInsn(opcode, owner, called, type, isInterface);
          }
        };
  }

  /** {@code PlainStreams.read(result, bytes, offset, context)} at the end. */
  private static MethodVisitor reading(
      int access, String name, String descriptor, MethodVisitor next) {
    return !name.equals("read") || !descriptor.equals("([BII)I")
        ? next
        : new MethodVisitor(Opcodes.ASM9, next) {
          @Override
          public void visitInsn(int opcode) {
            if (opcode == Opcodes.IRETURN) {
              mv.visitInsn(Opcodes.DUP);
              mv.visitVarInsn(Opcodes.ALOAD, 1);
              mv.visitVarInsn(Opcodes.ILOAD, 2);
              get(mv, OF_INPUT, OF_SOCKET);
              call(mv, "read", "(I[BI" + OBJECT + ")V");
            }
            super.visitInsn(opcode);
          }
        };
  }

  private static MethodVisitor wrapping(
      int access, String name, String descriptor, MethodVisitor next) {
    if (!descriptor.equals("(" + BUFFERS + "II" + BUFFERS + "II)" + RESULT)) {
      return next;
    }
    return switch (name) {
      case "writeRecord" -> new WrapVisitor(next);
      case "readRecord" -> new UnwrapVisitor(access, descriptor, next);
      default -> next;
    };
  }

  /** {@code beforeWrap(from, offset, length, context)}, at the end {@code wrapped}. */
  private static final class WrapVisitor extends MethodVisitor {
    WrapVisitor(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      mv.visitVarInsn(Opcodes.ALOAD, 1);
      mv.visitVarInsn(Opcodes.ILOAD, 2);
      mv.visitVarInsn(Opcodes.ILOAD, 3);
      get(mv, OF_ENGINE);
      call(mv, "beforeWrap", "(" + BUFFERS + "II" + OBJECT + ")V");
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.ARETURN) {
        mv.visitInsn(Opcodes.DUP);
        get(mv, OF_ENGINE);
        call(mv, "wrapped", "(" + RESULT + OBJECT + ")V");
      }
      super.visitInsn(opcode);
    }
  }

  /** {@code long place = beforeUnwrap(to, offset, length)}, at the end {@code unwrapped}. */
  private static final class UnwrapVisitor extends LocalVariablesSorter {
    private int place;

    UnwrapVisitor(int access, String descriptor, MethodVisitor next) {
      super(Opcodes.ASM9, access, descriptor, next);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      place = newLocal(Type.LONG_TYPE);
      mv.visitVarInsn(Opcodes.ALOAD, 4);
      mv.visitVarInsn(Opcodes.ILOAD, 5);
      mv.visitVarInsn(Opcodes.ILOAD, 6);
      call(mv, "beforeUnwrap", "(" + BUFFERS + "II)J");
      mv.visitVarInsn(Opcodes.LSTORE, place);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.ARETURN) {
        mv.visitInsn(Opcodes.DUP);
        mv.visitVarInsn(Opcodes.ALOAD, 4);
        mv.visitVarInsn(Opcodes.LLOAD, place);
        get(mv, OF_ENGINE);
        call(mv, "unwrapped", "(" + RESULT + BUFFERS + "J" + OBJECT + ")V");
      }
      super.visitInsn(opcode);
    }
  }
}
