package dev.kymo.kernel;

import dev.kymo.format.KernelEventFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Finds an event's place in the list of formats by the kernel's number. Immutable: one thread may
 * add while another delivers.
 */
final class EventTable {
  static final EventTable EMPTY = new EventTable(List.of());

  private final List<KernelEventFormat> formats;
  private final short[] index;
  private final int[] sizes;

  private EventTable(List<KernelEventFormat> formats) {
    this.formats = List.copyOf(formats);
    int largest = formats.stream().mapToInt(KernelEventFormat::kernelId).max().orElse(0);
    this.index = new short[largest + 1];
    this.sizes = new int[formats.size()];
    Arrays.fill(index, (short) -1);
    for (int i = 0; i < formats.size(); i++) {
      index[formats.get(i).kernelId()] = (short) i;
      sizes[i] = formats.get(i).fixedSize();
    }
  }

  List<KernelEventFormat> formats() {
    return formats;
  }

  /** A table with these events after those that it has; each event is there once. */
  EventTable with(Collection<KernelEventFormat> more) {
    List<KernelEventFormat> all = new ArrayList<>(formats);
    for (KernelEventFormat format : more) {
      if (indexOf(format.kernelId()) < 0) {
        all.add(format);
      }
    }
    return new EventTable(all);
  }

  /** Place of the event with this number of the kernel's; -1 if it has no place. */
  int indexOf(int kernelId) {
    return kernelId < index.length ? index[kernelId] : -1;
  }

  /** Minimum size in bytes of an event at this place. */
  int smallest(int place) {
    return sizes[place];
  }
}
