package dev.kymo.analysis.filter;

import dev.kymo.model.calls.CallCursor;
import dev.kymo.model.calls.CallPass;
import dev.kymo.model.calls.CallSink;
import dev.kymo.model.calls.ThreadCalls;
import dev.kymo.reader.EventBatch;

/**
 * Passes on the calls, states and events of programs' own that are wanted. A call is asked about
 * when it ends, so that its begin is passed on only then. The times of the calls around it are the
 * same whether it is wanted or not.
 */
public final class AcceptedCalls implements CallSink {
  private final CallSink sink;
  private final EventTest test;
  private final CallFacts facts;

  private AcceptedCalls(CallPass pass, CallSink sink, EventTest test) {
    this.sink = sink;
    this.test = test;
    this.facts = new CallFacts(pass);
  }

  /** The sink itself if everything is wanted. */
  public static CallSink of(CallPass pass, CallSink sink, EventTest test) {
    return test.isAll() ? sink : new AcceptedCalls(pass, sink, test);
  }

  @Override
  public void call(CallCursor call) {
    if (test.accept(facts.call(call))) {
      sink.enter(call.thread(), call.depth(), call.method(), call.begin());
      sink.call(call);
    }
  }

  @Override
  public void event(ThreadCalls thread, int event, long clock, EventBatch batch, int word) {
    if (test.accept(facts.event(thread, event, clock, batch, word))) {
      sink.event(thread, event, clock, batch, word);
    }
  }

  @Override
  public void gap(ThreadCalls thread, long from, long to, long lost) {
    sink.gap(thread, from, to, lost);
  }
}
