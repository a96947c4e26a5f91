package dev.kymo.recorder;

import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * What {@code Lookup.defineHiddenClass} asks for the class that it is to define: the virtual
 * machine shows hidden classes to no agent.
 */
public final class HiddenClasses {
  private static volatile @Nullable Weaver weaver;

  private HiddenClasses() {}

  /** Puts probes into a hidden class before it is defined. */
  @FunctionalInterface
  public interface Weaver {
    /**
     * The class with probes; null if it gets none.
     *
     * @param host whose package, loader and module the class is to have
     */
    byte @Nullable [] weave(Class<?> host, byte[] classFile);
  }

  /** Sets who weaves; null = nobody. */
  public static void weaveBy(@Nullable Weaver by) {
    weaver = by;
  }

  /**
   * The class to define: the one given, with probes if it gets any. What the program may not
   * define, or is no class, it gets back, for the exception that it is to have.
   */
  public static byte @Nullable [] prepare(MethodHandles.Lookup lookup, byte @Nullable [] given) {
    Weaver by = weaver;
    if (by == null || given == null) {
      return given;
    }
    try {
      byte[] woven = lookup.hasFullPrivilegeAccess() ? by.weave(lookup.lookupClass(), given) : null;
      return woven == null ? given : woven;
    } catch (Throwable e) { // no stack or memory left for it, which is not the program's fault
      return given;
    }
  }
}
