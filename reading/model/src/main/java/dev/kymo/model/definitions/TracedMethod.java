package dev.kymo.model.definitions;

import dev.kymo.format.SchedulerState;
import dev.kymo.format.WaitKind;

/**
 * A recorded method.
 *
 * @param id over all processes of the recording
 * @param type class name as in source
 * @param descriptor as in the class file
 * @param loader class loader, empty for the boot loader
 * @param source file name, empty if unknown
 * @param line first line, 0 if unknown
 */
public record TracedMethod(
    int id,
    int process,
    String type,
    String name,
    String descriptor,
    String loader,
    String source,
    int line) {
  /** Whether it stands for this state of a thread on a track of the scheduler. */
  public boolean is(SchedulerState state) {
    return type.equals(state.word());
  }

  public boolean is(WaitKind kind) {
    return type.equals(kind.word());
  }

  /** Class and method, as tables show it. */
  public String qualifiedName() {
    return type.isEmpty() ? name : type + '.' + name;
  }

  /**
   * A location in native code: {@code run (app.cc:12)}, as far as that is known; without a name,
   * the position in its file, {@code app+0x2012}.
   */
  public String placeText() {
    if (name.startsWith("0x")) {
      return file(loader) + '+' + name + sourceText();
    }
    return qualifiedName() + sourceText();
  }

  private String sourceText() {
    return source.isEmpty() ? "" : " (" + file(source) + (line > 0 ? ":" + line : "") + ')';
  }

  private static String file(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
