package dev.kymo.cli.print;

import dev.kymo.analysis.events.CallLocations;
import dev.kymo.analysis.filter.KernelFacts;
import dev.kymo.analysis.filter.RecordedFacts;
import dev.kymo.analysis.names.Aliases;
import dev.kymo.cli.options.FilterOption;
import dev.kymo.cli.words.Modes;
import dev.kymo.format.Definition;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.ThreadRecord;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.definitions.ModeStep;
import dev.kymo.model.definitions.NanoClock;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.model.definitions.TracedMethod;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.EventSink;
import dev.kymo.reader.KernelMerge;
import dev.kymo.reader.KernelStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Picks events, in the order of time, and has a line written for each. */
final class EventLines implements EventSink {
  private final CallPass pass;
  private final RecordedDefinitions definitions;
  private final NanoClock clock;
  private final EventSelection selection;
  private final EventOutput output;
  private final DefinitionMerge merge;
  private final KernelMerge kernel;
  private final Aliases aliases;
  private final CallLocations places;
  private final EventWords words;
  private final boolean placed;

  /** What the script is told; null = there is none. */
  private final @Nullable RecordedFacts facts;

  private final StepMerge steps;
  private long number;

  /** Nothing more is wanted; thrown through the reader, which would read on in vain. */
  static final class OverException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OverException() {
      super("no more events are asked for", null, false, false);
    }
  }

  /**
   * Lines of one reading.
   *
   * @param placed whether anybody asks where in the program events are
   * @param merge definitions to be printed
   * @param kernel events to be printed
   */
  EventLines(
      CallPass pass,
      EventSelection selection,
      Aliases aliases,
      boolean placed,
      EventOutput output,
      DefinitionMerge merge,
      KernelMerge kernel) {
    this.pass = pass;
    this.definitions = pass.definitions();
    this.clock = pass.nanoClock();
    this.selection = selection;
    this.output = output;
    this.merge = merge;
    this.kernel = kernel;
    this.aliases = aliases;
    this.places = new CallLocations(definitions);
    this.words = new EventWords(definitions, aliases, places);
    this.placed = placed || !selection.events().isAll();
    FilterOption.Choice choice = selection.choice();
    this.facts = choice.isAll() ? null : new RecordedFacts(pass, choice.placed());
    this.steps = new StepMerge(definitions);
  }

  /** Prints the selected events; may be called once. */
  void run() throws IOException {
    try {
      pass.events(this);
      untilNow(Long.MAX_VALUE);
    } catch (OverException e) {
      // what follows is not wanted either
    } catch (UncheckedIOException e) {
      throw new IOException(e.getMessage(), e);
    }
    output.end();
  }

  /**
   * Prints what is not an event of a thread, up to a clock up to which all those were taken.
   *
   * @throws OverException if nothing that follows is wanted
   */
  void taken(long clock) {
    untilNow(clock);
    if (clock >= pass.base() && selection.isOver(number, time(clock))) {
      throw new OverException();
    }
  }

  @Override
  public void events(EventBatch batch) {
    Definition.TracedThread thread = definitions.threadOrNameless(batch.process(), batch.thread());
    Definition.TracedThread named = aliases.of(thread);
    boolean wanted = selection.thread(thread, named);
    if (facts != null) {
      facts.in(batch, named);
    }
    for (int i = 0; i < batch.count(); i++) {
      long at = batch.clocks()[i];
      int word = batch.words()[i];
      untilNow(at);
      number++;
      long time = time(at);
      if (selection.isOver(number, time)) {
        throw new OverException();
      }
      if (wanted
          && selection.numbers().contains(number)
          && selection.time(time)
          && isAskedFor(batch, word)
          && isAccepted(at, word)) {
        RecordedCells cells = new RecordedCells(words, batch, word);
        write(new PrintedEvent(number, at, time, batch.process(), named, cells));
      }
      remember(batch, word);
      if (facts != null) {
        facts.at(at, word).taken();
      }
    }
  }

  private boolean isAccepted(long at, int word) {
    return facts == null || selection.choice().test().accept(facts.at(at, word));
  }

  private void remember(EventBatch batch, int word) {
    if (EventBatch.isEvent(word)) {
      aliases.learn(batch, word, words.own(batch, word));
    } else if (placed) {
      places.take(batch, word);
    }
  }

  private boolean isAskedFor(EventBatch batch, int word) {
    if (selection.events().isAll()) {
      return true;
    }
    return switch (EventBatch.id(word)) {
      case ThreadRecord.SWITCH -> selection.events().test(words.event(batch, word));
      case ThreadRecord.DETAIL -> {
        TracedMethod state = places.innermost(batch);
        yield selection.events().test(words.event(batch, word))
            || (state != null && selection.events().test(state));
      }
      case ThreadRecord.EVENT, ThreadRecord.EVENT_DATA ->
          selection.events().test(words.ownMethod(batch, word));
      default -> selection.events().test(words.method(batch, word));
    };
  }

  @Override
  public void gap(int process, int thread, long gapFrom, long gapTo, long lost) {
    Definition.TracedThread who = definitions.threadOrNameless(process, thread);
    Definition.TracedThread named = aliases.of(who);
    places.lose(process, thread);
    if (facts != null) {
      facts.lose(process, thread);
    }
    if (lost != 0 && selection.thread(who, named)) {
      String count = lost < 0 ? "" : Long.toString(lost);
      String subject = lost < 0 ? "unknown" : count;
      line(gapTo, process, named, new OtherCells("lost", count, "", "lost", subject, ""));
    }
  }

  /** Prints what is not an event of a thread, up to a clock. */
  private void untilNow(long now) {
    for (ModeStep step = steps.until(now); step != null; step = steps.until(now)) {
      defineUntil(step.time());
      if (selection.events().test(definitions.methods().get(step.method()))) {
        String method = Integer.toString(definitions.methods().payload(step.method()));
        OtherCells cells = OtherCells.of("step", method, Modes.text(pass, step));
        line(step.time(), step.process(), EventWords.processAsAWhole(), cells);
      }
    }
    defineUntil(now);
    for (KernelStream event = kernel.until(now); event != null; event = kernel.until(now)) {
      kernelLine(event);
    }
  }

  private void defineUntil(long until) {
    for (DefinitionMerge.Next next = merge.until(until); next != null; next = merge.until(until)) {
      if (selection.events().test("define")) {
        OtherCells cells = OtherCells.of("define", "", next.definition().toString());
        line(next.clock(), next.process(), EventWords.processAsAWhole(), cells);
      }
    }
  }

  private void kernelLine(KernelStream event) {
    Definition.TracedThread cpu =
        new Definition.TracedThread(
            0, Definition.TracedThread.CPU, 0, event.tid(), "CPU " + event.cpu());
    KernelEventFormat format = event.format();
    boolean wanted =
        selection.thread(cpu, aliases.of(cpu))
            && selection.events().test(format.subsystem(), format.name(), format.toString());
    long time = time(event.clock());
    if (!wanted
        || !selection.time(time)
        || !(facts == null || selection.choice().test().accept(new KernelFacts(event, time)))) {
      return;
    }
    StringBuilder subject = new StringBuilder("tid=").append(event.tid());
    for (KernelEventFormat.Field field : format.fields()) {
      subject.append(' ').append(field.name()).append('=').append(event.text(field));
    }
    String place = placed ? EventWords.symbol(places.ofKernelThread(0, event.tid())) : "";
    line(
        event.clock(),
        event.process(),
        aliases.of(cpu),
        new OtherCells(
            "kernel",
            Integer.toString(event.cpu()),
            format.subsystem(),
            format.toString(),
            subject.toString(),
            place));
  }

  /** Prints what has no number, if it lies between events that are printed. */
  private void line(long at, int process, Definition.TracedThread thread, EventCells cells) {
    long time = time(at);
    if (selection.time(time) && selection.numbers().containsAfter(number)) {
      write(new PrintedEvent(0, at, time, process, thread, cells));
    }
  }

  private long time(long at) {
    return at >= pass.base() ? clock.nanos(at) : -clock.duration(pass.base() - at);
  }

  private void write(PrintedEvent event) {
    try {
      output.write(event);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }
}
