package dev.kymo.agent.weave;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ListIterator;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Ways to weave a method wrongly. Each changes a method that was woven rightly, where it applies.
 */
enum Damage {
  FRAME_DROPPED(each(node -> node instanceof FrameNode, (method, node) -> remove(method, node))),
  FRAME_WITHOUT_TOKEN(frames(frame -> frame.local.remove(frame.local.size() - 1))),
  FRAME_WITH_INT_TOKEN(frames(frame -> frame.local.set(frame.local.size() - 1, Opcodes.INTEGER))),
  FRAME_WITH_OTHER_CLASS(frames(frame -> replace(frame.local, String.class, Thread.class))),
  FRAME_WITH_OTHER_CLASS_ON_STACK(
      frames(frame -> replace(frame.stack, Throwable.class, Thread.class))),
  FRAME_WITH_NUMBER_FOR_REFERENCE(
      frames(frame -> frame.local.replaceAll(type -> type instanceof String ? 1 : type))),
  FRAME_WITH_MORE_ON_STACK(frames(frame -> frame.stack = join(frame.stack, Opcodes.INTEGER))),
  FRAME_WITH_LESS_ON_STACK(frames(frame -> frame.stack = List.of())),
  FRAME_WITH_MORE_VARIABLES(frames(frame -> frame.local = join(frame.local, Opcodes.INTEGER))),
  FRAME_OF_INITIALIZED_OBJECT(
      frames(frame -> frame.stack = mapped(frame.stack, Object.class.getName()))),
  FRAME_OF_INITIALIZED_THIS(
      frames(frame ->
          frame.local.replaceAll(
              type -> Opcodes.UNINITIALIZED_THIS.equals(type) ? "java/lang/Exception" : type))),
  ENTER_DROPPED(each(call("enter"), Damage::removeProbe)),
  TOKEN_NOT_STORED(each(opcode(Opcodes.LSTORE), (method, node) -> remove(method, node))),
  TOKEN_IN_VARIABLE_0(each(opcode(Opcodes.LSTORE), (method, node) -> variable(node, 0))),
  TOKEN_ONE_VARIABLE_ON(each(opcode(Opcodes.LSTORE), (method, node) -> variable(node, -1))),
  TOKEN_OF_ANOTHER_VARIABLE(each(opcode(Opcodes.LLOAD), (method, node) -> variable(node, 0))),
  INT_FOR_TOKEN(
      each(
          opcode(Opcodes.LLOAD),
          (method, node) -> method.instructions.set(node, new InsnNode(Opcodes.ICONST_0)))),
  REFERENCE_FOR_TOKEN(
      each(
          opcode(Opcodes.LLOAD),
          (method, node) -> method.instructions.set(node, new InsnNode(Opcodes.ACONST_NULL)))),
  LONG_FOR_NUMBER(
      each(
          opcode(Opcodes.SIPUSH),
          (method, node) -> method.instructions.set(node, new InsnNode(Opcodes.LCONST_0)))),
  OTHER_NUMBER(
      each(
          opcode(Opcodes.SIPUSH),
          (method, node) -> method.instructions.set(node, new IntInsnNode(Opcodes.SIPUSH, 7)))),
  NUMBER_DROPPED(each(opcode(Opcodes.SIPUSH), (method, node) -> remove(method, node))),
  LEAVE_LEFT_ON_STACK(
      each(
          call("leave"),
          (method, node) -> method.instructions.set(node, new InsnNode(Opcodes.POP)))),
  HOOK_TAKES_LESS(each(call(""), (method, node) -> ((MethodInsnNode) node).desc = "(I)V")),
  HOOK_RETURNS_INT(each(call("enter"), (method, node) -> ((MethodInsnNode) node).desc = "(I)I")),
  HOOK_OF_AN_OBJECT(
      each(call(""), (method, node) -> ((MethodInsnNode) node).setOpcode(Opcodes.INVOKEVIRTUAL))),
  HOOK_OF_ANOTHER_NAME(each(call(""), (method, node) -> ((MethodInsnNode) node).name = "other")),
  RETHROW_DROPPED(each(opcode(Opcodes.ATHROW), (method, node) -> remove(method, node))),
  RETURN_OF_INT(
      each(
          opcode(Opcodes.LRETURN),
          (method, node) -> method.instructions.set(node, new InsnNode(Opcodes.IRETURN)))),
  RETURN_DROPPED(each(opcode(Opcodes.LRETURN), (method, node) -> remove(method, node))),
  RESULT_DROPPED(
      each(
          opcode(Opcodes.LRETURN),
          (method, node) -> method.instructions.insertBefore(node, new InsnNode(Opcodes.POP2)))),
  JUMP_TO_THE_BEGIN(each(node -> node instanceof JumpInsnNode, Damage::jumpToTheBegin)),
  JUMP_TO_THE_END(each(node -> node instanceof JumpInsnNode, Damage::jumpToTheEnd)),
  MORE_ON_STACK_AT_A_JUMP(
      each(
          node -> node instanceof JumpInsnNode,
          (method, node) ->
              method.instructions.insertBefore(node, new InsnNode(Opcodes.ICONST_0)))),
  HANDLER_FROM_THE_BEGIN(
      handlers((method, block) -> block.start = label(method, method.instructions.getFirst()))),
  HANDLER_IN_THE_MIDDLE(handlers((method, block) -> block.handler = block.start)),
  HANDLER_OF_NO_THROWABLE(handlers((method, block) -> block.type = "java/lang/String")),
  OTHER_CONSTANT(
      each(node -> node instanceof LdcInsnNode, (method, node) -> ((LdcInsnNode) node).cst = 1)),
  OTHER_CLASS(
      each(
          node -> node instanceof TypeInsnNode,
          (method, node) -> ((TypeInsnNode) node).desc = "java/lang/Thread")),
  STACK_TOO_SMALL(method -> {
    method.maxStack--;
    return true;
  }),
  NO_STACK(method -> {
    method.maxStack = 0;
    return true;
  }),
  VARIABLES_TOO_FEW(method -> {
    method.maxLocals--;
    return true;
  }),
  NO_VARIABLES(method -> {
    method.maxLocals = 0;
    return true;
  });

