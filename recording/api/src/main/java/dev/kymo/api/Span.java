package dev.kymo.api;

/**
 * Something that takes time on one thread. It ends when it is closed, on the same thread.
 *
 * <pre>{@code
 * try (Span span = Kymo.span("load")) {
 *   ...
 * }
 * }</pre>
 */
public final class Span implements AutoCloseable {
  static final Span OFF = new Span(0);

  private int event;

  Span(int event) {
    this.event = event;
  }

  @Override
  public void close() {
    if (event != 0) {
      Events.leave(event);
      event = 0;
    }
  }
}
