package dev.kymo.events.generate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.events.Definitions;
import dev.kymo.events.Event;
import dev.kymo.events.Subsystem;
import dev.kymo.events.parse.DefinitionFileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Barrelfish's real definition file. The expected {@code trace_defs.h} and {@code trace_defs.json}
 * were made by another program, after what pleco's source writes.
 */
class BarrelfishTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "barrelfish");

  private static Definitions definitions() throws IOException {
    return DefinitionFileReader.read(FOLDER.resolve("trace_defs.pleco"));
  }

  private static String expected(String file) throws IOException {
    return Files.readString(FOLDER.resolve(file));
  }

  @Test
  void holdsWhatTheFactsSay() throws IOException {
    List<Subsystem> subsystems = definitions().subsystems();
    assertThat(subsystems).hasSize(20);
    assertThat(definitions().eventCount()).isEqualTo(297);
    Subsystem last = subsystems.get(19);
    assertThat(last.name()).isEqualTo("memory");
    assertThat(last.id()).isEqualTo(19);
    Event lookup = last.events().get(4);
    assertThat(lookup.name()).isEqualTo("LOOKUP");
    assertThat(lookup.id()).isEqualTo(4);
    assertThat(lookup.description()).isEqualTo("pmap->f.lookup()");
  }

  @Test
  void plecosJsonByteForByte() throws IOException {
    GeneratedFile file = Generator.plecoJson().generate(definitions()).get(0);
    assertThat(file.path()).isEqualTo("trace_defs.pleco.json");
    assertThat(file.text()).isEqualTo(expected("trace_defs.json"));
  }

  @Test
  void plecosHeaderByteForByte() throws IOException {
    GeneratedFile file = Generator.cHeader().generate(definitions()).get(0);
    assertThat(file.path()).isEqualTo("trace_defs.h");
    assertThat(file.text())
        .startsWith(expected("trace_defs.h") + "\n#if defined(KYMO_H)")
        .contains("\n#define TRACE_NUM_SUBSYSTEMS\t20\n");
  }
}
