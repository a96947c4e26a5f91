package dev.kymo.importers.otf2;

import dev.kymo.importers.otf2.archive.ArchiveDefinitions;
import dev.kymo.importers.otf2.archive.Defined;
import dev.kymo.importers.otf2.archive.Defined.Comm;
import dev.kymo.importers.otf2.archive.Defined.Group;
import dev.kymo.importers.otf2.archive.Defined.Location;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Identities of the members of communicators, so that both ends of a message have the same key. A
 * member is a location; threads of its process send and receive in its name.
 */
final class Members {
  /** Who it is, is not known. */
  private static final long UNKNOWN = -1;

  private static final int LOCATIONS = 1;
  private static final int OF_PARADIGM = 4;
  private static final int OF_COMMUNICATOR = 5;
  private static final int SELF = 6;
  private static final int ARE_LOCATIONS = 1;
  private static final long PRIME = 0x100000001b3L;

  private final ArchiveDefinitions definitions;
  private final Map<Integer, Communicator> communicators = new HashMap<>();
  private final Map<Integer, Side> sides = new HashMap<>();

  /**
   * A communicator; {@code others} are whom messages go to, the same ones unless it has two groups.
   */
  private record Communicator(Side own, Side others, boolean isSelf) {}

  /** Locations by rank, and by the location group that they are in. */
  private static final class Side {
    private final long[] locations;
    private final Set<Long> all = new HashSet<>();
    private final Map<Integer, Long> byGroup = new HashMap<>();

    Side(long[] locations, ArchiveDefinitions definitions) {
      this.locations = locations;
      for (long id : locations) {
        all.add(id);
        Location location = definitions.location(id);
        if (location != null) {
          byGroup.putIfAbsent(location.group(), id);
        }
      }
    }

    long rank(long rank) {
      return rank >= 0 && rank < locations.length ? locations[(int) rank] : UNKNOWN;
    }

    long member(Location location) {
      return all.contains(location.id())
          ? location.id()
          : byGroup.getOrDefault(location.group(), UNKNOWN);
    }
  }

  Members(ArchiveDefinitions definitions) {
    this.definitions = definitions;
  }

  /**
   * Key of a message: the same one at its other end.
   *
   * @param location that sends or receives
   * @param rank of the other end in the communicator
   * @return 0 if it is not known who the other end is
   */
  long key(int comm, Location location, long rank, long tag, boolean sends) {
    Communicator known = communicators.computeIfAbsent(comm, this::communicator);
    long self = known.own.member(location);
    long other = known.others.rank(rank);
    if (known.isSelf) {
      self = location.group();
      other = self;
    } else if (known.own != known.others && self == UNKNOWN) { // it is in the second group
      self = known.others.member(location);
      other = known.own.rank(rank);
    }
    if (self == UNKNOWN || other == UNKNOWN) {
      return 0;
    }
    long key = mix(mix(comm, sends ? self : other), sends ? other : self);
    return mix(key, tag) | 1;
  }

  private static long mix(long key, long more) {
    long mixed = (key ^ more) * PRIME;
    return mixed ^ mixed >>> 29;
  }

  private Communicator communicator(int id) {
    Comm comm = definitions.comm(id);
    if (comm == null) {
      return new Communicator(side(Defined.NONE), side(Defined.NONE), false);
    }
    Group group = definitions.group(comm.group());
    Side own = side(comm.group());
    return new Communicator(
        own,
        definitions.group(comm.other()) == null ? own : side(comm.other()),
        group != null && group.type() == SELF);
  }

  private Side side(int group) {
    return sides.computeIfAbsent(
        group, id -> new Side(locations(definitions.group(id)), definitions));
  }

  private long[] locations(@Nullable Group group) {
    if (group == null) {
      return new long[0];
    }
    boolean direct = group.type() == LOCATIONS || group.type() == OF_PARADIGM;
    if (direct || (group.flags() & ARE_LOCATIONS) != 0) {
      return group.members();
    }
    if (group.type() != OF_COMMUNICATOR) {
      return new long[0];
    }
    for (Group all : definitions.groups()) {
      if (all.type() == OF_PARADIGM && all.paradigm() == group.paradigm()) {
        return chosen(group.members(), all.members());
      }
    }
    return new long[0];
  }

  private static long[] chosen(long[] places, long[] all) {
    long[] chosen = new long[places.length];
    for (int i = 0; i < places.length; i++) {
      chosen[i] = places[i] >= 0 && places[i] < all.length ? all[(int) places[i]] : UNKNOWN;
    }
    return chosen;
  }
}
