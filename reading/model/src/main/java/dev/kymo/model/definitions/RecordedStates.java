package dev.kymo.model;

import dev.kymo.format.Definition;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What of the states within running a recording can have: where it has none of them, either none
 * happened, or nobody asked the kernel for them.
 *
 * @param interrupts what interrupts threads
 * @param faults page faults
 */
public record RecordedStates(boolean interrupts, boolean faults) {
  private static final Pattern INTERRUPT = Pattern.compile("(?:^|\\n)name:\\s*\\S+_entry\\b");
  private static final Pattern FAULT = Pattern.compile("(?:^|\\n)name:\\s*page_fault_");

  /** As the kinds of kernel events that the recording names, and its states, have it. */
  public static RecordedStates of(Definitions definitions) {
    MethodTable methods = definitions.methods();
    RecordedStates met = of(IntStream.range(0, methods.size()).mapToObj(methods::get));
    boolean interrupts = met.interrupts;
    boolean faults = met.faults;
    for (Definition.KernelEvent event : definitions.kernelEvents().values()) {
      boolean ofInterrupts = event.subsystem().equals("irq") || isVector(event);
      interrupts |= ofInterrupts && INTERRUPT.matcher(event.format()).find();
      faults |= event.subsystem().equals("exceptions") && FAULT.matcher(event.format()).find();
    }
    return new RecordedStates(interrupts, faults);
  }

  /** As far as states tell it: those of which there are some. */
  public static RecordedStates of(Stream<TracedMethod> methods) {
    boolean[] met = new boolean[2];
    methods.forEach(method -> {
      met[0] |= SchedulerState.INTERRUPTED.is(method);
      met[1] |= SchedulerState.FAULT.is(method);
    });
    return new RecordedStates(met[0], met[1]);
  }

  private static boolean isVector(Definition.KernelEvent event) {
    return event.subsystem().equals("irq_vectors");
  }
}
