package dev.kymo.instructions;

import java.util.List;
import java.util.Map;

/**
 * A process of the trace: its facts, its functions, and the chunks of its threads.
 *
 * @param threads by number
 */
record ProcessTrace(
    ProcessFacts facts,
    Functions functions,
    MethodNumbers methods,
    Map<Integer, ChunkFile> threads) {

  int number() {
    return facts.number();
  }

  Blocks blocks() {
    return facts.blocks();
  }

  List<Long> methodAddresses() {
    return methods.addresses();
  }
}
