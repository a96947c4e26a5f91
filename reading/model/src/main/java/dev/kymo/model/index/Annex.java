package dev.kymo.model.index;

import org.jspecify.annotations.Nullable;

/**
 * Room at an index for what was made of the whole recording: one object in memory, and its bytes in
 * a file of the index, which is deleted with it. Safe for use by several threads.
 */
public final class Annex {
  /** Where the bytes lie. */
  interface Store {
    byte @Nullable [] read();

    void write(byte[] bytes);
  }

  private final @Nullable Store store;
  private volatile @Nullable Object thing;

  Annex(@Nullable Store store) {
    this.store = store;
  }

  public static Annex inMemory() {
    return new Annex(null);
  }

  /** The object, if it is of this kind. */
  public <T> @Nullable T get(Class<T> kind) {
    Object present = thing;
    return kind.isInstance(present) ? kind.cast(present) : null;
  }

  public void put(Object made) {
    thing = made;
  }

  /** The bytes that were kept; null if there are none. Who reads them must not trust them. */
  public byte @Nullable [] kept() {
    return store == null ? null : store.read();
  }

  /** Keeps bytes, if the index is in the recording and can be written to. */
  public void keep(byte[] bytes) {
    if (store != null) {
      store.write(bytes);
    }
  }
}
