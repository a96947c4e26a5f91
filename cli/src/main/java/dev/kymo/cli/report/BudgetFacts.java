package dev.kymo.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.names.Quantity;
import dev.kymo.analysis.names.ThreadNames;
import dev.kymo.analysis.summary.RecorderShare;
import dev.kymo.cli.terminal.Nanos;
import dev.kymo.cli.words.Modes;
import dev.kymo.format.Definition;
import dev.kymo.format.Definition.MethodMode;
import dev.kymo.format.Definition.ProbeCost;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.definitions.TracedProcess;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;

/** What recording may cost, what it cost, and which methods were recorded in less detail. */
final class BudgetFacts {
  /** Number of steps shown without {@code --steps}. */
  private static final int LAST_STEPS = 3;

  /** A smaller share of a thread's time would be shown as 0.00 %. */
  private static final double WORTH_TELLING = 0.00005;

  private final CallPass pass;
  private final RecordingFacts facts;
  private final boolean allSteps;
  private final List<ModeStep> steps;

  BudgetFacts(CallPass pass, RecordingFacts facts, boolean allSteps) {
    this.pass = pass;
    this.facts = facts;
    this.allSteps = allSteps;
    this.steps = pass.steps();
  }

  /** Passes on what is known, as names and values. */
  void tell(BiConsumer<String, String> to) {
    List<TracedProcess> processes = pass.definitions().processes();
    for (TracedProcess process : processes) {
      String of = processes.size() == 1 ? "" : "process %d: ".formatted(process.process());
      Optional<ProbeCost> cost = pass.probeCost(process.process());
      cost.ifPresent(c -> {
        to.accept("budget", of + budget(c.budget()));
        to.accept("probes", of + calibration(c));
      });
      RecorderShare.of(pass, process.process())
          .ifPresent(share -> tell(to, of, share, time(process)));
    }
    beside()
        .ifPresent(own ->
            to.accept(
                "beside it",
                "%s of processor time, %s of a processor"
                    .formatted(
                        Nanos.text(own.housekeeping()),
                        percent((double) own.housekeeping(), (double) lifetime(own)))));
    if (facts.counted().counted() > 0) {
      to.accept(
          "counted",
          "%d calls of %s, not recorded one by one"
              .formatted(
                  facts.counted().counted(),
                  Quantity.of(facts.counted().countedMethods(), "method")));
    }
    Remembered remembered = Remembered.of(pass);
    if (!remembered.isEmpty()) {
      to.accept("remembered", remembered.text());
    }
    if (!steps.isEmpty()) {
      tellSteps(to);
    }
  }

  private Optional<Definition.ProcessorTime> time(TracedProcess process) {
    return pass.definitions().processorTime(process.process());
  }

  private static void tell(
      BiConsumer<String, String> to,
      String of,
      RecorderShare share,
      Optional<Definition.ProcessorTime> time) {
    to.accept(
        "in program",
        of
            + "%s, %s of a processor"
                .formatted(
                    Nanos.text((long) share.all()),
                    percent(share.all(), (double) share.lifetime())));
    to.accept(
        "",
        "%s probes, %s weaving %d classes (by the clock, waiting included), %s own threads"
            .formatted(
                Nanos.text((long) share.probes()),
                Nanos.text(share.weaving()),
                share.classes(),
                Nanos.text(share.housekeeping())));
    share
        .most()
        .filter(most -> most.share() >= WORTH_TELLING)
        .ifPresent(most ->
            to.accept(
                "",
                "probes of a thread took at most %s of its time: %s"
                    .formatted(percent(most.share(), 1), ThreadNames.of(most.thread()))));
    time.ifPresent(all ->
        to.accept(
            "in all",
            of
                + "%s of processor time, %s of it the JIT compiler, for the program and for probes"
                    .formatted(Nanos.text(all.all()), Nanos.text(all.compiling()))));
  }

  private void tellSteps(BiConsumer<String, String> to) {
    List<ModeStep> told =
        allSteps ? steps : steps.stream().filter(BudgetFacts::isOfBudget).toList();
    long down = told.stream().filter(Modes::down).count();
    to.accept(
        "steps",
        "%d down, %d up; at the end %d methods timed, %d timed by sample, %d left out"
            .formatted(
                down,
                told.size() - down,
                Modes.atEnd(steps, MethodMode.TIMED),
                Modes.atEnd(steps, MethodMode.SAMPLED),
                Modes.atEnd(steps, MethodMode.LEFT_OUT)));
    int first = allSteps ? 0 : Math.max(0, told.size() - LAST_STEPS);
    if (first > 0) {
      to.accept("", "... %d more, --steps lists them".formatted(first));
    }
    for (ModeStep step : told.subList(first, told.size())) {
      to.accept("", Nanos.seconds(step.time()) + " " + Modes.text(pass, step));
    }
  }

