package dev.kymo.exporters.otf2.library;

import static dev.kymo.exporters.otf2.library.Otf2.PTR;
import static dev.kymo.exporters.otf2.library.Otf2.U64;
import static dev.kymo.exporters.otf2.library.Otf2.U8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** An archive that is being written: events first, one location after the other. */
public final class Otf2Archive implements AutoCloseable {
  public static final String NAME = "traces";

  private static final long EVENT_CHUNK = 1 << 20;
  private static final long DEFINITION_CHUNK = 4 << 20;
  private static final byte FLUSH = 1;

  /** Left free: more than the library writes at once, and than all that it keeps in memory. */
  private static final long ROOM = 16 << 20;

  private final Arena arena = Arena.ofConfined();
  private final LongSupplier free;
  private final MemorySegment archive;
  private boolean failed;

  /** The functions; found when the first archive is made. */
  private static final class Calls {
    static final MethodHandle OPEN = Otf2.pointer("Archive_Open", PTR, PTR, U8, U64, U64, U8, U8);
    static final MethodHandle FLUSHING = Otf2.call("Archive_SetFlushCallbacks", PTR, PTR, PTR);
    static final MethodHandle SERIAL = Otf2.call("Archive_SetSerialCollectiveCallbacks", PTR);
    static final MethodHandle DESCRIBE = Otf2.call("Archive_SetDescription", PTR, PTR);
    static final MethodHandle CREATOR = Otf2.call("Archive_SetCreator", PTR, PTR);
    static final MethodHandle OPEN_EVENTS = Otf2.call("Archive_OpenEvtFiles", PTR);
    static final MethodHandle CLOSE_EVENTS = Otf2.call("Archive_CloseEvtFiles", PTR);
    static final MethodHandle OPEN_DEFINITIONS = Otf2.call("Archive_OpenDefFiles", PTR);
    static final MethodHandle CLOSE_DEFINITIONS = Otf2.call("Archive_CloseDefFiles", PTR);
    static final MethodHandle EVENT_WRITER = Otf2.pointer("Archive_GetEvtWriter", PTR, U64);
    static final MethodHandle CLOSE_EVENT_WRITER = Otf2.call("Archive_CloseEvtWriter", PTR, PTR);
    static final MethodHandle DEFINITION_WRITER = Otf2.pointer("Archive_GetDefWriter", PTR, U64);
    static final MethodHandle CLOSE_DEFINITION_WRITER =
        Otf2.call("Archive_CloseDefWriter", PTR, PTR);
    static final MethodHandle GLOBAL = Otf2.pointer("Archive_GetGlobalDefWriter", PTR);
    static final MethodHandle CLOSE_GLOBAL = Otf2.call("Archive_CloseGlobalDefWriter", PTR, PTR);
    static final MethodHandle CLOSE = Otf2.call("Archive_Close", PTR);

    private Calls() {}
  }

  /**
   * Begins an archive in an empty directory.
   *
   * @throws IOException if the library is not installed
   */
  public Otf2Archive(Path directory) throws IOException {
    this(directory, () -> directory.toFile().getUsableSpace());
  }

  /**
   * The same with another measure of the disk.
   *
   * @param free bytes that can be written
   */
  Otf2Archive(Path directory, LongSupplier free) throws IOException {
    Otf2.require();
    this.free = free;
    try {
      archive =
          Otf2.check(
              (MemorySegment)
                  Calls.OPEN.invokeExact(
                      arena.allocateFrom(directory.toString()),
                      arena.allocateFrom(NAME),
                      (byte) 0,
                      EVENT_CHUNK,
                      DEFINITION_CHUNK,
                      (byte) 1,
                      (byte) 1));
      MemorySegment callbacks = arena.allocate(2 * PTR.byteSize());
      callbacks.set(PTR, 0, Otf2.flushCallback(flush(), arena));
      Otf2.check((int) Calls.FLUSHING.invokeExact(archive, callbacks, MemorySegment.NULL));
      Otf2.check((int) Calls.SERIAL.invokeExact(archive));
      Otf2.check((int) Calls.CREATOR.invokeExact(archive, arena.allocateFrom("kymo")));
      Otf2.check((int) Calls.OPEN_EVENTS.invokeExact(archive));
    } catch (Throwable e) {
      arena.close();
      throw rethrown(e);
    }
  }

  private static RuntimeException rethrown(Throwable e) {
    if (e instanceof RuntimeException known) {
      return known;
    }
    throw Otf2.impossible(e);
  }

  private static MethodHandle flush() throws ReflectiveOperationException {
    return MethodHandles.lookup()
        .findStatic(
            Otf2Archive.class,
            "flush",
            MethodType.methodType(
                byte.class,
                MemorySegment.class,
                byte.class,
                long.class,
                MemorySegment.class,
                byte.class));
  }

  @SuppressWarnings({"unused", "UnusedMethod"}) // the library calls it
  private static byte flush(
      MemorySegment user, byte type, long location, MemorySegment caller, byte last) {
    return FLUSH;
  }

  /**
   * Looks for room: the library crashes when it cannot write.
   *
   * @throws UncheckedIOException if there is not enough
   */
  private void requireRoom() {
    long left = free.getAsLong();
    if (left < ROOM) {
      throw new UncheckedIOException(
          new IOException("the disk is full: free=%d needed=%d".formatted(left, ROOM)));
    }
  }

  /** What is known of the whole. */
  public void describe(String text) {
    try (Arena shortly = Arena.ofConfined()) {
      Otf2.check((int) Calls.DESCRIBE.invokeExact(archive, shortly.allocateFrom(text)));
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** Writes the events of a location. Returns how many there are. */
  public long events(long location, Consumer<Otf2Events> writing) {
    try (Arena shortly = Arena.ofConfined()) {
      MemorySegment writer =
          Otf2.check((MemorySegment) Calls.EVENT_WRITER.invokeExact(archive, location));
      Otf2Events events = new Otf2Events(writer, shortly, this::requireRoom);
      writing.accept(events);
      long count = events.close();
      requireRoom();
      Otf2.check((int) Calls.CLOSE_EVENT_WRITER.invokeExact(archive, writer));
      return count;
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /** All events are written: writes what they mean. */
  public void definitions(long locations, Consumer<Otf2Definitions> writing) {
    try (Arena shortly = Arena.ofConfined()) {
      requireRoom();
      Otf2.check((int) Calls.CLOSE_EVENTS.invokeExact(archive));
      Otf2.check((int) Calls.OPEN_DEFINITIONS.invokeExact(archive));
      for (long location = 0; location < locations; location++) {
        MemorySegment own =
            Otf2.check((MemorySegment) Calls.DEFINITION_WRITER.invokeExact(archive, location));
        Otf2.check((int) Calls.CLOSE_DEFINITION_WRITER.invokeExact(archive, own));
      }
      Otf2.check((int) Calls.CLOSE_DEFINITIONS.invokeExact(archive));
      MemorySegment writer = Otf2.check((MemorySegment) Calls.GLOBAL.invokeExact(archive));
      writing.accept(new Otf2Definitions(writer, shortly));
      Otf2.check((int) Calls.CLOSE_GLOBAL.invokeExact(archive, writer));
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  private RuntimeException failed(Throwable e) {
    failed = true;
    return rethrown(e);
  }

  /** The library crashes when it closes an archive that it could not write. */
  @Override
  public void close() {
    if (failed) {
      arena.close();
      return;
    }
    try {
      Otf2.check((int) Calls.CLOSE.invokeExact(archive));
    } catch (Throwable e) {
      throw failed(e);
    } finally {
      arena.close();
    }
  }
}
