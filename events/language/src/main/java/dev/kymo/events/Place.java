package dev.kymo.events;

/**
 * A place in a definition file.
 *
 * @param line from 1
 * @param column in characters, from 1
 */
public record Place(int line, int column) implements Comparable<Place> {
  @Override
  public int compareTo(Place other) {
    return line != other.line
        ? Integer.compare(line, other.line)
        : Integer.compare(column, other.column);
  }
}
