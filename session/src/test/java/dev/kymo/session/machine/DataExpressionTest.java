package dev.kymo.session.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.session.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataExpressionTest {
  @ParameterizedTest
  @CsvSource({
    "rdi,r7",
    "r15,r15",
    "16,n10",
    "0xffffffffffffffff,nffffffffffffffff",
    "rax+rcx*8-1,r0 r1 n8 * + n1 -",
    "(rax+rcx)*8,r0 r1 + n8 *",
    "*(u32*)(rsi+8),r6 n8 + u4",
    "*(u64*)(*(i8*)rdi),r7 i1 u8",
    "str(*(u64*)(rdx)),r2 u8 t",
    "rax & 0xff ,r0 nff &"
  })
  void valuesBecomeWordsOfAStack(String text, String words) {
    assertThat(DataExpression.words(text)).isEqualTo(words);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "rip",
        "eax",
        "rdi+",
        "(rdi",
        "rdi)",
        "*rdi",
        "*(u16)(rdi)",
        "*(u3*)(rdi)",
        "str",
        "1 2",
        "str(rdi)+1",
        "rdi;rsi",
        "99999999999999999999",
        "rdi/2"
      })
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> DataExpression.words(text))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--data " + text);
  }

  @Test
  void valuesThatThePluginHasNoRoomForAreRefused() {
    assertThatThrownBy(() -> DataExpression.words("1" + "+1".repeat(40)))
        .isInstanceOf(UsageException.class);
    assertThatThrownBy(() -> DataExpression.words("(".repeat(10000)))
        .isInstanceOf(UsageException.class);
  }
}
