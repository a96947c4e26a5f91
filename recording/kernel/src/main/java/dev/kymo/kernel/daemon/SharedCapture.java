package dev.kymo.kernel.daemon;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.kernel.KernelCapture;
import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.KernelSink;
import dev.kymo.kernel.Service;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A capture for all clients of one clock: an event is on in the kernel exactly as long as one of
 * them needs it. Used by one thread.
 */
final class SharedCapture implements AutoCloseable {
  private final KernelCapture capture;
  private final LongSupplier clock;
  private final LongSupplier limit;
  private final Consumer<String> log;
  private final int[] ownThreads;
  private final KernelSink sink = new Sink();

  /** How many clients need an event. */
  private final Map<String, Integer> users = new HashMap<>();

  private final List<Subscription> ofRoot = new ArrayList<>();
  private final List<Subscription> ofUsers = new ArrayList<>();
  private boolean[] syscalls = {};
  private @Nullable Visibility visibility;
  private long upTo;

  /** Clients of one user or of many; each gets what belongs to its user. */
  private final Visibility.Receiver receiver =
      new Visibility.Receiver() {
        @Override
        public void event(
            Owners owners, int cpu, long when, int event, byte[] bytes, int at, int size) {
          for (Subscription subscription : ofUsers) {
            subscription.event(owners, cpu, when, event, bytes, at, size);
          }
        }

        @Override
        public void hidden(int cpu, long when, int tid, long owner) {
          for (Subscription subscription : ofUsers) {
            if (subscription.client.owner == owner) {
              subscription.hidden(cpu, when, tid);
            }
          }
        }

        @Override
        public void withheld(long owner, boolean certain) {
          for (Subscription subscription : ofUsers) {
            if (subscription.client.owner == owner) {
              subscription.withheld(certain);
            }
          }
        }

        @Override
        public void lost(int cpu, long from, long to, long count) {
          for (Subscription subscription : ofUsers) {
            subscription.lost(cpu, from, to, count);
          }
        }
      };

  private final class Sink implements KernelSink {
    @Override
    public void event(int cpu, long when, int event, byte[] bytes, int offset, int size) {
      if (syscalls[event] && isOwn(Bytes.i32(bytes, offset + Rule.TID))) {
        return; // otherwise sending causes more to send
      }
      for (Subscription subscription : ofRoot) {
        subscription.event(cpu, when, event, bytes, offset, size);
      }
      if (visibility != null) {
        visibility.event(cpu, when, event, bytes, offset, size);
      }
    }

    @Override
    public void lost(int cpu, long from, long to, long count) {
      ofRoot.forEach(subscription -> subscription.lost(cpu, from, to, count));
      if (visibility != null) {
        visibility.lost(cpu, from, to, count);
      }
    }

    @Override
    public void upTo(long when) {
      upTo = when;
    }
  }

  /**
   * Opens a capture, with nothing on.
   *
   * @param limit bytes that may wait for one client
   * @param ownThreads the daemon's, whose events are left out
   */
  SharedCapture(
      Registration first,
      boolean root,
      LongSupplier clock,
      LongSupplier limit,
      Set<Integer> ownThreads,
      Consumer<String> log)
      throws KernelException {
    this.clock = clock;
    this.limit = limit;
    this.log = log;
    this.ownThreads = ownThreads.stream().mapToInt(Integer::intValue).toArray();
    int buffer = KernelMemory.bufferKb(first.bufferKb, root);
    capture = KernelCapture.open(Set.of(), first.clock, clock, buffer, log);
    try {
      capture.start();
    } catch (KernelException e) {
      try (capture) {
        throw e;
      }
    }
  }

  private boolean isOwn(int tid) {
    for (int own : ownThreads) {
      if (own == tid) {
        return true;
      }
    }
    return visibility != null && visibility.isOwn(tid);
  }

  void start(Client client, Registration registration, Set<String> events) throws KernelException {
    Subscription subscription = find(client);
    boolean isNew = subscription == null;
    if (subscription == null) {
      subscription = new Subscription(client, registration, limit);
    } else if (subscription.isStopping()) {
      throw new KernelException("STOP is not over yet; wait for its answer");
    }
    Set<String> more = new HashSet<>(events);
    more.addAll(Service.ALWAYS);
    if (!subscription.isForRoot() && more.stream().anyMatch(Meaning::needsHardening)) {
      more.add(Meaning.HARDENING);
    }
    more.removeAll(subscription.on);
    Set<String> needed = new HashSet<>(more);
    needed.removeIf(users::containsKey);
    capture.enable(needed); // what fails here is on for nobody: the next client turns it off
    more.forEach(event -> users.merge(event, 1, Integer::sum));
    (subscription.isForRoot() ? ofRoot : ofUsers).remove(subscription);
    (subscription.isForRoot() ? ofRoot : ofUsers).add(subscription);
    if (!subscription.isForRoot() && visibility == null) {
      visibility = new Visibility(clock, receiver);
      if (!visibility.seesShortPrograms()) {
        log.accept(
            "the kernel's process connector is not there: users other than root do not see programs"
                + " that end within a tenth of a second");
      }
    }
    subscription.start(more, isNew ? clock.getAsLong() : 0);
    formats();
  }

