package dev.kymo.analysis.locks;

import dev.kymo.model.calls.ThreadCalls;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An object that threads wait for, while a recording is read: who has it now. */
final class LockObject {
  /** Its position among all, in the order in which they were met. */
  final int index;

  final int process;
  final LockKind kind;

  /** Of what only waits are known, its identity. */
  final long address;

  final LockSums sums = new LockSums();

  /** Of use only if it is one. */
  final Barrier barrier = new Barrier();

  /** What it is called; empty = nothing is known. */
  String name = "";

  /** Who has it alone. */
  @Nullable HeldLocks owner;

  /** Who gave it back last, posted it, or signalled it. */
  @Nullable ThreadCalls releaser;

  long released;
  private Set<HeldLocks> displaced = Set.of();

  LockObject(int index, int process, LockKind kind, long address) {
    this.index = index;
    this.process = process;
    this.kind = kind;
    this.address = address;
  }

  /** Somebody else has got it, although nobody has seen this thread give it back. */
  void displace(HeldLocks thread) {
    if (displaced.isEmpty()) {
      displaced = new HashSet<>();
    }
    displaced.add(thread);
  }

  /** Whether somebody else got it from this thread; asked for once. */
  boolean wasDisplaced(HeldLocks thread) {
    return !displaced.isEmpty() && displaced.remove(thread);
  }

  void letGo(HeldLocks by, long clock) {
    releaser = by.thread;
    released = clock;
  }

  /** Kind and name; without a name its address. */
  String label() {
    return label(kind, name, address);
  }

  static String label(LockKind kind, String name, long address) {
    return kind.word() + ' ' + (name.isEmpty() ? "0x" + Long.toHexString(address) : name);
  }
}
