package dev.kymo.drain;

import dev.kymo.format.Clock;
import dev.kymo.format.ControlLayout;
import dev.kymo.recorder.Session;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** A recording whose recorder was killed. In its memory is the page of a process, this one. */
final class LeftRecording {
  private LeftRecording() {}

  /**
   * Makes one.
   *
   * @param session an empty directory, the memory
   * @param seen where the recorder saw it
   */
  static Path make(Path recording, Path session, Path seen) throws IOException {
    Files.createDirectory(recording);
    Session made =
        Session.create(session, recording, Clock.MONOTONIC, new Session.Buffers(1 << 20, 0));
    made.store();
    Files.writeString(recording.resolve("metadata"), made.uuid().toString());
    Files.writeString(recording.resolve(".rings"), seen.toString());
    ByteBuffer control = ByteBuffer.allocate(ControlLayout.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    control.putLong(ControlLayout.MAGIC_OFFSET, ControlLayout.MAGIC);
    control.putInt(ControlLayout.STATE_OFFSET, ControlLayout.RUNNING);
    control.putInt(ControlLayout.PID_OFFSET, (int) ProcessHandle.current().pid());
    control.putLong(ControlLayout.BEGUN_BY_OFFSET, Long.MAX_VALUE);
    Files.createDirectory(session.resolve("p1"));
    Files.write(session.resolve("p1/control"), control.array());
    return recording;
  }
}
