package dev.kymo.instructions.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Encodings from the manual and from gcc's output. */
class BlockEndTest {
  @ParameterizedTest
  @CsvSource({
    "e8fbffffff, 4", // call
    "ff1500000000, 5", // call *0(%rip)
    "ffd0, 5", // call *%rax
    "41ffd4, 5", // call *%r12
    "c3, 6", // ret
    "f3c3, 6", // rep ret
    "c20800, 6", // ret $8
    "ebfe, 2", // jmp
    "e900000000, 2", // jmp
    "f2e900000000, 2", // bnd jmp
    "ff2500000000, 3", // jmp *0(%rip)
    "ffe0, 3", // jmp *%rax
    "3effe0, 3", // notrack jmp *%rax
    "7405, 1", // je
    "0f8400000000, 1", // je
    "e2fe, 1", // loop
    "0f05, 0", // syscall
    "ff00, 0", // incl (%rax)
    "ff30, 0", // push (%rax)
    "90, 0", // nop
    "48ffc0, 0", // inc %rax
    "66, 0" // cut off
  })
  void kinds(String code, int kind) {
    byte[] bytes = HexFormat.of().parseHex(code);
    assertThat(BlockEnd.of(bytes, 0, bytes.length)).isEqualTo((byte) kind);
  }

  @ParameterizedTest
  @CsvSource({
    "e8fbffffff, 1000",
    "ebfe, 1003",
    "7f10, 1015",
    "0f84f6ffffff, ffb",
    "e9ffff0000, 11004"
  })
  void targets(String code, String target) {
    byte[] bytes = HexFormat.of().parseHex(code);
    long end = 0x1005;
    assertThat(BlockEnd.target(bytes, 0, bytes.length, end)).isEqualTo(Long.parseLong(target, 16));
  }

  @Test
  void entriesOfLinkageTablesAreThunks() {
    assertThat(isThunk("ff25e22f0000", 1)).isTrue();
    assertThat(isThunk("f30f1efaf2ff25e52e0000", 2)).isTrue();
    assertThat(isThunk("6800000000e9e0ffffff", 2)).isTrue();
    assertThat(isThunk("ff35e22f0000ff25e42f0000", 2)).isTrue();
    assertThat(isThunk("ffe0", 1)).isFalse(); // a function's tail call
    assertThat(isThunk("4889c7ff25e22f0000", 2)).isFalse(); // the same, after a move
    assertThat(isThunk("c3", 1)).isFalse();
  }

  private static boolean isThunk(String code, int instructions) {
    byte[] bytes = HexFormat.of().parseHex(code);
    int last = instructions == 1 ? 0 : lastOf(code);
    byte end = BlockEnd.of(bytes, last, bytes.length);
    return BlockEnd.isThunk(bytes, 0, bytes.length, instructions, end);
  }

  /** Where the last instruction of these blocks begins. */
  private static int lastOf(String code) {
    return code.startsWith("f30f") ? 4 : code.startsWith("68") ? 5 : code.startsWith("48") ? 3 : 6;
  }
}
