package dev.kymo.exporters.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.testkit.RecordingBuilder;
import dev.kymo.testkit.StreamWriter;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is where in a picture: pixels are looked at, not compared with those of another machine. */
class TimelinePictureTest {
  private static final int LABELS = 190;
  private static final int WIDTH = 1000;

  @TempDir Path folder;
  private final RecordingBuilder builder = new RecordingBuilder().process(1);

  @BeforeEach
  void needsFonts() {
    assumeTrue(TimelinePicture.hasFonts(), "no fonts here; Debian has them in fontconfig");
  }

  private Picture draw(long from, long to) throws Exception {
    Path path = builder.write(folder.resolve("r"));
    try (Timeline timeline = Timelines.open(path, ProgressListener.NONE)) {
      return TimelinePicture.of(timeline, from, to, track -> true, WIDTH);
    }
  }

  private static BufferedImage image(Picture picture) throws Exception {
    return ImageIO.read(new ByteArrayInputStream(picture.png()));
  }

  /** Colours in a column of pixels that are no shade of grey. */
  private static Set<Integer> colours(BufferedImage image, int x) {
    Set<Integer> found = new HashSet<>();
    for (int y = 42; y < image.getHeight(); y++) {
      Color color = new Color(image.getRGB(x, y));
      if (Math.abs(color.getRed() - color.getBlue()) > 25
          || Math.abs(color.getRed() - color.getGreen()) > 25) {
        found.add(color.getRGB());
      }
    }
    return found;
  }

  private static int x(double share) {
    return LABELS + (int) (share * (WIDTH - LABELS - 10));
  }

  @Test
  void callsAreWhereTheyWere() throws Exception {
    builder.thread(1, 1, "main").method(1, 1, "a.B", "outer").method(1, 2, "c.D", "inner");
    builder.ring(1, 0, 1).enter(0, 1).enter(250, 2).leave(500, 2).leave(750, 1);
    builder.thread(1, 2, "other");
    builder.ring(1, 1, 2).enter(900, 1).leave(1000, 1);
    Picture picture = draw(0, 1000);
    assertThat(picture.threads()).isEqualTo(2);
    assertThat(picture.left()).isZero();
    assertThat(picture.cut()).isFalse();
    BufferedImage image = image(picture);
    assertThat(image.getWidth()).isEqualTo(WIDTH);
    assertThat(colours(image, x(0.12))).hasSize(1);
    assertThat(colours(image, x(0.37))).hasSize(2).containsAll(colours(image, x(0.12)));
    assertThat(colours(image, x(0.62))).isEqualTo(colours(image, x(0.12)));
    assertThat(colours(image, x(0.82))).isEmpty();
    assertThat(colours(image, x(0.96))).isEqualTo(colours(image, x(0.12)));
  }

  @Test
  void waitsAndLossesAreSeen() throws Exception {
    builder.thread(1, 1, "main").method(1, 1, "a.B", "outer");
    builder.states(1, 2, 1, "main").method(1, 3, "monitor", "a.Lock");
    builder.ring(1, 0, 1).enter(0, 1).leave(400, 1).lose(3).enter(900, 1).leave(1000, 1);
    builder.ring(1, 1, 2).enter(100, 3).leave(300, 3);
    BufferedImage image = image(draw(0, 1000));
    assertThat(colours(image, x(0.05))).hasSize(1);
    assertThat(colours(image, x(0.28))).hasSize(2).contains(new Color(0xd9541e).getRGB());
    assertThat(colours(image, x(0.6))).containsExactly(Palette.LOST.getRGB());
  }

  @Test
  void whatHasNoRoomIsCounted() throws Exception {
    builder.method(1, 1, "a.B", "deep");
    for (int thread = 1; thread <= 20; thread++) {
      builder.thread(1, thread, "t" + thread);
      StreamWriter ring = builder.ring(1, thread, thread);
      for (int i = 0; i < 30; i++) {
        ring.enter(i, 1);
      }
      for (int i = 0; i < 30; i++) {
        ring.leave(900 + i, 1);
      }
    }
    Picture picture = draw(0, 1000);
    assertThat(picture.cut()).isTrue();
    assertThat(picture.left()).isPositive();
    assertThat(picture.threads() + picture.left()).isEqualTo(20);
    assertThat(image(picture).getHeight()).isLessThanOrEqualTo(1500);
  }

  /** Of a window without anything there is nothing to draw. */
  @Test
  void threadsWithoutAnythingAreLeftOut() throws Exception {
    builder.thread(1, 1, "main").thread(1, 2, "other").method(1, 1, "a.B", "x");
    builder.ring(1, 0, 1).enter(0, 1).leave(10, 1).enter(900, 1).leave(1000, 1);
    builder.ring(1, 1, 2).enter(400, 1).leave(500, 1);
    assertThat(draw(300, 600).threads()).isEqualTo(1);
  }
}
