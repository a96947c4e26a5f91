package dev.kymo.instructions.calls;

import dev.kymo.format.InstructionLayout;
import dev.kymo.instructions.trace.Chunk;
import dev.kymo.instructions.trace.ChunkFile;
import dev.kymo.instructions.trace.ChunkReader;
import dev.kymo.instructions.trace.ProcessFacts;
import dev.kymo.instructions.trace.ProcessTrace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds the calls of all threads of a trace, process by process, in the order of their numbers. */
public final class Nesting {
  private record Fork(int process, long child) {}

  /** The calls that a child begins in, with the numbers of its parent. */
  private record Forked(ProcessTrace parent, NestState calls) {}

  /**
   * Who wants to know more than the calls; null: nobody.
   *
   * @param points what does not fit in a thread
   * @param levels takes a part of its calls
   */
  public record Listeners(@Nullable PointFinder points, @Nullable LevelStream levels) {
    static final Listeners NONE = new Listeners(null, null);

    private void gap() {
      if (levels != null) {
        levels.gap();
      }
    }
  }

  private final UUID uuid;
  private final Map<Fork, Forked> forks = new HashMap<>();

  public Nesting(UUID uuid) {
    this.uuid = uuid;
  }

  /**
   * Finds the calls of a thread; what it called fork in is kept for the children.
   *
   * @param listeners of this thread
   */
  public NestIndex index(ProcessTrace process, int thread, ChunkFile file, Listeners listeners) {
    NestIndex index = new NestIndex();
    Forked forked = forks.get(new Fork(process.facts().parent(), process.facts().pid()));
    boolean isFork =
        process.facts().how() == InstructionLayout.BEGIN_FORK
            && thread == 1
            && beginsWith(process, thread, file);
    NestState state =
        isFork && forked != null ? forked.calls.in(forked.parent, process) : new NestState();
    long position = 0;
    long packets = 0;
    long clock = -1;
    for (int i = 0; i < file.chunks().size(); i++) {
      Chunk chunk = file.chunks().get(i);
      if (clock != -1 && clock != chunk.begin()) {
        state = new NestState(); // chunks are missing, and nobody knows what happened in them
        packets++;
        listeners.gap();
      }
      state.clock = chunk.begin();
      NestState before = state.checkpoint();
      long[] size = {0};
      boolean last = i == file.chunks().size() - 1;
      Consumer<ByteBuffer> to = b -> size[0] += b.remaining();
      Packets made = packets(process, thread, file, chunk, state, packets, last, listeners, to);
      index.add(new NestIndex.Entry(position, packets, (int) size[0], before));
      position += size[0];
      packets = made.packets();
      index.count(made.instructions());
      clock = chunk.end();
      if (made.damage() != null) {
        state = new NestState();
        packets++;
        listeners.gap();
      }
    }
    return index;
  }

  /** Whether the thread's first chunk is there. */
  private static boolean beginsWith(ProcessTrace process, int thread, ChunkFile file) {
    ProcessFacts.ThreadFact fact = process.facts().threads().get(thread);
    return fact != null
        && !file.chunks().isEmpty()
        && file.chunks().getFirst().begin() == fact.clock();
  }

  /**
   * How packets were made.
   *
   * @param packets number of the next one
   * @param instructions that were executed
   * @param damage why not all of the chunk could be read; null if all could
   */
  record Packets(long packets, long instructions, @Nullable String damage) {}

  /**
   * Makes the packets of a chunk.
   *
   * @param state before it; is that after it, then
   * @param first number of its first packet
   * @param last whether the thread ends with it
   * @param listeners of this thread
   */
  Packets packets(
      ProcessTrace process,
      int thread,
      ChunkFile file,
      Chunk chunk,
      NestState state,
      long first,
      boolean last,
      Listeners listeners,
      Consumer<ByteBuffer> to) {
    NestPackets packets = new NestPackets(uuid, process.number(), thread, first, to);
    LevelStream levels = listeners.levels;
    NestSink sink = levels == null ? packets : levels.beside(packets);
    Nest nest = new Nest(process, state, sink, listeners.points);
    long begin = state.clock;
    nest.begin();
    String damage = null;
    try {
      new ChunkReader(process.blocks()).read(file.records(chunk), nest);
    } catch (IOException e) {
      damage = e.getMessage();
    }
    nest.forks()
        .forEach((child, calls) ->
            forks.put(new Fork(process.number(), child), new Forked(process, calls)));
    if (last) {
      nest.end();
      sink.present(state.clock);
    }
    packets.close();
    long instructions = state.clock - begin - nest.raised();
    return new Packets(packets.packets(), instructions, damage);
  }
}
