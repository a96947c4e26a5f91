package dev.kymo.instructions.trace;

import java.util.List;
import java.util.Map;

/**
 * A process of the trace: its facts, its functions, and the chunks of its threads.
 *
 * @param threads by number
 */
public record ProcessTrace(
    ProcessFacts facts,
    Functions functions,
    FunctionNumbers methods,
    Map<Integer, ChunkFile> threads) {

  public int number() {
    return facts.number();
  }

  public Blocks blocks() {
    return facts.blocks();
  }

  public List<Long> methodAddresses() {
    return methods.addresses();
  }
}
