package dev.kymo.junit;

import dev.kymo.api.Unrecorded;
import dev.kymo.embedded.Command;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Does what {@link Recorded} says. */
@Unrecorded
final class RecordedExtension
    implements BeforeTestExecutionCallback, AfterTestExecutionCallback, ParameterResolver {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** The running tests, by JUnit's names of them. */
  private static final Map<String, Recording> RUNNING = new ConcurrentHashMap<>();

  RecordedExtension() {}

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Recording.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return recording(context);
  }

  @Override
  public void beforeTestExecution(ExtensionContext context) {
    recording(context).begin();
  }

  @Override
  public void afterTestExecution(ExtensionContext context) throws IOException {
    Recording recording = RUNNING.remove(context.getUniqueId());
    Recorded wanted = wanted(context);
    if (recording == null || wanted == null) {
      return;
    }
    recording.end();
    boolean failed = context.getExecutionException().isPresent();
    String[] rules = failed ? new String[0] : wanted.rules();
    String violation = rules.length == 0 ? null : recording.violation(rules);
    if (failed || violation != null || !wanted.onFailure()) {
      tell(context, recording);
    }
    if (violation != null) {
      throw new AssertionError(violation);
    }
  }

  /** Writes the page, and says where it is. Whatever the test says itself must not be hidden. */
  private static void tell(ExtensionContext context, Recording recording) throws IOException {
    String name = recording.test().replaceFirst("#\\d+-(\\d+)$", "-$1");
    if (Command.find() == null) {
      context.publishReportEntry("kymo recording", recording.path().toString());
      return;
    }
    Path page = CurrentRecording.reports().resolve(name + ".html");
    try {
      recording.writePage(page);
      context.publishReportEntry("kymo page", page.toString());
    } catch (IOException | IllegalStateException e) {
      context.publishReportEntry("kymo page", "cannot be written: " + e.getMessage());
    }
  }

  private static Recording recording(ExtensionContext context) {
    return RUNNING.computeIfAbsent(context.getUniqueId(), unused -> begin(context));
  }

  private static Recording begin(ExtensionContext context) {
    String name =
        context.getRequiredTestClass().getName()
            + "."
            + context.getTestMethod().map(Method::getName).orElse("test");
    try {
      return new Recording(
          CurrentRecording.path(),
          name.replaceAll("[^A-Za-z0-9_.$]", "_")
              + "#"
              + ProcessHandle.current().pid()
              + "-"
              + NUMBER.incrementAndGet());
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** The method's own, or that of its class or one around it. */
  private static @Nullable Recorded wanted(ExtensionContext context) {
    Optional<Method> method = context.getTestMethod();
    Recorded own = method.map(it -> it.getAnnotation(Recorded.class)).orElse(null);
    Class<?> type = context.getRequiredTestClass();
    while (own == null && type != null) {
      own = type.getAnnotation(Recorded.class);
      type = type.getEnclosingClass();
    }
    return own;
  }
}
