package dev.kymo.session.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Symbols of a kernel, from what {@code /proc/kallsyms} may have. */
class KernelSymbolsTest {
  private static final String TEXT =
      """
      ffffffff81000300 t third
      0000000000000000 A fixed_percpu_data
      000000000001f000 A cpu_tss_rw
      ffffffff81000100 T first
      ffffffffc0000000 t first\t[module]
      ffffffffc0000010 t other\t[module]
      ffffffffc0000020 t program\t[bpf]
      ffffffff81000100 T alias
      ffffffff81000200 W second
      ffffffff81000250 d third
      """;

  @Test
  void byAddressWithoutThoseOfOthers() throws IOException {
    KernelSymbols symbols = KernelSymbols.read(TEXT);
    assertThat(symbols.text())
        .isEqualTo(
            """
            ffffffff81000100 T first
            ffffffff81000100 T alias
            ffffffff81000200 W second
            ffffffff81000250 d third
            ffffffff81000300 t third
            """);
    assertThat(symbols.sorted().getFirst())
        .isEqualTo(new KernelSymbols.Symbol(0xffffffff81000100L, "T", "first"));
  }

  @Test
  void addresses() throws IOException {
    KernelSymbols symbols = KernelSymbols.read(TEXT);
    assertThat(symbols.address("first")).hasValue(0xffffffff81000100L);
    assertThat(symbols.address("alias")).hasValue(0xffffffff81000100L);
    assertThat(symbols.address("third")).hasValue(0xffffffff81000250L);
    assertThat(symbols.address("other")).isEmpty();
    assertThat(symbols.address("program")).isEmpty();
    assertThat(symbols.address("cpu_tss_rw")).isEmpty();
    assertThat(symbols.address("none")).isEmpty();
  }

  @Test
  void endsWhereAnotherAddressBegins() throws IOException {
    KernelSymbols symbols = KernelSymbols.read(TEXT);
    assertThat(symbols.end(0xffffffff81000100L)).isEqualTo(0xffffffff81000200L);
    assertThat(symbols.end(0xffffffff81000101L)).isEqualTo(0xffffffff81000200L);
    assertThat(symbols.end(0xffffffff81000300L)).isEqualTo(-1);
  }

  @Test
  void readsWhatItWrites() throws IOException {
    KernelSymbols symbols = KernelSymbols.read(TEXT);
    assertThat(KernelSymbols.read(symbols.text()).sorted()).isEqualTo(symbols.sorted());
  }

  @Test
  void otherLinesAreLeftOut() throws IOException {
    assertThat(
            KernelSymbols.read(
                    """

                    nonsense
                    ffffffff81000100 T
                    ffffffff81000100  first
                    fffffffff81000100 T long
                    FFFFFFFF81000100 T upper
                     ffffffff81000100 T blank
                    ffffffff81000100 TT two
                    ffffffff81000100 T some words
                    ffffffff81000100 T good
                    """)
                .text())
        .isEqualTo("ffffffff81000100 T good\n");
  }

  /** Zeros are what those see who may not know. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense\n",
        "0000000000000000 T _stext\n0000000000000000 T other\n",
        "ffffffffc0000000 t other\t[module]\n"
      })
  void secretOnes(String text) {
    assertThatThrownBy(() -> KernelSymbols.read(text))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("the kernel does not say where its functions are: /proc/kallsyms");
  }
}
