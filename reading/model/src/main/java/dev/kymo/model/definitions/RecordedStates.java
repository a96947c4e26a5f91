package dev.kymo.model.definitions;

import dev.kymo.format.Definition;
import dev.kymo.format.SchedulerState;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Kinds of states inside running that a recording can have. Where it has none, either none
 * happened, or the kernel was not asked for them.
 *
 * @param interrupts what interrupts threads
 * @param faults page faults
 */
public record RecordedStates(boolean interrupts, boolean faults) {
  private static final Pattern INTERRUPT = Pattern.compile("(?:^|\\n)name:\\s*\\S+_entry\\b");
  private static final Pattern FAULT = Pattern.compile("(?:^|\\n)name:\\s*page_fault_");

  /** As the recording's kinds of kernel events and its states show. */
  public static RecordedStates of(RecordedDefinitions definitions) {
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

  /** As far as states show: those that occur. */
  public static RecordedStates of(Stream<TracedMethod> methods) {
    boolean[] met = new boolean[2];
    methods.forEach(method -> {
      met[0] |= method.is(SchedulerState.INTERRUPTED);
      met[1] |= method.is(SchedulerState.FAULT);
    });
    return new RecordedStates(met[0], met[1]);
  }

  private static boolean isVector(Definition.KernelEvent event) {
    return event.subsystem().equals("irq_vectors");
  }
}
