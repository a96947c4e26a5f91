package dev.kymo.exporters.barrelfish;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Protocols by which dumps are sent.
 *
 * <pre>
 *   ASKED_SIX    protocol 1, a dump for each line "trace": 6 digits with zeroes; text
 *   ASKED_EIGHT  the same with 8 digits
 *   PUSHED       protocol 2, each dump by itself: digits, NULs up to 8 bytes; text
 * </pre>
 */
public enum BfscopeProtocol {
  ASKED_SIX,
  ASKED_EIGHT,
  PUSHED;

  private static final int HEADER = 8;

  /** Whether a client gets a dump only when it asks for one. */
  boolean isAsked() {
    return this != PUSHED;
  }

  /** What is sent before a dump of this many bytes, at most 999999. */
  byte[] header(int size) {
    String digits =
        switch (this) {
          case ASKED_SIX -> "%06d".formatted(size);
          case ASKED_EIGHT -> "%08d".formatted(size);
          case PUSHED -> Integer.toString(size);
        };
    byte[] header = digits.getBytes(StandardCharsets.US_ASCII);
    return this == PUSHED ? Arrays.copyOf(header, HEADER) : header;
  }
}
