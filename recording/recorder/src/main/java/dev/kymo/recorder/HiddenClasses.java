package dev.kymo.recorder;

import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * Called by {@code Lookup.defineHiddenClass} for the class that it is about to define, because the
 * virtual machine shows hidden classes to no agent.
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
     * @param host the class whose package, loader and module the hidden class gets
     */
    byte @Nullable [] weave(Class<?> host, byte[] classFile);
  }

  /** Sets the weaver; null = none. */
  public static void weaveBy(@Nullable Weaver by) {
    weaver = by;
  }

  /**
   * The class to define: the given class, with probes if it gets any. Bytes that the program may
   * not define, or that are not a class, are returned unchanged, so that the program gets its
   * exception.
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
