package dev.kymo.agent;

import dev.kymo.recorder.Messages;
import dev.kymo.recorder.ProcessRecorder;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Weaves classes as they are loaded or transformed anew. Whatever fails leaves the class alone. */
final class Transformer implements ClassFileTransformer {
  private final ProcessRecorder recorder;
  private final Selection selection;
  private final MethodNumbers numbers;
  private final Weaver weaver;
  private volatile boolean closed;
  private volatile Set<Integer> leftOut = Set.of();

  Transformer(ProcessRecorder recorder, Selection selection) {
    this.recorder = recorder;
    this.selection = selection;
    this.numbers = MethodNumbers.in(recorder);
    this.weaver = new Weaver(selection, numbers);
  }

  /** From now on classes stay, or become again, what they are without probes. */
  void close() {
    closed = true;
  }

  /** Whether a loaded class would be recorded. */
  boolean wouldWeave(Class<?> type) {
    return !closed && selection.isSelected(type.getModule(), type.getClassLoader(), type.getName());
  }

  /** Whether a loaded class has probes. */
  boolean hasWoven(Class<?> type) {
    return numbers.knows(type.getClassLoader(), type.getName());
  }

  /** These methods get no probes when their classes are woven the next time. */
  void leaveOut(Set<Integer> methods) {
    leftOut = methods;
  }

  /** Whether a loaded class has one of these methods. */
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
    return internalName == null ? null : woven(module, loader, internalName, classFile, leftOut);
  }

  /**
   * A hidden class with probes; null if it gets none. All its methods have them, also those that
   * are left out, for it cannot be woven anew when that changes.
   */
  byte @Nullable [] hidden(Class<?> host, String internalName, byte[] classFile) {
    return woven(host.getModule(), host.getClassLoader(), internalName, classFile, Set.of());
  }

  private byte @Nullable [] woven(
      Module module,
      @Nullable ClassLoader loader,
      String internalName,
      byte[] classFile,
      Set<Integer> leftOut) {
    if (closed || recorder.isStopped()) {
      return null;
    }
    String name = internalName.replace('/', '.');
    try {
      if (!selection.isSelected(module, loader, name)) {
        return null;
      }
      long begin = System.nanoTime();
      byte[] woven = weaver.weave(loader, name, classFile, leftOut);
      if (woven != null) {
        recorder.wove(System.nanoTime() - begin);
      }
      if (woven != null && recorder.session().verbose()) {
        Messages.print("recording " + name);
      }
      return woven;
    } catch (Throwable e) {
      refuse(name, e);
      return null;
    }
  }

  private void refuse(String name, Throwable cause) {
    if (recorder.session().strict()) {
      recorder.fault("weaving failed: class=" + name, cause);
      return;
    }
    recorder.notice("class is not recorded: class=" + name + " error=" + cause);
  }
}