  /** Updates every client's numbers to what is on. */
  private void formats() {
    List<KernelEventFormat> formats = capture.formats();
    ofRoot.forEach(subscription -> subscription.formats(formats));
    ofUsers.forEach(subscription -> subscription.formats(formats));
    if (visibility != null) {
      visibility.formats(formats);
    }
    boolean[] system = new boolean[formats.size()];
    for (int i = 0; i < system.length; i++) {
      system[i] = formats.get(i).subsystem().equals("syscalls");
    }
    syscalls = system;
  }

  private @Nullable Subscription find(Client client) {
    for (Subscription subscription : client.uid == 0 ? ofRoot : ofUsers) {
      if (subscription.client == client) {
        return subscription;
      }
    }
    return null;
  }

  /**
   * Turns events off for a client; the answer follows after the last of them.
   *
   * @return false if the client has nothing on
   */
  boolean stop(Client client, Set<String> events) throws KernelException {
    Subscription subscription = find(client);
    if (subscription == null) {
      return false;
    }
    if (subscription.isStopping()) {
      throw new KernelException("STOP is not over yet; wait for its answer");
    }
    Set<String> off = new HashSet<>(subscription.on);
    off.retainAll(events);
    Set<String> left = new HashSet<>(subscription.on);
    left.removeAll(off);
    if (left.stream().allMatch(subscription::isCompany)) {
      off.addAll(left);
    } else {
      off.removeAll(Service.ALWAYS);
      if (!subscription.isForRoot() && left.stream().anyMatch(Meaning::needsHardening)) {
        off.remove(Meaning.HARDENING); // whatever was asked: it is on for other clients
      }
    }
    release(off);
    subscription.stop(off, clock.getAsLong());
    return true;
  }

  private void release(Set<String> events) throws KernelException {
    Set<String> unused = new HashSet<>();
    for (String event : events) {
      if (users.merge(event, -1, Integer::sum) == 0) {
        users.remove(event);
        unused.add(event);
      }
    }
    if (!users.isEmpty()) { // otherwise everything is removed
      capture.disable(unused);
    }
  }

  void gone(Client client) throws KernelException {
    Subscription subscription = find(client);
    if (subscription != null) {
      ofRoot.remove(subscription);
      ofUsers.remove(subscription);
      if (!subscription.isStopping()) {
        release(subscription.on);
      } else {
        Set<String> on = new HashSet<>(subscription.on);
        on.removeAll(subscription.stopping());
        release(on);
      }
      endVisibility();
    }
  }

  private void endVisibility() {
    if (visibility != null && ofUsers.isEmpty()) {
      visibility.close();
      visibility = null;
    }
  }

  boolean isUnused() {
    return users.isEmpty();
  }

  /** Gives everybody the events that have come; waits for them up to about a tenth of a second. */
  void round() throws IOException {
    capture.round(sink);
    give(upTo, false);
  }

  /** Gives the last clients what is left, and answers them when nothing is left in the kernel. */
  void finish() throws IOException {
    try (this) {
      capture.finish(sink);
      give(Long.MAX_VALUE, true);
    } finally {
      ofRoot.forEach(subscription -> subscription.answerStops(Long.MAX_VALUE));
      ofUsers.forEach(subscription -> subscription.answerStops(Long.MAX_VALUE));
    }
  }

  private void give(long clock, boolean last) {
    ofRoot.forEach(subscription -> subscription.upTo(clock));
    long certain = clock;
    if (visibility != null) {
      if (last) {
        visibility.finish();
      } else {
        certain = visibility.upTo(clock);
      }
      for (Subscription subscription : ofUsers) {
        subscription.upTo(certain);
      }
    }
    if (!last) {
      answerStops(ofRoot, clock);
      answerStops(ofUsers, certain);
      endVisibility();
    }
  }

  private static void answerStops(List<Subscription> subscriptions, long clock) {
    subscriptions.forEach(subscription -> subscription.answerStops(clock));
    subscriptions.removeIf(subscription -> subscription.on.isEmpty());
  }

  List<Client> clients() {
    List<Client> clients = new ArrayList<>();
    ofRoot.forEach(subscription -> clients.add(subscription.client));
    ofUsers.forEach(subscription -> clients.add(subscription.client));
    return clients;
  }

  @Override
  public void close() throws KernelException {
    if (visibility != null) {
      visibility.close();
    }
    capture.close();
  }
}