  @SuppressWarnings("ImmutableEnumChecker") // they have no state
  private final Predicate<MethodNode> change;

  Damage(Predicate<MethodNode> change) {
    this.change = change;
  }

  /** Whether there was something to damage. */
  boolean apply(MethodNode method) {
    return change.test(method);
  }

  private interface Change<T> {
    void in(MethodNode method, T what);
  }

  private static Predicate<MethodNode> each(
      Predicate<AbstractInsnNode> which, Change<AbstractInsnNode> change) {
    return method -> {
      List<AbstractInsnNode> found =
          Arrays.stream(method.instructions.toArray()).filter(which).toList();
      found.forEach(node -> change.in(method, node));
      return !found.isEmpty();
    };
  }

  private static Predicate<MethodNode> frames(Consumer<FrameNode> change) {
    return each(
        node -> node instanceof FrameNode frame && !frame.local.isEmpty(),
        (method, node) -> {
          FrameNode frame = (FrameNode) node;
          frame.local = join(frame.local);
          frame.stack = join(frame.stack);
          change.accept(frame);
        });
  }

  private static Predicate<MethodNode> handlers(Change<TryCatchBlockNode> change) {
    return method -> {
      method.tryCatchBlocks.forEach(block -> change.in(method, block));
      return !method.tryCatchBlocks.isEmpty();
    };
  }

  private static Predicate<AbstractInsnNode> opcode(int opcode) {
    return node -> node.getOpcode() == opcode;
  }

  private static Predicate<AbstractInsnNode> call(String name) {
    return node ->
        node instanceof MethodInsnNode call
            && call.owner.equals(JdkAccess.HOOK)
            && (name.isEmpty() || call.name.equals(name));
  }

  private static void remove(MethodNode method, AbstractInsnNode node) {
    method.instructions.remove(node);
  }

  private static void removeProbe(MethodNode method, AbstractInsnNode call) {
    remove(method, Objects.requireNonNull(call.getPrevious()));
    remove(method, Objects.requireNonNull(call.getNext()));
    remove(method, call);
  }

  /** Another variable; the next one if it is negative. */
  private static void variable(AbstractInsnNode node, int variable) {
    VarInsnNode access = (VarInsnNode) node;
    access.var = variable < 0 ? access.var + 1 : variable;
  }

  private static void jumpToTheBegin(MethodNode method, AbstractInsnNode jump) {
    ((JumpInsnNode) jump).label = label(method, method.instructions.getFirst());
  }

  private static void jumpToTheEnd(MethodNode method, AbstractInsnNode jump) {
    ((JumpInsnNode) jump).label = label(method, method.instructions.getLast());
  }

  private static LabelNode label(MethodNode method, AbstractInsnNode before) {
    LabelNode label = new LabelNode(new Label());
    method.instructions.insertBefore(before, label);
    return label;
  }

  private static List<Object> join(List<Object> types, Object... more) {
    List<Object> all = new ArrayList<>(types);
    all.addAll(List.of(more));
    return all;
  }

  private static void replace(List<Object> types, Class<?> from, Class<?> to) {
    String name = from.getName().replace('.', '/');
    types.replaceAll(type -> type.equals(name) ? to.getName().replace('.', '/') : type);
  }

  private static List<Object> mapped(List<Object> stack, String name) {
    List<Object> all = join(stack);
    ListIterator<Object> types = all.listIterator();
    while (types.hasNext()) {
      if (types.next() instanceof LabelNode) {
        types.set(name.replace('.', '/'));
      }
    }
    return all;
  }
}
