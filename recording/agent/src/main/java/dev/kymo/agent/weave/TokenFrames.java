package dev.kymo.agent.weave;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * A check that there are frames where the verifier asks for them, and that the token is there
 * wherever a frame or a probe says so. As the verifier does, it goes through the code once and
 * believes the frames, also in code that is never reached.
 */
final class TokenFrames {
  private final MethodNode method;
  private final int token;
  private final CodeLines code;
  private final Map<Integer, FrameNode> frames;

  /** By instruction, before it. */
  private final boolean[] has;

  private TokenFrames(MethodNode method, int token) {
    this.method = method;
    this.token = token;
    this.code = new CodeLines(method);
    this.frames = code.frames();
    this.has = new boolean[code.instructions().size()];
  }

  static boolean areRight(MethodNode method, int token) {
    TokenFrames frames = new TokenFrames(method, token);
    return frames.areRight() && frames.method.tryCatchBlocks.stream().allMatch(frames::isRight);
  }

  private boolean areRight() {
    boolean now = false;
    boolean goesOn = true;
    for (int i = 0; i < has.length; i++) {
      AbstractInsnNode node = code.instructions().get(i);
      FrameNode frame = frames.get(i);
      if (frame == null ? !goesOn : goesOn && !fits(frame, now)) {
        return false;
      }
      now = frame == null ? now : has(frame);
      has[i] = now;
      if (node.getOpcode() == Opcodes.LLOAD && ((VarInsnNode) node).var == token && !now) {
        return false;
      }
      now |= node.getOpcode() == Opcodes.LSTORE && ((VarInsnNode) node).var == token;
      for (LabelNode target : CodeLines.targets(node)) {
        if (!fits(frames.get(code.place(target)), now)) {
          return false;
        }
      }
      goesOn = !CodeLines.isLast(node);
    }
    return !goesOn;
  }

  private boolean isRight(TryCatchBlockNode block) {
    FrameNode frame = frames.get(code.place(block.handler));
    for (int i = code.place(block.start); i < code.place(block.end); i++) {
      if (!fits(frame, has[i])) {
        return false;
      }
    }
    return frame != null;
  }

  private boolean fits(@Nullable FrameNode frame, boolean now) {
    return frame != null && (now || !has(frame));
  }

  private boolean has(FrameNode frame) {
    return WithoutProbes.tokenIn(frame, token) >= 0;
  }
}
