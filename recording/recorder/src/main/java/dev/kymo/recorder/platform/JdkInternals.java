package dev.kymo.recorder.platform;

import java.io.FileDescriptor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.Buffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The few things of the JDK that are not public and that virtual threads need: which carrier runs,
 * and a thread local of the carrier. The agent opens them; without it, or before 21, there are
 * none.
 */
public final class JdkInternals {
  private static final @Nullable MethodHandle ID = ofThread("threadId", long.class);
  private static final @Nullable MethodHandle IS_VIRTUAL = ofThread("isVirtual", boolean.class);
  private static final @Nullable MethodHandle CARRIER = IS_VIRTUAL == null ? null : carrierHandle();

  private static final @Nullable MethodHandle DESCRIPTOR = descriptorHandle();

  private static final List<String> ERRORS =
      List.of(
          "jdk.internal.misc.ScopedMemoryAccess$ScopedAccessError",
          "jdk.internal.misc.ScopedMemoryAccess$Scope",
          "jdk.internal.misc.ScopedMemoryAccess$Scope$ScopedAccessError");

  private JdkInternals() {}

  /**
   * Loads what the JDK would load only when the program's stack overflows inside a probe: a class
   * loaded then, without stack left, makes the virtual machine complain on standard error. So do
   * classes that signatures of buffers name: the JIT compiler loads them when a thread has called a
   * method often enough. Asking for the members loads them.
   */
  public static void loadClassesOfOverflows() {
    Object unused = Buffer.class.getDeclaredFields();
    unused = Buffer.class.getDeclaredMethods();
    for (String name : ERRORS) {
      try {
        Class.forName(name, false, null);
      } catch (ClassNotFoundException e) {
        // this version of the JDK has another one
      }
    }
  }

  /** A thread local that virtual threads share with their carrier. */
  @SuppressWarnings("unchecked")
  public static <T> ThreadLocal<T> carrierLocal() {
    if (CARRIER != null) {
      try {
        return Class.forName("jdk.internal.misc.CarrierThreadLocal")
            .asSubclass(ThreadLocal.class)
            .getConstructor()
            .newInstance();
      } catch (ReflectiveOperationException | LinkageError e) {
        // not opened: virtual threads then have rings of their own
      }
    }
    return new ThreadLocal<>();
  }

  /** The platform thread that runs the caller. */
  public static Thread carrier() {
    if (CARRIER != null) {
      try {
        return (Thread) CARRIER.invokeExact();
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }
    return Thread.currentThread();
  }

  /**
   * A thread's number, which no other one of this virtual machine ever has; 0 before Java 21, where
   * a thread's class may say what it likes.
   */
  public static long id(Thread thread) {
    if (ID == null) {
      return 0;
    }
    try {
      return (long) ID.invokeExact(thread);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  public static boolean isVirtual(Thread thread) {
    if (IS_VIRTUAL == null) {
      return false;
    }
    try {
      return (boolean) IS_VIRTUAL.invokeExact(thread);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** A method of threads that Java 21 has. */
  private static @Nullable MethodHandle ofThread(String name, Class<?> result) {
    if (Runtime.version().feature() < 21) {
      return null;
    }
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, name, MethodType.methodType(result));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** The system's number of an open file; -1 if it is closed, or nobody knows. */
  public static int number(FileDescriptor descriptor) {
    if (DESCRIPTOR == null) {
      return -1;
    }
    try {
      return (int) DESCRIPTOR.invokeExact(descriptor);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static @Nullable MethodHandle carrierHandle() {
    return secret("JavaLangAccess", "currentCarrierThread", MethodType.methodType(Thread.class));
  }

  private static @Nullable MethodHandle descriptorHandle() {
    return secret(
        "JavaIOFileDescriptorAccess",
        "get",
        MethodType.methodType(int.class, FileDescriptor.class));
  }

  /** A method by which packages of the JDK share what is not public. */
  private static @Nullable MethodHandle secret(String shared, String name, MethodType type) {
    try {
      Class<?> access = Class.forName("jdk.internal.access." + shared);
      Class<?> secrets = Class.forName("jdk.internal.access.SharedSecrets");
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      MethodHandle get = lookup.findStatic(secrets, "get" + shared, MethodType.methodType(access));
      return lookup.findVirtual(access, name, type).bindTo(get.invoke());
    } catch (Throwable e) {
      return null;
    }
  }
}
