package dev.kymo.cli.print;

import dev.kymo.reader.EventBatch;

/** Cells of a thread's event, valid while its batch is. */
record RecordedCells(EventWords words, EventBatch batch, int word) implements EventCells {
  @Override
  public String event() {
    return words.event(batch, word);
  }

  @Override
  public String subject() {
    return words.subject(batch, word);
  }

  @Override
  public String argument() {
    return words.isPlaced(batch, word) ? "" : subject();
  }

  @Override
  public String place() {
    return words.place(batch, word);
  }

  @Override
  public void raw(StringBuilder to) {
    words.raw(batch, word, to);
  }
}
