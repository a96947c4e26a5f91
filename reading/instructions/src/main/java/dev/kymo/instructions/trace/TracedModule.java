package dev.kymo.instructions.trace;

/**
 * A file that was mapped into a process.
 *
 * @param address where it was mapped
 * @param length bytes that were mapped
 * @param offset of these bytes in the file
 */
public record TracedModule(long address, long length, long offset, String path) {
  /** The path of a machine's kernel, which is in no file. */
  public static final String KERNEL = "[kernel]";

  /** Whether it is in no file: the kernel, or what has loaded it. */
  public boolean isNoFile() {
    return path.startsWith("[");
  }

  /** The file's name without its directory. */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  public boolean contains(long at) {
    return at - address >= 0 && at - address < length;
  }
}
