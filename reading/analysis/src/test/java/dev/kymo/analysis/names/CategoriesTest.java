package dev.kymo.analysis.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.model.definitions.TracedMethod;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CategoriesTest {
  private static final Categories CATEGORIES =
      Categories.of(
          List.of(
              "# groups",
              "memory = malloc  free \"operator new*\"",
              "",
              "parser=file:parse*.c lua_*",
              "zip = in:libz.so*",
              "java = a.b.*",
              "memory = realloc",
              "scoped = ns::*::size push_back"));

  @ParameterizedTest
  @CsvSource({
    "'', malloc, '', memory",
    "'', mallocs, '', (other)",
    "'', operator new[], '', memory",
    "'', realloc, '', memory",
    "'', lua_call, '', parser",
    "'', f, /home/src/parser.c, parser",
    "'', f, /home/parse/x.c, (other)",
    "libz.so.1.2, deflate, '', zip",
    "libz.so.1.2, malloc, '', memory",
    "a.b.C, run, C.java, java",
    "'', ns::map::size, '', scoped",
    "'', std::vector<int>::push_back, '', scoped",
    "'', std::push_back_all, '', (other)",
  })
  void fit(String type, String name, String source, String category) {
    TracedMethod method = new TracedMethod(1, 1, type, name, "", "", source, 0);
    assertThat(CATEGORIES.of(method)).isEqualTo(category);
  }

  @Test
  void noneIsEverythingElse() {
    TracedMethod method = new TracedMethod(1, 1, "", "f", "", "", "", 0);
    assertThat(Categories.of(List.of()).of(method)).isEqualTo(Categories.OTHER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"malloc", "= malloc", "memory ="})
  void otherLinesAreRefused(String line) {
    assertThatThrownBy(() -> Categories.of(List.of("a = b", line)))
        .hasMessage("not a category: line=2 text=\"" + line + "\"; write CATEGORY = PATTERN ...");
  }
}
