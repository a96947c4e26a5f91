package dev.kymo.importers.otf2.archive;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names of an enumeration's numbers, or of bits. */
public final class Labels {
  /** Sets of names; bits have names that begin with {@code |}. */
  private static final Map<String, Labels> ALL = new HashMap<>();

  static {
    add("measurement", 8, "? on off");
    add(
        "collective",
        8,
        "barrier bcast gather gatherv scatter scatterv allgather allgatherv alltoall alltoallv"
            + " alltoallw allreduce reduce reduce_scatter scan exscan reduce_scatter_block"
            + " create_handle destroy_handle allocate deallocate create_handle_and_allocate"
            + " destroy_handle_and_deallocate");
    add("lock", 8, "exclusive shared");
    add("sync", 8, "memory notify_in notify_out");
    add(
        "atomic",
        8,
        "accumulate increment test_and_set compare_and_swap swap fetch_and_add"
            + " fetch_and_increment fetch_and_accumulate");
    add("access", 8, "read_only write_only read_write execute_only search_only");
    add("whence", 8, "from_start from_current from_end data hole");
    add("operation", 8, "read write flush");
    add("sync_level", 32, "|process|memory");
    add("operation_flags", 32, "|non_blocking|collective");
    add(
        "creation",
        32,
        "|create|truncate|directory|exclusive|no_controlling_terminal|no_follow|path"
            + "|temporary_file|largefile|no_seek|unique");
    add(
        "status",
        32,
        "|close_on_exec|append|non_blocking|async|sync|data_sync|avoid_caching|no_access_time"
            + "|delete_on_close");
  }

  private final List<String> names;
  private final boolean bits;
  private final int size;

  private Labels(List<String> names, boolean bits, int size) {
    this.names = names;
    this.bits = bits;
    this.size = size;
  }

  private static void add(String name, int size, String text) {
    boolean bits = text.startsWith("|");
    List<String> names = List.of(bits ? text.substring(1).split("\\|") : text.split(" "));
    ALL.put(name, new Labels(names, bits, size));
  }

  static @Nullable Labels named(String name) {
    return ALL.get(name);
  }

  /** Whether events have its numbers in one byte. */
  boolean isByte() {
    return size == Byte.SIZE;
  }

  /** What a number is called; flags have {@code +} between them. */
  public String text(long number) {
    if (!bits) {
      return number >= 0 && number < names.size()
          ? names.get((int) number)
          : String.valueOf(number);
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Integer.SIZE; i++) {
      if ((number >>> i & 1) != 0) {
        text.append(text.isEmpty() ? "" : "+").append(i < names.size() ? names.get(i) : "bit " + i);
      }
    }
    return text.isEmpty() ? "none" : text.toString();
  }
}
