package dev.kymo.recorder.ring;

import dev.kymo.format.Definition;

/**
 * The number and name of a ring's owner in the recording. Written under the registry's lock: by the
 * owner, because only it can see its kernel number; its number alone also by a virtual thread on
 * it; the name by the housekeeper. The number is read without the lock, and is 0 or the owner's.
 */
final class RingTrack {
  private volatile int number;
  private int tid;
  private String name = "";

  /** 0 = none yet. */
  int number() {
    return number;
  }

  /** Sets the number only: the rest follows. */
  void number(int ofOwner) {
    number = ofOwner;
  }

  /** Sets all, by the owner itself. */
  void define(int ofOwner, int kernelNumber, String ownerName) {
    tid = kernelNumber;
    name = ownerName;
    number = ofOwner;
  }

  /** The name that the recording knows; empty if the owner is not defined yet. */
  String name() {
    return name;
  }

  void name(String changed) {
    name = changed;
  }

  /** Clears everything for the next owner. */
  void clear() {
    number = 0;
    tid = 0;
  }

  Definition definition(Thread owner) {
    return new Definition.TracedThread(
        number, Definition.TracedThread.PLATFORM, owner.getId(), tid, name);
  }
}
