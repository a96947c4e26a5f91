package dev.kymo.instructions.listing;

import dev.kymo.instructions.calls.InstructionTrace;
import dev.kymo.instructions.trace.DetailFiles;
import dev.kymo.instructions.trace.MemoryTrace;
import dev.kymo.instructions.trace.RegisterTrace;
import java.io.IOException;

/** Registers, memory and data that replays have added to a trace. */
record AddedTraces(RegisterTrace registers, MemoryTrace memory, DataTrace data) {
  static AddedTraces of(InstructionTrace trace) throws IOException {
    return new AddedTraces(
        new RegisterTrace(DetailFiles.open(trace.files(), "registers")),
        new MemoryTrace(DetailFiles.open(trace.files(), "memory")),
        new DataTrace(trace.files(), trace.processes().values()));
  }
}
