package dev.kymo.server;

import dev.kymo.format.Definition;
import dev.kymo.format.InstructionLayout;
import dev.kymo.format.Redaction;
import dev.kymo.instructions.completion.InstructionCompletion;
import dev.kymo.testkit.TraceBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A program with irregular points, whose instructions were recorded. */
final class InstructionProgram {
  private static final int SEGV = 11;
  private static final int SIGRETURN = 15;
  private static final int EXIT = 60;

  private InstructionProgram() {}

  /** Writes a recording of it, in which the second thread does the same 1000 instructions later. */
  static Path write(Path recording) throws IOException {
    TraceBuilder trace = new TraceBuilder(InstructionLayout.BEGIN_FIRST);
    int start = trace.block(0x500, "90", "e8fa0a0000"); // calls 0x1000
    int main = trace.block(0x1000, "90", "e8fa0f0000"); // calls 0x2000
    int outer = trace.block(0x2000, "90", "e8fa0f0000"); // calls 0x3000
    int jumps = trace.block(0x3000, "90", "ffe0");
    int after = trace.block(0x1006, "90", "90", "90");
    int handler = trace.block(0x4000, "c3");
    int restorer = trace.block(0x4010, "90");
    int again = trace.block(0x1007, "90", "e8f30f0000"); // calls 0x2000
    int returns = trace.block(0x3000, "90", "c3");
    int odd = trace.block(0x2010, "90");
    for (int thread = 1; thread <= 2; thread++) {
      trace.thread(
          1,
          thread,
          thread * 1000L,
          new TraceBuilder.Records()
              .blocks(start, main, outer, jumps, after)
              .event(InstructionLayout.EVENT_SIGNAL, SEGV, 1, 0x1007)
              .blocks(handler, restorer)
              .event(InstructionLayout.EVENT_SYSCALL, SIGRETURN, 0)
              .blocks(again, outer, returns, odd)
              .event(InstructionLayout.EVENT_SYSCALL, EXIT, 0));
    }
    trace.write(InstructionCompletion.prepare(Files.createDirectory(recording), 0));
    InstructionCompletion.complete(
        recording,
        0,
        new Definition.Recording("1", "program", "host", "", "", 1, "discard"),
        null,
        List.of(),
        Redaction.USUAL);
    return recording;
  }
}
