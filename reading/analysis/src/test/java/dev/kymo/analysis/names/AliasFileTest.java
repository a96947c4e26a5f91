package dev.kymo.analysis.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files with names that users give. */
class AliasFileTest {
  private static final String FORMS =
      "a line is 0xHEX = name, thread NAME = name, or subsystem.EVENT:VALUE = name: ";
  private static final String NUMBER = "not a number of 64 bits, decimal or 0x and hexadecimal: ";

  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("names"), text, StandardCharsets.ISO_8859_1);
  }

  @Test
  void objectsOfAllProcesses() throws IOException {
    Aliases aliases = AliasFile.read(file("0xffffffffFFFFFFFF=all\r\n\n #0x1=x\n0x01=one = two"));
    assertThat(aliases.object(3, -1)).isEqualTo("all");
    assertThat(aliases.object(1, 1)).isEqualTo("one = two");
    assertThat(aliases.object(1, 2)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "0x1 a|no =, " + FORMS + "line=\"0x1 a\"",
        "0x1 =|nothing after the =: named=\"0x1\"",
        "12 = a|cannot be named, " + FORMS + "named=\"12\"",
        "0x = a|cannot be named, " + FORMS + "named=\"0x\"",
        "0x12345678123456789 = a|cannot be named, " + FORMS + "named=\"0x12345678123456789\"",
        "thread = a|cannot be named, " + FORMS + "named=\"thread\"",
        "= a|cannot be named, " + FORMS + "named=\"\"",
        "disk.A:x = a|" + NUMBER + "value=\"x\"",
        "disk.A:99999999999999999999 = a|" + NUMBER + "value=\"99999999999999999999\"",
        "0x00f = a|named before: named=\"0x00f\" line_before=1",
        "disk.A:0x10 = a|named before: named=\"disk.A:0x10\" line_before=2",
        "thread  t = a|named before: named=\"thread  t\" line_before=3",
      })
  void whatCannotBeUnderstood(String line, String message) throws IOException {
    Path file = file("0xF = f\ndisk.A:16 = b\nthread t = c\n" + line + "\n");
    assertThatThrownBy(() -> AliasFile.read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(file + ":4: " + message);
  }

  @Test
  void notText() throws IOException {
    Path file = file("0x1 = \u00e4\n");
    assertThatThrownBy(() -> AliasFile.read(file)).hasMessage(file + ": not a text in UTF-8");
  }
}
