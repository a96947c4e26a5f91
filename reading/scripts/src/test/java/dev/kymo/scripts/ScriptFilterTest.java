package dev.kymo.scripts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What scripts see of an event, what they cannot reach, and how they are stopped. */
@Tag("slow")
class ScriptFilterTest {
  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("chosen.js"), text);
  }

  private ScriptFilter open(String text) throws IOException {
    return ScriptFilter.open(
        file(text),
        why -> {
          throw why;
        });
  }

  private boolean accept(String expression) throws IOException {
    try (ScriptFilter filter = open("function accept(event) { return " + expression + "; }")) {
      return filter.accept(OneEvent.PLAIN);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "event.kind === 'leave' && event.name === 'a.B.run' && event.subsystem === 'a.B'",
        "event.time === 105 && event.begin === 100 && event.duration === 5",
        "event.pid === 1001 && event.command === 'java App'",
        "event.process === 1 && event.thread === 12 && event.threadName === 'main'",
        "event.track === 'calls' && event.core === undefined && event.depth === 0",
        "event.fields.id === 7 && event.fields.who === 'me' && event.fields.other === undefined",
        "event.fields?.other?.more === undefined && !event.unknown",
        "event.text === 'id=7' && event.place === 'a.B.run' && `${event}` === 'leave a.B.run'",
        "Object.keys(event.fields).join() === 'id,who' && Object.keys(event).length === 17",
        "JSON.stringify(event).startsWith('{\"kind\":\"leave\"')",
        "'name' in event && !('Name' in event) && /^a\\./.test(event.name)",
        "new Set([1, 2]).has(2) && [3, 1].map(x => x * 2).includes(6)"
      })
  void whatAnEventHas(String expression) throws IOException {
    assertThat(accept(expression)).isTrue();
    assertThat(accept("!(" + expression + ")")).isFalse();
  }

  @Test
  void numbersThatJavaScriptCannotHoldAreBigIntegers() throws IOException {
    OneEvent event =
        new OneEvent(
            Map.of("pointer", (1L << 53) + 1, "all", new BigInteger("18446744073709551615")));
    try (ScriptFilter filter =
        open(
            "function accept(event) { return event.fields.pointer === 9007199254740993n"
                + " && event.fields.all === 18446744073709551615n; }")) {
      assertThat(filter.accept(event)).isTrue();
    }
  }

  @Test
  void itRemembers() throws IOException {
    try (ScriptFilter filter = open("let n = 0; function accept(event) { return ++n == 3; }")) {
      assertThat(filter.accept(OneEvent.PLAIN)).isFalse();
      assertThat(filter.accept(OneEvent.PLAIN)).isFalse();
      assertThat(filter.accept(OneEvent.PLAIN)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.lang.System.exit(3)",
        "Packages.java.io.File",
        "new JavaAdapter(java.lang.Runnable, {})",
        "JavaImporter(java.io)",
        "importPackage(java.io)",
        "getClass()",
        "event.getClass()",
        "event.name.getClass()",
        "load('/etc/passwd')",
        "readFile('/etc/passwd')",
        "new XMLHttpRequest()",
        "Function('return java')()",
        "eval('java.lang')"
      })
  void nothingOfJavaCanBeReached(String expression) {
    assertThatThrownBy(() -> accept(expression))
        .isInstanceOf(ScriptException.class)
        .hasMessageStartingWith("script failed: file=" + folder.resolve("chosen.js") + " line=1 ");
  }

  private String failure(String text) {
    String[] message = {""};
    assertThatThrownBy(
            () -> {
              try (ScriptFilter filter = open(text)) {
                for (int i = 0; i < 100_000; i++) {
                  filter.accept(OneEvent.PLAIN);
                }
              }
            })
        .isInstanceOf(ScriptException.class)
        .satisfies(e -> message[0] = e.getMessage());
    return message[0].replace(folder.toString(), "");
  }

  @Test
  void errorsHaveTheirPlaceAndTheEvent() {
    assertThat(failure("function accept(event) {\n  return event.fields.a.b > 3;\n}"))
        .isEqualTo(
            "script failed: file=/chosen.js line=2 column=25 error=\"TypeError: Cannot read property"
                + " \"b\" from undefined\" event=\"leave a.B.run\" time_ns=105");
    assertThat(failure("function accept(event) {\n  return ok(event);\n}"))
        .startsWith("script failed: file=/chosen.js line=2 column=10 error=\"ReferenceError:");
    assertThat(failure("function accept(event) {\n  throw new Error('no');\n}"))
        .contains(" line=2 column=13 error=\"Error: no\"");
    assertThat(failure("function accept(event) {\n  event.time = 3;\n}"))
        .contains(
            " line=2 column=3 error=\"TypeError: an event cannot be changed: property=time\"");
  }

  @Test
  void scriptsThatCannotBeRead() {
    assertThat(failure("function accept(event) {\n  let x = ;\n}"))
        .isEqualTo("script is not valid: file=/chosen.js line=2 column=11 error=\"syntax error\"");
    assertThat(failure("function acept(event) {}"))
        .isEqualTo("script has no function of this name: file=/chosen.js function=accept");
    assertThat(failure("let accept = 3;")).contains("has no function of this name");
    assertThat(failure("/" + "*".repeat(1 << 20))).contains("script is too long: file=/chosen.js");
    assertThatThrownBy(() -> ScriptFilter.open(folder.resolve("none.js"), why -> {}))
        .isInstanceOf(NoSuchFileException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "function accept(event) { while (true) {} }|it took too long for one event: most_s=2",
        "while (true) {}|it took too long for one event: most_s=2",
        "function accept(e) { try { while (true) {} } catch (x) {} finally { for (;;) {} } }|it took"
            + " too long",
        "let a = []; function accept(e) { for (;;) a.push('x'.repeat(1 << 14)); }|it used too"
            + " much memory for one event: most_bytes=134217728",
        "let s = 'x'; function accept(e) { for (;;) s = s + s; }|memory",
        "function accept(e) { return new Array(1e9).join('x') == ''; }|memory",
        "function f(n) { return 1 + f(n); } function accept(e) { return f(1) > 0; }|functions call"
            + " each other too deeply"
      })
  void scriptsAreStopped(String script, String reason) {
    assertThat(failure(script)).contains("script failed: file=/chosen.js").contains(reason);
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("kymo-script-watch") && !isEnding(thread));
  }

  private static void workUntil(BooleanSupplier enough) {
    while (!enough.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private static long processorTime() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static boolean isEnding(Thread thread) {
    try {
      thread.join(TimeUnit.SECONDS.toMillis(30));
      return !thread.isAlive();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void callsThatCannotBeStoppedAreReported() throws InterruptedException {
    CountDownLatch reported = new CountDownLatch(1);
    try (Watch watch = new Watch(10_000_000, reported::countDown)) {
      watch.running(); // without a processor
      assertThat(reported.await(100, TimeUnit.MILLISECONDS)).isFalse();
      watch.pause();
      long begin = processorTime();
      workUntil(() -> processorTime() - begin > 100_000_000);
      assertThat(reported.getCount()).isOne();
      watch.running();
      workUntil(() -> reported.getCount() == 0);
    }
  }

  @Test
  void afterAnErrorAnotherScriptRuns() throws IOException {
    assertThat(failure("function accept(e) { return x.y; }")).contains("ReferenceError");
    assertThat(accept("true")).isTrue();
  }
}
