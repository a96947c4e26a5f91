package dev.kymo.model.arrows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** What was written into a connection is paired with what was read from it, by its bytes. */
class StreamPartsTest {
  private static StreamParts parts(long... lengths) {
    StreamParts parts = new StreamParts();
    long at = 0;
    for (int i = 0; i < lengths.length; i++) {
      parts.add(at, lengths[i], i);
      at += lengths[i];
    }
    return parts;
  }

  private static List<String> words(List<StreamParts.Pair> pairs) {
    return pairs.stream().map(pair -> pair.written() + ">" + pair.read()).toList();
  }

  @Test
  void requestsThatOneReadGotAreAllItsMessages() {
    assertThat(words(parts(10, 20, 30).pairs(parts(60)))).containsExactly("0>0", "1>0", "2>0");
  }

  @Test
  void whatWasReadInPiecesHasArrivedWithTheLastOne() {
    assertThat(words(parts(60, 5).pairs(parts(10, 20, 30, 5)))).containsExactly("0>2", "1>3");
  }

  @Test
  void whatWasNotReadToItsEndHasNotArrived() {
    assertThat(words(parts(60).pairs(parts(59)))).isEmpty();
  }

  @Test
  void whatWasLostOnOneSideLeavesTheRestPaired() {
    StreamParts read = new StreamParts();
    read.add(0, 10, 0);
    read.add(20, 10, 1);
    assertThat(words(parts(10, 10, 10).pairs(read))).containsExactly("0>0", "2>1");
  }

  @Test
  void laterConnectionBetweenTheSamePortsBeginsAgain() {
    StreamParts written = new StreamParts();
    StreamParts read = new StreamParts();
    for (int connection = 0; connection < 3; connection++) {
      written.add(0, 10, connection);
      read.add(0, 4, 2 * connection);
      read.add(4, 6, 2 * connection + 1);
    }
    assertThat(words(written.pairs(read))).containsExactly("0>1", "1>3", "2>5");
  }

  @RepeatedTest(20)
  void eachWriteIsReadByWhoeverGotItsLastByte(RepetitionInfo run) {
    SplittableRandom random = new SplittableRandom(run.getCurrentRepetition());
    int bytes = 2000;
    long[] written = cut(random, bytes);
    long[] read = cut(random, bytes);
    List<String> expected = new ArrayList<>();
    long end = 0;
    for (int i = 0; i < written.length; i++) {
      end += written[i];
      long got = 0;
      int j = 0;
      while (got + read[j] < end) {
        got += read[j++];
      }
      expected.add(i + ">" + j);
    }
    assertThat(words(parts(written).pairs(parts(read)))).isEqualTo(expected);
  }

  private static long[] cut(SplittableRandom random, int bytes) {
    List<Long> lengths = new ArrayList<>();
    long left = bytes;
    while (left > 0) {
      long length = Math.min(left, random.nextInt(1, 60));
      lengths.add(length);
      left -= length;
    }
    return lengths.stream().mapToLong(length -> length).toArray();
  }
}