  /** Whether the budget has made a step in this run. */
  private static boolean isOfBudget(ModeStep step) {
    return !Remembered.isSuch(step) && !MethodMode.isNever(step.reason());
  }

  private static String budget(int millionths) {
    return millionths == 0 ? "none" : percent(millionths, 1e6) + " of each thread's time";
  }

  /** What a call's probes cost. */
  static String calibration(ProbeCost cost) {
    return String.format(
        Locale.ROOT,
        "%.1f ns a recorded call (%.1f in its own time, ± %.1f), %.1f timed, %.1f timed by sample",
        (cost.inside() + (double) cost.outside()) / 1e3,
        cost.inside() / 1e3,
        cost.spread() / 1e3,
        cost.timed() / 1e3,
        cost.sampled() / 1e3);
  }

  static String percent(double part, double whole) {
    return String.format(Locale.ROOT, "%.2f %%", whole <= 0 ? 0 : 100 * part / whole);
  }

  /** The drainer's cost. */
  private Optional<Definition.OwnCost> beside() {
    return pass.ownCosts().stream().filter(own -> own.process() == 0).findFirst();
  }

  private long lifetime(Definition.OwnCost own) {
    return own.lifetime() > 0 ? own.lifetime() : facts.duration();
  }

  void write(JsonGenerator out) throws IOException {
    out.writeArrayFieldStart("recorder");
    for (TracedProcess process : pass.definitions().processes()) {
      Optional<RecorderShare> share = RecorderShare.of(pass, process.process());
      Optional<ProbeCost> cost = pass.probeCost(process.process());
      if (cost.isPresent() && share.isPresent()) {
        write(out, cost.get(), share.get(), time(process));
      }
    }
    out.writeEndArray();
    Optional<Definition.OwnCost> beside = beside();
    if (beside.isPresent()) {
      out.writeObjectFieldStart("drainer");
      out.writeNumberField("processorTime", beside.get().housekeeping());
      out.writeNumberField("lifetime", lifetime(beside.get()));
      out.writeEndObject();
    }
    out.writeNumberField("counted", facts.counted().counted());
    out.writeNumberField("countedMethods", facts.counted().countedMethods());
    out.writeNumberField("byteRate", facts.byteRate());
    out.writeArrayFieldStart("steps");
    for (ModeStep step : steps) {
      write(out, step);
    }
    out.writeEndArray();
  }

  private static void write(
      JsonGenerator out,
      ProbeCost cost,
      RecorderShare share,
      Optional<Definition.ProcessorTime> time)
      throws IOException {
    out.writeStartObject();
    out.writeNumberField("process", cost.process());
    out.writeNumberField("budget", cost.budget());
    out.writeNumberField("inside", cost.inside());
    out.writeNumberField("outside", cost.outside());
    out.writeNumberField("timed", cost.timed());
    out.writeNumberField("sampled", cost.sampled());
    out.writeNumberField("spread", cost.spread());
    out.writeNumberField("probes", (long) share.probes());
    out.writeNumberField("weaving", share.weaving());
    out.writeNumberField("classes", share.classes());
    out.writeNumberField("housekeeping", share.housekeeping());
    out.writeNumberField("lifetime", share.lifetime());
    if (time.isPresent()) {
      out.writeNumberField("processorTime", time.get().all());
      out.writeNumberField("compiling", time.get().compiling());
    }
    if (share.most().isPresent()) {
      out.writeNumberField("mostOfThread", share.most().get().share());
      out.writeStringField("mostThread", share.most().get().thread().definition().name());
    }
    out.writeEndObject();
  }

  private void write(JsonGenerator out, ModeStep step) throws IOException {
    out.writeStartObject();
    out.writeNumberField("time", step.time());
    out.writeNumberField("process", step.process());
    out.writeStringField("method", pass.definitions().methods().get(step.method()).qualifiedName());
    out.writeStringField("before", Modes.name(step.before()));
    out.writeStringField("mode", Modes.name(step.mode()));
    out.writeStringField("reason", step.reason());
    out.writeEndObject();
  }
}
