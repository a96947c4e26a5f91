package dev.kymo.agent.weave;

import dev.kymo.recorder.ProcessRecorder;
import dev.kymo.recorder.budget.Reweaver;
import java.lang.instrument.Instrumentation;
import java.util.Set;

/** Weaves loaded classes again when the governor requests it. */
public final class AgentReweaver implements Reweaver {
  private final Transformer transformer;
  private final Instrumentation instrumentation;
  private final ProcessRecorder recorder;

  public AgentReweaver(
      Transformer transformer, Instrumentation instrumentation, ProcessRecorder recorder) {
    this.transformer = transformer;
    this.instrumentation = instrumentation;
    this.recorder = recorder;
  }

  @Override
  public void reweave(Set<Integer> without, Set<Integer> changed) {
    transformer.leaveOut(without);
    LoadedClasses.retransform(
        instrumentation, type -> transformer.hasOneOf(type, changed), recorder);
  }

  @Override
  public Set<Integer> wovenWith(Set<Integer> methods) {
    return transformer.wovenWith(methods);
  }
}
