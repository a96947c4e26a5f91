package dev.kymo.instructions.completion;

import dev.kymo.instructions.trace.BlockEnd;
import dev.kymo.instructions.trace.Blocks;
import dev.kymo.instructions.trace.Chunk;
import dev.kymo.instructions.trace.ChunkFile;
import dev.kymo.instructions.trace.ChunkReader;
import dev.kymo.instructions.trace.CodeFile;
import dev.kymo.instructions.trace.ProcessFacts;
import dev.kymo.instructions.trace.TraceSink;
import dev.kymo.instructions.trace.TracedModule;
import java.io.IOException;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Finds the functions that a process executed, in the files that its code is from. */
final class FunctionFinder {
  private final Map<String, CodeFile> codeFiles = new HashMap<>();
  private final SortedMap<Long, String> kernelFunctions = new TreeMap<>();

  /** Takes the symbols of a machine's kernel, which is in no file. */
  void kernel(CodeFile symbols) {
    codeFiles.put(TracedModule.KERNEL, symbols);
  }

  CodeFile codeFile(TracedModule module) {
    return codeFiles.computeIfAbsent(module.path(), CodeFile::read);
  }

  /**
   * Functions that contain executed blocks: symbols of the files, and what is called by an address
   * in a call instruction.
   */
  SortedMap<Long, String> functions(ProcessFacts process, Collection<ChunkFile> chunks) {
    boolean machine = process.isInMachine();
    TreeMap<Long, String> known = new TreeMap<>(machine ? kernelFunctions(process) : Map.of());
    for (TracedModule module : process.modules()) {
      if (!module.path().equals(TracedModule.KERNEL)) {
        known.putAll(functions(module));
      }
    }
    Blocks blocks = process.blocks();
    BitSet own = executed(process, chunks);
    for (int i = own.nextSetBit(1); i >= 0; i = own.nextSetBit(i + 1)) {
      if (blocks.ends()[i] == BlockEnd.CALL) {
        known.putIfAbsent(blocks.target(i), "");
      }
    }
    TreeMap<Long, String> executed = new TreeMap<>();
    for (int i = own.nextSetBit(1); i >= 0; i = own.nextSetBit(i + 1)) {
      Map.Entry<Long, String> floor = known.floorEntry(blocks.address(i));
      if (floor != null) {
        executed.put(floor.getKey(), floor.getValue());
      }
    }
    return executed;
  }

  private SortedMap<Long, String> functions(TracedModule module) {
    TreeMap<Long, String> functions = new TreeMap<>();
    CodeFile code = codeFile(module);
    code.functions()
        .forEach((address, name) -> {
          long at = address - code.address(module.offset()) + module.address();
          if (module.contains(at)) {
            functions.put(at, name);
          }
        });
    return functions;
  }

  /** Tens of thousands, which all processes of a machine have. */
  private SortedMap<Long, String> kernelFunctions(ProcessFacts process) {
    if (kernelFunctions.isEmpty()) {
      process.modules().stream()
          .filter(module -> module.path().equals(TracedModule.KERNEL))
          .forEach(module -> kernelFunctions.putAll(functions(module)));
    }
    return kernelFunctions;
  }

  /** The blocks that a process executed: of a machine it has those of all others, too. */
  private static BitSet executed(ProcessFacts process, Collection<ChunkFile> chunks) {
    BitSet executed = new BitSet();
    if (!process.isInMachine()) {
      executed.set(1, process.blocks().count());
      return executed;
    }
    TraceSink sink =
        new TraceSink() {
          @Override
          public void block(int block) {
            executed.set(block);
          }

          @Override
          public void signal(int signal, int done, long address) {}

          @Override
          public void cut(int done) {}
        };
    for (ChunkFile file : chunks) {
      for (Chunk chunk : file.chunks()) {
        try {
          new ChunkReader(process.blocks()).read(file.records(chunk), sink);
        } catch (IOException e) {
          // Whoever finds the calls in it says so.
        }
      }
    }
    return executed;
  }
}
