package dev.kymo.analysis.locks;

import dev.kymo.format.EventFields;
import dev.kymo.format.FieldType;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one kind of event of a thread library means, and where in its data the facts are.
 *
 * @param shared whether others may have it at the same time
 */
record LockEvent(Deed deed, LockKind kind, boolean shared, TracedEvent event, Places places) {
  private static final String SUBSYSTEM = "pthread";

  /** Where in the data a field begins; -1 = there is none. */
  record Places(int object, int caller, int result, int waited, int mutex) {
    static Places of(EventFields fields) {
      return new Places(
          place(fields, "object", Long.BYTES),
          place(fields, "caller", Long.BYTES),
          place(fields, "result", Integer.BYTES),
          place(fields, "waited", Long.BYTES),
          place(fields, "mutex", Long.BYTES));
    }

    /** Fields after a text have no fixed place. */
    private static int place(EventFields fields, String name, int wanted) {
      int at = 0;
      for (EventFields.Field field : fields.list()) {
        int size = size(field.type());
        if (size == 0) {
          return -1;
        }
        if (size == wanted && field.name().equals(name)) {
          return at;
        }
        at += size;
      }
      return -1;
    }

    private static int size(FieldType type) {
      return switch (type) {
        case U8, I8, BOOL -> 1;
        case U16, I16 -> 2;
        case U32, I32, F32 -> 4;
        case U64, I64, F64 -> 8;
        case STR, BYTES -> 0;
      };
    }
  }

  /** What a thread does with an object. */
  enum Deed {
    /** Gets it, and waits for it if need be. */
    ACQUIRE,
    /** Gets it if that is possible at once. */
    TRY,
    RELEASE,
    /** Begins to wait for a condition, and lets go of its mutex. */
    SUSPEND,
    /** Has waited for a condition, and has its mutex again. */
    WOKEN,
    SIGNAL,
    NAME
  }

  private record Meaning(Deed deed, LockKind kind, boolean shared) {}

  private static final Map<String, Meaning> MEANINGS = meanings();

  private static Map<String, Meaning> meanings() {
    Map<String, Meaning> all = new HashMap<>();
    acquire(all, LockKind.MUTEX, false, "mutex_lock", "mutex_timedlock", "mutex_clocklock");
    acquire(
        all, LockKind.RWLOCK, true, "rwlock_rdlock", "rwlock_timedrdlock", "rwlock_clockrdlock");
    acquire(
        all, LockKind.RWLOCK, false, "rwlock_wrlock", "rwlock_timedwrlock", "rwlock_clockwrlock");
    acquire(all, LockKind.SPINLOCK, false, "spin_lock");
    acquire(all, LockKind.SEMAPHORE, false, "sem_wait", "sem_timedwait", "sem_clockwait");
    acquire(all, LockKind.BARRIER, false, "barrier_wait");
    put(all, Deed.TRY, LockKind.MUTEX, "mutex_trylock", "mutex_unlock");
    put(all, Deed.TRY, LockKind.RWLOCK, "rwlock_trywrlock", "rwlock_unlock");
    put(all, Deed.TRY, LockKind.SPINLOCK, "spin_trylock", "spin_unlock");
    put(all, Deed.TRY, LockKind.SEMAPHORE, "sem_trywait", "sem_post");
    all.put("rwlock_tryrdlock", new Meaning(Deed.TRY, LockKind.RWLOCK, true));
    put(all, Deed.SIGNAL, LockKind.CONDITION, "cond_signal", "");
    put(all, Deed.SIGNAL, LockKind.CONDITION, "cond_broadcast", "");
    for (String wait : List.of("cond_wait", "cond_timedwait", "cond_clockwait")) {
      put(all, Deed.SUSPEND, LockKind.CONDITION, wait, "");
    }
    put(all, Deed.WOKEN, LockKind.CONDITION, "cond_woken", "");
    put(all, Deed.NAME, LockKind.MUTEX, "name", "");
    return all;
  }

  private static void acquire(
      Map<String, Meaning> to, LockKind kind, boolean shared, String... names) {
    for (String name : names) {
      to.put(name, new Meaning(Deed.ACQUIRE, kind, shared));
    }
  }

  private static void put(
      Map<String, Meaning> to, Deed deed, LockKind kind, String name, String release) {
    to.put(name, new Meaning(deed, kind, false));
    if (!release.isEmpty()) {
      to.put(release, new Meaning(Deed.RELEASE, kind, false));
    }
  }

  /** By their numbers in the recording, the kinds of events about locks. */
  static @Nullable LockEvent[] of(RecordedDefinitions definitions) {
    int most = definitions.events().stream().mapToInt(TracedEvent::number).max().orElse(-1);
    @Nullable LockEvent[] all = new LockEvent[most + 1];
    for (TracedEvent event : definitions.events()) {
      all[event.number()] = of(event);
    }
    return all;
  }

  private static @Nullable LockEvent of(TracedEvent event) {
    Meaning meaning = MEANINGS.get(event.definition().name());
    if (meaning == null || !event.subsystem().name().equals(SUBSYSTEM)) {
      return null;
    }
    Places places = Places.of(event.fields());
    return places.object < 0
        ? null
        : new LockEvent(meaning.deed, meaning.kind, meaning.shared, event, places);
  }
}
