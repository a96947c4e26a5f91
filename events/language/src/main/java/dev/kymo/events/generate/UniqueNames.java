package dev.kymo.events.generate;

import dev.kymo.events.DefinitionException;
import dev.kymo.events.Place;
import dev.kymo.events.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds two names of a definition file that become one name in another language. That is an error,
 * and nothing is guessed.
 */
final class UniqueNames {
  private record User(String name, Place place) {}

  private final String file;
  private final Map<String, User> users = new HashMap<>();
  private final List<Problem> problems = new ArrayList<>();

  UniqueNames(String file) {
    this.file = file;
  }

  /**
   * Notes the name that something has there.
   *
   * @param what "Java method" and the like
   * @param generated its name there
   * @param name its name here
   */
  void add(String what, String generated, String name, Place place) {
    User user = users.putIfAbsent(what + " " + generated, new User(name, place));
    if (user != null) {
      problems.add(
          new Problem(
              file,
              place,
              "'%s' and '%s' (line %d) are the same %s '%s'; rename one of them"
                  .formatted(name, user.name, user.place.line(), what, generated)));
    }
  }

  void add(Problem problem) {
    problems.add(problem);
  }

  void throwIfAnyTwice() throws DefinitionException {
    if (!problems.isEmpty()) {
      throw new DefinitionException(problems);
    }
  }
}
