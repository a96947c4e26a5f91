package dev.kymo.kernel;

import dev.kymo.format.KernelEventFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * From the kernel's number of an event to its place in the list of formats. Immutable: one thread
 * may add while another delivers.
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

  /** With these behind those that it has; the same event is there once. */
  EventTable with(Collection<KernelEventFormat> more) {
    List<KernelEventFormat> all = new ArrayList<>(formats);
    for (KernelEventFormat format : more) {
      if (indexOf(format.kernelId()) < 0) {
        all.add(format);
      }
    }
    return new EventTable(all);
  }

  /** Place of the event with this number of the kernel's; -1 if it has none. */
  int indexOf(int kernelId) {
    return kernelId < index.length ? index[kernelId] : -1;
  }

  /** Bytes that an event of this place has at least. */
  int smallest(int place) {
    return sizes[place];
  }
}
