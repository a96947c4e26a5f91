package dev.kymo.session.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How large a recording may get. */
class DiskLimitTest {
  private static final long GIB = 1L << 30;

  private static DiskLimit of(@Nullable Long bytes) {
    return new DiskLimit(bytes, false, null, null);
  }

  @Test
  void stopsByItselfAndSaysWhy() {
    DiskLimit usual = of(null);
    assertThat(usual.isReached(4 * GIB - 1)).isFalse();
    assertThat(usual.isReached(4 * GIB)).isTrue();
    assertThat(usual.reached())
        .isEqualTo(
            "recording has reached its maximum size and stops, the program runs on: max_size=4295.0 MB; record more with --max-size, or all with --max-size none");
  }

  @Test
  void tellsHowFastItGrows() {
    DiskLimit usual = of(null);
    assertThat(usual.isLarge(GIB - 1)).isFalse();
    assertThat(usual.isLarge(GIB)).isTrue();
    assertThat(usual.large(GIB, 2_000_000_000))
        .isEqualTo(
            "the recording grows large: bytes=1073.7 MB seconds=2 a_second=536.9 MB; it stops at 4295.0 MB; leave functions or events out with --exclude, --disable-events or a lower --budget, or set --max-size");
  }

  @Test
  void asLargeAsIsAskedFor() {
    DiskLimit given = of(2L << 20);
    assertThat(given.isReached((2 << 20) - 1)).isFalse();
    assertThat(given.isReached(2 << 20)).isTrue();
    assertThat(given.isLarge(100 * GIB)).isFalse();
    assertThat(given.reached())
        .isEqualTo(
            "recording has reached its maximum size and stops, the program runs on: max_size=2.1 MB");
    DiskLimit any = of(0L);
    assertThat(any.isReached(Long.MAX_VALUE)).isFalse();
    assertThat(any.isLarge(Long.MAX_VALUE)).isFalse();
  }
}
