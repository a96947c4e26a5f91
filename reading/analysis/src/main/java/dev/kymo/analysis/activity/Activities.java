package dev.kymo.analysis.activity;

import dev.kymo.analysis.filter.RecordedFacts;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.definitions.RecordedDefinitions;
import dev.kymo.reader.EventBatch;
import dev.kymo.reader.EventSink;
import java.util.function.Consumer;

/** Reads a recording in the order of time, and has a rule find activities in it. */
public final class Activities {
  private Activities() {}

  /**
   * Reads the events of an opened pass; once.
   *
   * @param taker takes each activity when it is over, and in the end those that were left open
   * @return what was odd about them
   */
  public static OpenActivities find(
      CallPass pass, ActivityRule rule, Consumer<Activity> taker, ProgressListener progress) {
    OpenActivities open = new OpenActivities(taker);
    pass.events(new Sink(pass, rule, open, progress));
    open.finish();
    return open;
  }

  private static final class Sink implements EventSink {
    private final RecordedDefinitions definitions;
    private final RecordedFacts facts;
    private final ActivityRule rule;
    private final OpenActivities open;
    private final ProgressListener progress;
    private final long size;
    private long read;

    Sink(CallPass pass, ActivityRule rule, OpenActivities open, ProgressListener progress) {
      this.definitions = pass.definitions();
      this.facts = new RecordedFacts(pass, rule.asksForPlaces());
      this.rule = rule;
      this.open = open;
      this.progress = progress;
      this.size = pass.recording().size();
    }

    @Override
    public void events(EventBatch batch) {
      facts.in(batch, definitions.threadOrNameless(batch.process(), batch.thread()));
      for (int i = 0; i < batch.count(); i++) {
        rule.event(facts.at(batch.clocks()[i], batch.words()[i]), open);
        facts.taken();
      }
      read += batch.count() * 8L;
      progress.progress(Math.min(read, size), size);
    }

    @Override
    public void gap(int process, int thread, long from, long to, long lost) {
      facts.lose(process, thread);
    }
  }
}
