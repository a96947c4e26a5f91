package dev.kymo.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Definition;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class MethodNumbersTest {
  private static final int LOADING = 8;
  private static final int CLASSES = 200;
  private static final int METHODS = 10;
  private static final int MINUTE = 60_000;

  private final Set<ClassLoader> loaders = ConcurrentHashMap.newKeySet();
  private final Set<Definition> defined = ConcurrentHashMap.newKeySet();
  private final MethodNumbers numbers = new MethodNumbers(defined::add);
  private final AtomicInteger loading = new AtomicInteger(LOADING);

  /** As the threads of a program, and beside them the housekeeper, the budget and the waits. */
  @Tag("slow")
  @Test
  void classesAreLoadedWhileOthersLookThroughAll() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < LOADING; i++) {
      threads.add(thread("loads " + i, this::load));
    }
    threads.add(looking("woven", numbers::woven));
    threads.add(looking("wovenWith", () -> numbers.wovenWith(Set.of(7, 77, 777))));
    threads.add(looking("hasOneOf", () -> numbers.hasOneOf(null, "A0", Set.of(7))));
    threads.add(looking("state", () -> numbers.state("kind", "s" + defined.size() % 1000)));
    threads.add(looking("defineAll", () -> numbers.defineAll(defined::add)));
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join(MINUTE);
      assertThat(thread.isAlive()).as(() -> "hangs: " + thread + "\n" + dump()).isFalse();
    }
    everyMethodHasOneNumber();
    // What a next recording is told is all that there is.
    List<Definition> next = new ArrayList<>();
    numbers.defineAll(next::add);
    assertThat(next).doesNotHaveDuplicates().hasSameSizeAs(defined).isSubsetOf(defined);
  }

  private Thread looking(String name, Runnable look) {
    return thread(
        name,
        () -> {
          while (loading.get() > 0) {
            look.run();
          }
        });
  }

  private static Thread thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  private void load() {
    ClassLoader loader = new ClassLoader() {};
    loaders.add(loader); // a loader's classes are forgotten with it
    for (int i = 0; i < CLASSES; i++) {
      // Every other class is loaded by all threads from one loader.
      MethodNumbers.TypeNumbers type = numbers.type(i % 2 == 0 ? null : loader, "A" + i, "A.java");
      type.checksum(i);
      for (int method = 0; method < METHODS; method++) {
        type.method(new MethodFacts("m" + method, "()V", 1, 100, 0, 1, method, true, true, false));
      }
    }
    loading.decrementAndGet();
  }

  private void everyMethodHasOneNumber() {
    Map<Integer, Definition> byNumber = new HashMap<>();
    for (Definition definition : defined) {
      if (definition instanceof Definition.Method method) {
        assertThat(byNumber.putIfAbsent(method.method(), method)).isIn(null, method);
      }
    }
    List<MethodNumbers.Woven> woven = numbers.woven();
    assertThat(woven).hasSize(CLASSES / 2 + LOADING * CLASSES / 2);
    assertThat(woven.stream().flatMap(type -> type.methods().values().stream()))
        .doesNotHaveDuplicates()
        .hasSize(woven.size() * METHODS)
        .isSubsetOf(byNumber.keySet());
  }

  private static String dump() {
    ThreadInfo[] all = ManagementFactory.getThreadMXBean().dumpAllThreads(true, true);
    return Arrays.stream(all).map(ThreadInfo::toString).collect(Collectors.joining());
  }
}
