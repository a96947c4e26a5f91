package dev.kymo.session.machine;

import dev.kymo.format.InstructionLayout;
import dev.kymo.session.system.Inherited;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The known facts about the kernel of a recorded machine. */
public final class RecordedKernel {
  private RecordedKernel() {}

  /**
   * Its symbols, as {@code /proc/kallsyms} had them; null: no machine was recorded.
   *
   * @throws dev.kymo.session.UsageException if the kernel is not prepared any more
   */
  public static @Nullable Path symbols(Path recording) throws IOException {
    Path traces = recording.resolve(InstructionLayout.DIRECTORY);
    if (!Files.exists(traces.resolve(RecordedMachine.FILE))) {
      return null;
    }
    MachineHome home = MachineHome.of(Inherited.find().environment());
    return RecordedMachine.read(traces).kernel(home).symbols();
  }
}
