package dev.kymo.scripts;

import dev.kymo.analysis.filter.EventFacts;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/** A script that was read, with the function that is called for each event; of one thread. */
final class Script implements AutoCloseable {
  private static final long MAX_BYTES = 1 << 20;

  private final ScriptErrors errors;
  private final Watch watch;
  private final Context context;
  private final Scriptable scope;
  private final EventObject event = new EventObject();
  private final boolean places;

  private Script(Path path, String text, Consumer<ScriptException> stuck) {
    errors = new ScriptErrors(path, text);
    places = text.contains("place");
    watch = new Watch(2 * Sandbox.MAX_NANOS, () -> stuck.accept(errors.endless()));
    context = new Sandbox(watch).enterContext();
    ScriptableObject standard = context.initSafeStandardObjects(null, true);
    scope = context.newObject(standard);
    scope.setPrototype(standard);
    scope.setParentScope(null);
  }

  /**
   * Reads a script; nothing of it runs yet.
   *
   * @param stuck takes, in another thread, what to say of a call that neither ends nor can be ended
   * @throws ScriptException if it is too long or not text
   * @throws IOException if the file cannot be read
   */
  static Script read(Path path, Consumer<ScriptException> stuck) throws IOException {
    if (Files.size(path) > MAX_BYTES) {
      throw new ScriptException(
          "script is too long: file=%s bytes=%d most=%d"
              .formatted(path, Files.size(path), MAX_BYTES));
    }
    try {
      return new Script(path, Files.readString(path), stuck);
    } catch (CharacterCodingException e) {
      throw new ScriptException("script is not text in UTF-8: file=" + path);
    }
  }

  void define(String name, Object value) {
    ScriptableObject.putProperty(scope, name, value);
  }

  /**
   * Runs what stands outside of its functions.
   *
   * @return the function of a name
   * @throws ScriptException if it is not valid, fails, or has no such function
   */
  Function run(String function) {
    return guarded(() -> {
      context.evaluateString(scope, errors.text(), errors.source(), 1, null);
      if (ScriptableObject.getProperty(scope, function) instanceof Function found) {
        return found;
      }
      throw new ScriptException(
          "script has no function of this name: file=%s function=%s"
              .formatted(errors.file(), function));
    });
  }

  /**
   * Calls a function for an event.
   *
   * @param arguments the first of them {@link #event}
   */
  Object call(Function function, EventFacts facts, Object[] arguments) {
    event.set(facts);
    try {
      return function.call(context, scope, scope, arguments);
    } catch (RhinoException | Sandbox.LimitError | StackOverflowError | OutOfMemoryError e) {
      throw errors.of(e, event);
    }
  }

  private interface Work<T> {
    T run();
  }

  private <T> T guarded(Work<T> work) {
    try {
      return work.run();
    } catch (RhinoException | Sandbox.LimitError | StackOverflowError | OutOfMemoryError e) {
      throw errors.of(e, event);
    }
  }

  EventObject event() {
    return event;
  }

  Scriptable newObject() {
    return context.newObject(scope);
  }

  /** Whether it may ask where in the program events are. */
  boolean asksForPlaces() {
    return places;
  }

  @Override
  public void close() {
    watch.close();
    Context.exit();
  }
}
