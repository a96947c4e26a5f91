package dev.kymo.events;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/** A definition file is wrong; the message says everything that is wrong. */
public final class DefinitionException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /** At least one problem, in the order of the file. */
  public DefinitionException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** All problems of the file, in its order. */
  public List<Problem> problems() {
    return problems;
  }
}
