package dev.kymo.recorder.ring;

import dev.kymo.format.ControlLayout;
import dev.kymo.format.Definition;
import dev.kymo.format.RingLayout;
import dev.kymo.format.StreamClass;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/** A ring of definitions whose clock stands still, for tests of the drainer. */
public final class TestDefinitions {
  private static final int SUB_BUFFER = 4096;
  private static final int SUB_BUFFERS = 4;
  private static final long NOW = 1L << 33;

  private final DefinitionStream stream;

  /** Makes the ring's file. */
  public TestDefinitions(Path file) throws IOException {
    ByteBuffer memory =
        RingFile.create(
            file,
            TestRing.ID,
            StreamClass.DEFINITIONS,
            1,
            0,
            SUB_BUFFER,
            SUB_BUFFERS,
            RingLayout.BLOCK);
    ByteBuffer control =
        ByteBuffer.allocateDirect(ControlLayout.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    DrainerWatch watch =
        new DrainerWatch(control, MethodHandles.constant(long.class, NOW), Path.of("no-recorder"));
    stream = new DefinitionStream(memory, watch, 1);
  }

  /** Defines a thread. */
  public void put(int number) {
    stream.put(new Definition.TracedThread(number, 0, number, 0, "thread " + number));
  }
}
