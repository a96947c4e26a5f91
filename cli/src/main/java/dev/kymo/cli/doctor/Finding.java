package dev.kymo.cli.doctor;

/**
 * A finding about whether something can be recorded.
 *
 * @param what a few words
 * @param can whether it can
 * @param how how, or why not; a sentence without an end
 * @param command that mends it, or makes it better; empty = there is none
 */
record Finding(String what, boolean can, String how, String command) {
  static Finding yes(String what, String how) {
    return new Finding(what, true, how, "");
  }

  static Finding no(String what, String why, String command) {
    return new Finding(what, false, why, command);
  }
}
