package dev.kymo.recorder.messages;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the program's objects, as long as the program has them. Their own {@code equals}
 * and {@code hashCode} are not called. Used by many threads.
 */
final class WeakObjects<V> {
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

  void put(Object object, V value) {
    forgetGone();
    values.put(new Key(object, gone), value);
  }

  /** Keeps the value that an object has. */
  void putIfAbsent(Object object, V value) {
    forgetGone();
    values.putIfAbsent(new Key(object, gone), value);
  }

  private void forgetGone() {
    for (Reference<?> key = gone.poll(); key != null; key = gone.poll()) {
      values.remove(key);
    }
  }

  @Nullable V get(Object object) {
    return values.get(new Key(object, null));
  }

  @Nullable V remove(Object object) {
    return values.remove(new Key(object, null));
  }

  void clear() {
    values.clear();
  }
}
