package dev.kymo.instructions;

/**
 * A file that was mapped into a process.
 *
 * @param address where it was mapped
 * @param length bytes that were mapped
 * @param offset of these bytes in the file
 */
record TracedModule(long address, long length, long offset, String path) {
  /** The path of a machine's kernel, which is in no file. */
  static final String KERNEL = "[kernel]";

  /** Whether it is in no file: the kernel, or what has loaded it. */
  boolean isNoFile() {
    return path.startsWith("[");
  }

  /** The file's name without its directory. */
  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  boolean contains(long at) {
    return at - address >= 0 && at - address < length;
  }
}
