package dev.kymo.analysis.locks;

import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.EventBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Knows who has which lock, while the events of all threads come in the order of time. What does
 * not fit is believed as little as possible: who gets a lock has it, whoever had it before.
 */
final class LockTracker implements CallSink {
  private static final int RECENT = 1 << 12;

  private final LockListener listener;
  private final @Nullable LockEvent[] events;
  private final LockCall call = new LockCall();
  private final Map<Key, LockObject> byAddress = new HashMap<>();
  private final List<LockObject> objects = new ArrayList<>();

  /** Some of them, by their addresses: those in use are asked for again and again. */
  private final @Nullable LockObject[] recent = new LockObject[RECENT];

  private final Map<Named, String> names = new HashMap<>();
  private final List<@Nullable HeldLocks> threads = new ArrayList<>();

  private record Key(int process, LockKind kind, long address) {}

  private record Named(int process, long address) {}

  LockTracker(RecordedDefinitions definitions, LockListener listener) {
    this.events = LockEvent.of(definitions);
    this.listener = listener;
  }

  /** Whether any event about locks is defined. */
  boolean hasEvents() {
    for (LockEvent event : events) {
      if (event != null) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void call(CallCursor call) {}

  @Override
  public void event(ThreadCalls thread, int number, long clock, EventBatch batch, int word) {
    LockEvent event = number < events.length ? events[number] : null;
    if (event == null || !call.read(event, clock, batch, word)) {
      return;
    }
    if (event.deed() == LockEvent.Deed.NAME) {
      names.put(new Named(thread.process(), call.object), LockCall.name(event, batch, word));
    } else {
      take(event, held(thread), object(thread.process(), event.kind(), call.object));
    }
  }

  private void take(LockEvent event, HeldLocks thread, LockObject object) {
    switch (event.deed()) {
      case ACQUIRE, TRY -> acquire(thread, object, call.acquired(object.kind), call.waited);
      case RELEASE -> {
        if (call.result == 0) {
          release(thread, object);
        }
      }
      case SUSPEND -> release(thread, mutex(thread));
      case WOKEN -> {
        listener.taken(thread, object, call, call.acquired(object.kind), call.waited);
        acquire(thread, mutex(thread), true, 0);
      }
      case SIGNAL -> object.letGo(thread, call.clock);
      case NAME -> {} // of no interest before the end
    }
  }

  private LockObject mutex(HeldLocks thread) {
    return object(thread.thread.process(), LockKind.MUTEX, call.mutex);
  }

  private void acquire(HeldLocks thread, LockObject object, boolean acquired, long waited) {
    HeldLocks.Hold hold = object.kind.isHeld() ? thread.find(object) : null;
    if (hold == null && !call.tries && object.kind.isOwned() && thread.signature().length > 0) {
      listener.nested(thread, object, call);
    }
    listener.taken(thread, object, call, acquired, waited);
    if (!acquired || !object.kind.isHeld()) {
      return;
    }
    if (object.kind.isOwned()) {
      takeOver(thread, object);
    }
    if (hold == null) {
      thread.add(object, call.shared, call.clock, call.caller);
    } else if (object.kind.isOwned()) {
      hold.times++;
    } else {
      hold.since = call.clock; // it was given to others by others
    }
  }

  /**
   * No other thread has what a thread has alone, even if its release is reported later or never.
   */
  private void takeOver(HeldLocks thread, LockObject object) {
    HeldLocks before = object.owner;
    object.wasDisplaced(thread);
    if (before != null && before != thread) {
      object.displace(before);
      end(before, object);
    }
    object.owner = call.shared ? null : thread;
  }

  private void release(HeldLocks thread, LockObject object) {
    object.letGo(thread, call.clock);
    HeldLocks.Hold hold = thread.find(object);
    HeldLocks owner = object.owner;
    if (hold != null && --hold.times == 0) {
      end(thread, object);
    } else if (hold == null && !object.wasDisplaced(thread) && owner != null) {
      end(owner, object); // one thread may give back what another one has got
    }
  }

  private void end(HeldLocks thread, LockObject object) {
    HeldLocks.Hold hold = thread.find(object);
    if (object.owner == thread) {
      object.owner = null;
    }
    if (hold != null) {
      listener.released(thread, hold, call.clock);
      thread.remove(hold);
    }
  }

  /** What a thread has is not known any more. */
  @Override
  public void gap(ThreadCalls thread, long from, long to, long lost) {
    HeldLocks held = held(thread);
    for (HeldLocks.Hold hold : List.copyOf(held.all())) {
      LockObject object = hold.object();
      if (object.owner == held) {
        object.owner = null;
      }
      held.remove(hold);
    }
  }

  /** No more events come: names are known. */
  void finish() {
    for (LockObject object : objects) {
      object.name = names.getOrDefault(new Named(object.process, object.address), object.name);
    }
  }

  /** Hands out what threads have now, and nobody else can have. */
  void forEachHold(BiConsumer<HeldLocks, HeldLocks.Hold> sink) {
    for (HeldLocks thread : threads) {
      if (thread != null) {
        thread.all().stream()
            .filter(hold -> hold.object().kind.isOwned())
            .forEach(hold -> sink.accept(thread, hold));
      }
    }
  }

  HeldLocks held(ThreadCalls thread) {
    while (threads.size() <= thread.index()) {
      threads.add(null);
    }
    HeldLocks held = threads.get(thread.index());
    if (held == null) {
      held = new HeldLocks(thread);
      threads.set(thread.index(), held);
    }
    return held;
  }

  LockObject object(int process, LockKind kind, long address) {
    int place = Long.hashCode(address * 0x9E3779B97F4A7C15L) & (RECENT - 1);
    LockObject last = recent[place];
    if (last != null && last.address == address && last.kind == kind && last.process == process) {
      return last;
    }
    LockObject found =
        byAddress.computeIfAbsent(
            new Key(process, kind, address),
            key -> {
              LockObject object = new LockObject(objects.size(), process, kind, address);
              objects.add(object);
              return object;
            });
    recent[place] = found;
    return found;
  }

  /** All objects, in the order in which they were met. */
  List<LockObject> objects() {
    return objects;
  }

  /** Who has an object alone or, if that is shared, has had it for longest; null = nobody. */
  @Nullable HeldLocks holder(LockObject object) {
    if (object.owner != null) {
      return object.owner;
    }
    HeldLocks first = null;
    long since = Long.MAX_VALUE;
    for (HeldLocks thread : threads) {
      HeldLocks.Hold hold = thread == null ? null : thread.find(object);
      if (hold != null && hold.since < since) {
        first = thread;
        since = hold.since;
      }
    }
    return first;
  }
}
