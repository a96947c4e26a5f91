package dev.kymo.agent.weave;

import dev.kymo.format.NoticeCode;
import dev.kymo.format.WaitKind;
import dev.kymo.recorder.ProcessRecorder;
import dev.kymo.recorder.platform.Messages;
import dev.kymo.recorder.platform.RecorderWork;
import dev.kymo.recorder.ring.Probe;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;

/** Weaves classes as they are loaded or transformed again. A failure leaves the class unchanged. */
public final class Transformer implements ClassFileTransformer {
  /** At most this many refused classes are named in a notice. */
  private static final int MOST_NAMES = 50;

  /** Set in a thread that weaves a class. */
  private static final ThreadLocal<@Nullable Boolean> WEAVING = new ThreadLocal<>();

  private final ProcessRecorder recorder;
  private final Selection selection;
  private final MethodNumbers numbers;
  private final Memory memory;
  private final Weaver weaver;
  private final OtherAgents others = OtherAgents.find();
  private volatile boolean closed;
  private volatile Set<Integer> leftOut = Set.of();

  public Transformer(ProcessRecorder recorder, Selection selection, boolean machineCode) {
    this.recorder = recorder;
    this.selection = selection;
    this.numbers = MethodNumbers.in(recorder);
    this.memory = new Memory(recorder);
    this.weaver =
        new Weaver(selection, numbers, recorder::define, recorder::notice, machineCode, memory);
  }

  /** From now on, classes stay without probes, or lose them. */
  public void close() {
    closed = true;
  }

  public boolean wouldWeave(Class<?> type) {
    return !closed
        && selection.isSelected(type.getModule(), type.getClassLoader(), type.getName())
        && !isOthers(type.getClassLoader(), type.getProtectionDomain());
  }

  /** Other agents are recorded only if they are named. */
  private boolean isOthers(@Nullable ClassLoader loader, @Nullable ProtectionDomain domain) {
    return !selection.hasIncludes() && others.have(loader, domain);
  }

  /** Whether classes stay as they are once they have been woven, for the sake of breakpoints. */
  public boolean weavesOnce() {
    return others.haveDebugger();
  }

  public void tellRefused() {
    List<String> refused = selection.takeRefused();
    if (refused.isEmpty()) {
      return;
    }
    recorder.notice(
        "classes are not recorded, because recording itself needs them: classes="
            + refused.size()
            + ": "
            + String.join(", ", refused.subList(0, Math.min(MOST_NAMES, refused.size())))
            + (refused.size() > MOST_NAMES ? ", ..." : ""));
    if (recorder.session().manner().verbose()) {
      refused.forEach(
          name -> Messages.print("not recording " + name + ": recording itself needs it"));
    }
  }

  public void tellUnused() {
    for (String pattern : selection.unused()) {
      recorder.notice(NoticeCode.INCLUDE_IN_VAIN.text() + pattern);
    }
  }

  /** Whether a loaded class has probes, but none of these methods. */
  public boolean hasWoven(Class<?> type, Set<Integer> running) {
    ClassLoader loader = type.getClassLoader();
    return numbers.knows(loader, type.getName())
        && !numbers.hasOneOf(loader, type.getName(), running);
  }

  /** These methods get no probes when their classes are woven the next time. */
  void leaveOut(Set<Integer> methods) {
    leftOut = methods;
  }

  /** All methods of the classes that contain these methods. */
  Set<Integer> wovenWith(Set<Integer> methods) {
    return numbers.wovenWith(methods);
  }

  public void keepFindings() {
    memory.keep(numbers);
  }

  boolean hasOneOf(Class<?> type, Set<Integer> methods) {
    return !closed && numbers.hasOneOf(type.getClassLoader(), type.getName(), methods);
  }

  @Override
  public byte @Nullable [] transform(
      Module module,
      @Nullable ClassLoader loader,
      @Nullable String internalName,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    return isOthers(loader, domain)
        ? null
        : woven(module, loader, internalName, classFile, leftOut, true);
  }

  /**
   * A hidden class with probes; null if it gets none. All its methods get probes, even those that
   * are left out, because it cannot be woven again when that changes.
   */
  byte @Nullable [] hidden(Class<?> host, String internalName, byte[] classFile) {
    return woven(host.getModule(), host.getClassLoader(), internalName, classFile, Set.of(), false);
  }

  /**
   * The class with probes; null if it gets none.
   *
   * @param internalName null if the program defines the class without a name: then the bytes
   *     contain it
   * @param again whether it can be woven again
   */
  private byte @Nullable [] woven(
      Module module,
      @Nullable ClassLoader loader,
      @Nullable String internalName,
      byte[] classFile,
      Set<Integer> leftOut,
      boolean again) {
    if (closed || recorder.isStopped()) {
      return null;
    }
    String name = "?";
    boolean begun = Probe.beginUnrecorded();
    try {
      name = (internalName == null ? nameIn(classFile) : internalName).replace('/', '.');
      if (!selection.isSelected(module, loader, name)) {
        return null;
      }
      return WEAVING.get() == null
          ? woven(loader, name, classFile, leftOut, again)
          : untouched(name);
    } catch (Throwable e) {
      refuse(name, e);
      return null;
    } finally {
      RecorderWork.end(begun);
    }
  }

  private byte @Nullable [] woven(
      @Nullable ClassLoader loader,
      String name,
      byte[] classFile,
      Set<Integer> leftOut,
      boolean again) {
    WEAVING.set(true);
    try {
      long begin = recorder.now();
      long nanos = System.nanoTime();
      Weaver.Woven woven = weaver.weave(loader, name, classFile, leftOut, again);
      if (woven == null) {
        return null;
      }
      recorder
          .weavings()
          .add(
              name, numbers.state(WaitKind.WEAVING.word(), name), begin, System.nanoTime() - nanos);
      if (recorder.session().manner().verbose()) {
        Messages.print("recording " + name + ": weaver=" + woven.weaver());
      }
      return woven.classFile();
    } finally {
      WEAVING.remove();
    }
  }

  /** A class of the JDK that is loaded because weaving another one needs it. */
  private byte @Nullable [] untouched(String name) {
    recorder.notice(
        NoticeCode.CLASS_MISSING.text() + ": class=" + name + " reason=weaving itself loaded it");
    return null;
  }

  /**
   * The name in the bytes; "?" if they are not a class, which the program must learn from the JDK.
   */
  private static String nameIn(byte[] classFile) {
    try {
      return new ClassReader(classFile).getClassName();
    } catch (RuntimeException e) {
      return "?";
    }
  }

  private void refuse(String name, Throwable cause) {
    if (recorder.session().manner().strict()) {
      recorder.fault("weaving failed: class=" + name, cause);
      return;
    }
    recorder.notice(NoticeCode.CLASS_MISSING.text() + ": class=" + name + " error=" + cause);
  }
}
