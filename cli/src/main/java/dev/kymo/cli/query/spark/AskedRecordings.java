package dev.kymo.cli.query.spark;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The recordings, tables and directories that questions are about.
 *
 * @param recordings names of the recordings that are read here
 * @param tables names of the tables that these have
 * @param directories of exported tables, as addresses
 */
public record AskedRecordings(
    Collection<String> recordings, List<String> tables, List<String> directories) {
  private static final Pattern ADDRESS = Pattern.compile("[a-z][a-z0-9]+:/.*");

  /** Whether a word is the address of a directory that only Spark can read. */
  public static boolean isAddress(String word) {
    return ADDRESS.matcher(word).matches();
  }

  /** The address of a file or directory of this machine. */
  public static String address(Path path) {
    return "file:" + path.toAbsolutePath().normalize();
  }
}
