package dev.kymo.scripts;

import dev.kymo.analysis.filter.EventFacts;
import dev.kymo.analysis.filter.EventTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;

/**
 * Chooses events by a script's {@code function accept(event)}. Used by the thread that opened it,
 * and closed by it.
 */
public final class ScriptFilter implements EventTest, AutoCloseable {
  private final Script script;
  private final Function accept;
  private final Object[] arguments;

  private ScriptFilter(Script script, Function accept) {
    this.script = script;
    this.accept = accept;
    this.arguments = new Object[] {script.event()};
  }

  /**
   * Reads a script.
   *
   * @param stuck takes, in another thread, what to say of a call that neither ends nor can be ended
   * @throws ScriptException if it cannot be used
   * @throws IOException if the file cannot be read
   */
  public static ScriptFilter open(Path path, Consumer<ScriptException> stuck) throws IOException {
    Script script = Script.read(path, stuck);
    try {
      return new ScriptFilter(script, script.run("accept"));
    } catch (RuntimeException e) {
      script.close();
      throw e;
    }
  }

  /** Whether the script may ask for {@link EventFacts#place}, which costs time with every event. */
  public boolean asksForPlaces() {
    return script.asksForPlaces();
  }

  /**
   * {@inheritDoc}
   *
   * @throws ScriptException if the script fails, takes too long or too much memory
   */
  @Override
  public boolean accept(EventFacts event) {
    Object answer = script.call(accept, event, arguments);
    return answer instanceof Boolean yes ? yes : Context.toBoolean(answer);
  }

  @Override
  public void close() {
    script.close();
  }
}
