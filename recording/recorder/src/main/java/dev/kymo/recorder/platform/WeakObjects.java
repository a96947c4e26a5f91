package dev.kymo.recorder.platform;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Values for the program's objects, as long as the program has them. Their own {@code equals} and
 * {@code hashCode} are not called. Used by many threads.
 */
public final class WeakObjects<V> {
  private final ConcurrentHashMap<Key, V> values = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> gone = new ReferenceQueue<>();

  /** An object, compared by its identity. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object object, @Nullable ReferenceQueue<Object> gone) {
      super(object, gone);
      hash = System.identityHashCode(object);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (this == other) {
        return true;
      }
      Object object = get();
      return object != null && other instanceof Key key && key.refersTo(object);
    }
  }

  public void put(Object object, V value) {
    forgetGone();
    values.put(new Key(object, gone), value);
  }

  public void putIfAbsent(Object object, V value) {
    forgetGone();
    values.putIfAbsent(new Key(object, gone), value);
  }

  public V getOrPut(Object object, Supplier<V> value) {
    V known = get(object);
    if (known != null) {
      return known;
    }
    forgetGone();
    return values.computeIfAbsent(new Key(object, gone), unused -> value.get());
  }

  /** All values; those that come or go meanwhile may be among them or not. */
  public Collection<V> values() {
    return values.values();
  }

  private void forgetGone() {
    for (Reference<?> key = gone.poll(); key != null; key = gone.poll()) {
      values.remove(key);
    }
  }

  public @Nullable V get(Object object) {
    return values.get(new Key(object, null));
  }

  public @Nullable V remove(Object object) {
    return values.remove(new Key(object, null));
  }

  public void clear() {
    values.clear();
  }
}
