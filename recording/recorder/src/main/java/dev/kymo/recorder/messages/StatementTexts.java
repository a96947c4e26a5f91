package dev.kymo.recorder.messages;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The texts that objects were prepared with, as long as the program has the objects. Their own
 * {@code equals} and {@code hashCode} are not called. Used by many threads.
 */
final class StatementTexts {
  private final ConcurrentHashMap<Key, String> texts = new ConcurrentHashMap<>();
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

  void put(Object object, String text) {
    for (Reference<?> key = gone.poll(); key != null; key = gone.poll()) {
      texts.remove(key);
    }
    texts.put(new Key(object, gone), text);
  }

  @Nullable String get(Object object) {
    return texts.get(new Key(object, null));
  }

  @Nullable String remove(Object object) {
    return texts.remove(new Key(object, null));
  }

  void clear() {
    texts.clear();
  }
}
