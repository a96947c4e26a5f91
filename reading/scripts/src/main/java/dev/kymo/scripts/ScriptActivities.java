package dev.kymo.scripts;

import dev.kymo.analysis.activity.ActivityRule;
import dev.kymo.analysis.activity.OpenActivities;
import dev.kymo.analysis.filter.EventFacts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.BaseFunction;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Undefined;

/**
 * Activities that a script's {@code function activity(event, state)} begins, continues and ends by
 * calling {@code begin(key, name)}, {@code step(key)} and {@code end(key, name)}. Used by the
 * thread that opened it, and closed by it.
 */
public final class ScriptActivities implements ActivityRule, AutoCloseable {
  private final Script script;
  private final Function activity;
  private final Object[] arguments;
  private @Nullable EventFacts now;
  private @Nullable OpenActivities open;

  private interface Deed {
    void run(OpenActivities open, EventFacts event, String key, @Nullable String name);
  }

  /** What a script calls to do something for an activity. */
  private final class HostFunction extends BaseFunction {
    private static final long serialVersionUID = 1;

    private final transient Deed deed;
    private final String name;

    HostFunction(String name, Deed deed) {
      this.name = name;
      this.deed = deed;
    }

    @Override
    public String getFunctionName() {
      return name;
    }

    @Override
    public Object call(Context context, Scriptable scope, Scriptable of, Object[] values) {
      OpenActivities all = open;
      EventFacts event = now;
      if (all == null || event == null) {
        throw ScriptRuntime.typeError(name + "() can be called by activity(event, state) only");
      }
      if (values.length == 0 || Undefined.isUndefined(values[0])) {
        throw ScriptRuntime.typeError(name + "(key) needs a key that is not undefined");
      }
      boolean named = values.length > 1 && !Undefined.isUndefined(values[1]);
      deed.run(all, event, Context.toString(values[0]), named ? Context.toString(values[1]) : null);
      return Undefined.instance;
    }
  }

  private ScriptActivities(Script script) {
    this.script = script;
    script.define("begin", new HostFunction("begin", ScriptActivities::begin));
    script.define(
        "step", new HostFunction("step", (all, event, key, name) -> all.step(key, event)));
    script.define(
        "end", new HostFunction("end", (all, event, key, name) -> all.end(key, name, event)));
    this.activity = script.run("activity");
    this.arguments = new Object[] {script.event(), script.newObject()};
  }

  private static void begin(
      OpenActivities all, EventFacts event, String key, @Nullable String name) {
    all.begin(key, name == null ? "activity" : name, event);
  }

  /**
   * Reads a script.
   *
   * @param stuck takes, in another thread, what to say of a call that neither ends nor can be ended
   * @throws ScriptException if it cannot be used
   * @throws IOException if the file cannot be read
   */
  public static ScriptActivities open(Path path, Consumer<ScriptException> stuck)
      throws IOException {
    Script script = Script.read(path, stuck);
    try {
      return new ScriptActivities(script);
    } catch (RuntimeException e) {
      script.close();
      throw e;
    }
  }

  @Override
  public boolean asksForPlaces() {
    return script.asksForPlaces();
  }

  /**
   * {@inheritDoc}
   *
   * @throws ScriptException if the script fails, takes too long or too much memory
   */
  @Override
  public void event(EventFacts event, OpenActivities all) {
    now = event;
    open = all;
    script.call(activity, event, arguments);
    open = null;
  }

  @Override
  public void close() {
    script.close();
  }
}
