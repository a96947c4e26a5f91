package dev.kymo.kernel;

/** Takes kernel events of all processors, merged in the order of their times. */
public interface KernelSink {
  /**
   * An event. Clocks never go back from one call to the next.
   *
   * @param cpu number of the processor
   * @param clock ticks of the recording's clock
   * @param event index into {@link KernelCapture#formats()}
   * @param bytes valid during the call only; {@code bytes[offset .. offset + size)} is the event as
   *     the kernel wrote it: u16 type, u8 flags, u8 preempt count, s32 thread, fields
   * @param size bytes, at least the format's {@code fixedSize()}
   */
  void event(int cpu, long clock, int event, byte[] bytes, int offset, int size);

  /**
   * Events of a processor are missing between these clocks.
   *
   * @param from clock of the last event before, or a later clock at which nothing was missing yet
   * @param count at least 1; where the kernel did not say how many, it is 1, and {@link
   *     KernelCapture#finish} delivers the rest
   */
  void lost(int cpu, long from, long to, long count);

  /** No event with a clock below this will come any more. It never goes back. */
  void upTo(long clock);
}
