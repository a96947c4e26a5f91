package dev.kymo.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Clock;
import dev.kymo.recorder.userevents.EventOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a recorder writes about a session is what a program reads. */
class SessionTest {
  private static final String LETTERS = " \\=:#!\t\r\f\"'aé√\uD83D\uDCA1";

  @TempDir Path folder;

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    int length = 1 + random.nextInt(8);
    for (int i = 0; i < length; i++) {
      text.append(LETTERS.charAt(random.nextInt(LETTERS.length() - 2)));
    }
    return text + LETTERS.substring(LETTERS.length() - 2);
  }

  @Test
  void anyTextArrivesAsItWas() throws IOException {
    Random random = new Random(20261123);
    for (int i = 0; i < 200; i++) {
      EventOptions events =
          new EventOptions(
              List.of(text(random)), List.of(text(random)), List.of(), List.of(text(random)), i);
      Session session =
          new Session(
              folder,
              folder.resolve("r\\u" + text(random)),
              UUID.randomUUID(),
              Clock.MONOTONIC,
              new Session.Buffers(1 << 20, 1),
              new Session.Methods(
                  List.of(text(random), text(random)), List.of(), 32, i, i % 7 == 0, text(random)),
              new Session.Events(Session.AUTO, Session.OFF, events, i % 2 == 0, i % 3 == 0),
              new Session.Manner(i % 3 == 0, i % 5 == 0));
      session.store();
      assertThat(Session.load(folder)).isEqualTo(session);
    }
  }
}
