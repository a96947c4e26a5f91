package dev.kymo.session.run;

import dev.kymo.format.Definition;
import dev.kymo.format.NoticeCode;
import dev.kymo.model.calls.CallPass;
import dev.kymo.reader.Recording;
import dev.kymo.reader.RecordingException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Options that named nothing in any process of a recording. */
final class VainOptions {
  private VainOptions() {}

  /** A sentence for each; none if the recording cannot be read, which is reported elsewhere. */
  static List<String> of(Path path) {
    try (Recording recording = Recording.open(path)) {
      CallPass pass = CallPass.open(recording);
      int processes = pass.definitions().processes().size();
      Map<String, Set<Integer>> said = new TreeMap<>();
      for (Definition.Notice notice : pass.definitions().notices()) {
        if (NoticeCode.IN_VAIN.stream().anyMatch(code -> code.is(notice))) {
          said.computeIfAbsent(notice.text(), text -> new TreeSet<>()).add(notice.process());
        }
      }
      return said.entrySet().stream()
          .filter(hint -> hint.getValue().size() == processes)
          .map(Map.Entry::getKey)
          .toList();
    } catch (RecordingException e) {
      return List.of();
    }
  }
}
