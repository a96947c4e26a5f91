package dev.kymo.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.tree.CallTree;
import dev.kymo.model.timeline.CallVisitor;
import dev.kymo.server.FakeTimeline;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class JobsTest {
  private final Jobs jobs = new Jobs(TimeUnit.SECONDS.toNanos(3));
  private final CountDownLatch go = new CountDownLatch(1);
  private final List<String> begun = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    go.countDown();
    jobs.close();
  }

  private Jobs.Work waits(String name) {
    return progress -> {
      begun.add(name);
      try {
        go.await();
      } catch (InterruptedException e) {
        throw new CancellationException();
      }
      return json -> json.writeString(name);
    };
  }

  private String ask(String question, Jobs.Work work) throws InterruptedException {
    Jobs.Reply reply = jobs.ask(question, 1, Jobs.Kind.TABLE, work);
    byte[] answer = reply.answer();
    return answer == null ? "at " + reply.progress() : new String(answer, StandardCharsets.UTF_8);
  }

  private String untilAnswered(String question, Jobs.Work work) throws InterruptedException {
    String answer = ask(question, work);
    while (answer.startsWith("at ")) {
      answer = ask(question, work);
    }
    return answer;
  }

  @Test
  void workGoesOnBetweenQuestionsAndIsDoneOnce() throws Exception {
    assertThat(ask("q", waits("a"))).isEqualTo("at 0.0");
    assertThat(ask("q", waits("b"))).isEqualTo("at 0.0");
    go.countDown();
    assertThat(untilAnswered("q", waits("c"))).isEqualTo("\"a\"");
    assertThat(ask("q", waits("d"))).isEqualTo("\"a\"");
    assertThat(begun).containsExactly("a");
  }

  @Test
  void twoAtOnceAndTheNewestFirst() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Jobs.Work occupies =
        progress -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            throw new CancellationException();
          }
          return json -> json.writeString("end");
        };
    ask("0", occupies);
    for (String name : List.of("1", "2", "3", "4")) {
      ask(name, waits(name));
    }
    assertThat(begun).containsExactly("1");
    go.countDown();
    untilAnswered("2", waits("2"));
    assertThat(begun).containsExactly("1", "4", "3", "2");
    end.countDown();
  }

  @Test
  void searchesDoNotWaitForTables() throws Exception {
    for (String name : List.of("1", "2", "3")) {
      ask(name, waits(name));
    }
    assertThat(begun).containsExactly("1", "2");
    Jobs.Work search = progress -> json -> json.writeString("found");
    Jobs.Reply reply = jobs.ask("search", 1, Jobs.Kind.SEARCH, search);
    while (reply.answer() == null) {
      reply = jobs.ask("search", 1, Jobs.Kind.SEARCH, search);
    }
    assertThat(reply.answer()).asString().isEqualTo("\"found\"");
    assertThat(begun).as("tables still wait").containsExactly("1", "2");
  }

  @Test
  void failuresAreToldAndForgotten() throws Exception {
    AtomicInteger times = new AtomicInteger();
    Jobs.Work fails =
        progress -> {
          times.incrementAndGet();
          throw new IllegalStateException("no");
        };
    assertThatThrownBy(() -> jobs.ask("q", 1, Jobs.Kind.TABLE, fails)).hasMessage("no");
    assertThatThrownBy(() -> jobs.ask("q", 1, Jobs.Kind.TABLE, fails)).hasMessage("no");
    assertThat(times).hasValue(2);
  }

  @Test
  void aFailureWaitsForWhoeverAsked() throws Exception {
    Jobs.Work fails =
        progress -> {
          waits("a").answer(progress);
          throw new BadRequestException("Too late.");
        };
    assertThat(ask("q", fails)).isEqualTo("at 0.0");
    go.countDown();
    assertThatThrownBy(() -> untilAnswered("q", fails)).hasMessage("Too late.");
  }

  @Test
  void whatNobodyAsksForIsGivenUp() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    try (Jobs hasty = new Jobs(TimeUnit.MILLISECONDS.toNanos(300))) {
      Jobs.Work endless =
          progress -> {
            try {
              CallTree.of(new Endless(), new TimelineSelection(0, 10, List.of(0)), false, progress);
            } finally {
              ended.countDown();
            }
            return json -> {};
          };
      assertThat(hasty.ask("q", 1, Jobs.Kind.TABLE, endless).answer()).isNull();
      assertThat(hasty.ask("q", 1, Jobs.Kind.TABLE, endless).answer()).isNull();
      assertThat(ended.await(600, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void workIsDoneAnewWhenTheRecordingHasGrown() throws Exception {
    go.countDown();
    FinishedAnswers answers = new FinishedAnswers();
    answers.put("q", 1, new byte[5]);
    assertThat(answers.get("q", 1)).hasSize(5);
    assertThat(answers.get("q", 2)).as("just made").hasSize(5);
    assertThat(answers.get("p", 1)).isNull();
    Thread.sleep(2100);
    assertThat(answers.get("q", 2)).isNull();
    assertThat(answers.get("q", 1)).hasSize(5);
  }

  @Test
  void keepsWhatThereIsRoomFor() {
    FinishedAnswers answers = new FinishedAnswers();
    for (int i = 0; i < 5; i++) {
      answers.put("q" + i, 1, new byte[4 << 20]);
      answers.get("q0", 1);
    }
    assertThat(answers.get("q0", 1)).isNotNull();
    assertThat(answers.get("q1", 1)).isNull();
    assertThat(answers.get("q4", 1)).isNotNull();
    for (int i = 0; i < 70; i++) {
      answers.put("small" + i, 1, new byte[1]);
    }
    assertThat(answers.get("q0", 1)).isNull();
    assertThat(answers.get("small69", 1)).isNotNull();
  }

  /** One thread whose calls never end to come. */
  private static final class Endless extends FakeTimeline {
    Endless() {
      super("endless", 10);
      thread("main", process(1, "java"), false).call(0, method("A", "b", "()V"), 0, 10);
    }

    @Override
    public void calls(int track, long from, long to, CallVisitor visitor) {
      while (true) {
        visitor.call(0, 0, 0, 10, 0);
      }
    }
  }
}
