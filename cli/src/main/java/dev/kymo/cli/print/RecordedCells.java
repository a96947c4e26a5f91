package dev.kymo.cli;

import dev.kymo.reader.EventBatch;

/** About an event of a thread, as long as its batch is there. */
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
