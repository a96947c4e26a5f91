package dev.kymo.recorder.ring;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** A copy of the class {@link Probe}, with fields and compiled code of its own. */
public final class ProbeCopy {
  private static volatile byte @Nullable [] classFile;

  private final MethodHandle loop;
  private final MethodHandle setRing;

  public ProbeCopy() {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup().defineHiddenClass(classFile(), true);
      Class<?> copy = lookup.lookupClass();
      loop =
          lookup.findStatic(copy, "loop", MethodType.methodType(long.class, int.class, int.class));
      setRing = lookup.findStatic(copy, "setRing", MethodType.methodType(void.class, Ring.class));
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException("the probes cannot be copied", e);
    }
  }

  /** Sets what the copies are made of, where the class loader does not know. */
  public static void classFile(byte[] bytes) {
    classFile = bytes;
  }

  private static byte[] classFile() throws IOException {
    byte[] known = classFile;
    if (known != null) {
      return known;
    }
    try (InputStream in = Probe.class.getResourceAsStream("Probe.class")) {
      if (in == null) {
        throw new IOException("no class file");
      }
      return in.readAllBytes();
    }
  }

  public long loop(int method, int calls) {
    try {
      return (long) loop.invokeExact(method, calls);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  public void setRing(@Nullable Ring ring) {
    try {
      setRing.invokeExact(ring);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  private static IllegalStateException failed(Throwable cause) {
    return new IllegalStateException("a copied probe failed", cause);
  }
}
