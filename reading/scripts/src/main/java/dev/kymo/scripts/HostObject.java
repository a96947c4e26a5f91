package dev.kymo.scripts;

import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;

/** An object of Kymo's in a script: it has properties that cannot be changed, and nothing else. */
abstract class HostObject implements Scriptable {
  private @Nullable Scriptable scope;

  /** The value of a property; {@link Scriptable#NOT_FOUND} if there is none. */
  abstract Object get(String name);

  @Override
  public final Object get(String name, Scriptable start) {
    return get(name);
  }

  @Override
  public final boolean has(String name, Scriptable start) {
    return !NOT_FOUND.equals(get(name));
  }

  @Override
  public final Object get(int index, Scriptable start) {
    return get(Integer.toString(index));
  }

  @Override
  public final boolean has(int index, Scriptable start) {
    return has(Integer.toString(index), start);
  }

  @Override
  public final void put(String name, Scriptable start, Object value) {
    throw ScriptRuntime.typeError("an event cannot be changed: property=" + name);
  }

  @Override
  public final void put(int index, Scriptable start, Object value) {
    put(Integer.toString(index), start, value);
  }

  @Override
  public final void delete(String name) {
    put(name, this, false);
  }

  @Override
  public final void delete(int index) {
    put(index, this, false);
  }

  @Override
  public final @Nullable Scriptable getPrototype() {
    return null;
  }

  @Override
  public final void setPrototype(Scriptable of) {
    put("prototype", this, of);
  }

  @Override
  public final @Nullable Scriptable getParentScope() {
    return scope;
  }

  @Override
  public final void setParentScope(Scriptable parent) {
    scope = parent;
  }

  @Override
  public final boolean hasInstance(Scriptable instance) {
    return false;
  }
}
