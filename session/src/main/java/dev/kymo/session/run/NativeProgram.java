package dev.kymo.session.run;

import dev.kymo.session.system.ByteSearch;
import dev.kymo.session.system.ElfFile;
import dev.kymo.session.system.JavaVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A check whether a program is built to be recorded by libkymo. It decides only about the clock.
 */
public final class NativeProgram {
  /** In the dynamic section of one that is linked with the shared library. */
  private static final String SHARED = "\0libkymo.so\0";

  /** In the constants of one that has the static library in it. */
  private static final String STATIC = "\0KYMO_SESSION\0";

  /** What a program built with -finstrument-functions calls. */
  private static final String HOOK = "\0__cyg_profile_func_enter\0";

  private static final ByteSearch MARKS = new ByteSearch(SHARED, STATIC, HOOK);

  /** Libraries that are built without hooks and start no programs. */
  private static final Pattern SYSTEM =
      Pattern.compile(
          "(lib(c|m|dl|rt|util|pthread|resolv|anl|gcc_s|stdc\\+\\+|atomic)|ld-linux.*)\\.so\\.\\d+");

  /** Functions that start other programs or load code. */
  private static final Pattern OTHERS =
      Pattern.compile(
          "f?exec(l|le|lp|v|ve|vp|vpe|veat)|posix_spawnp?|system|popen|v?fork|clone|syscall|dlm?open|wordexp");

  /** Programs whose work is to start another one. */
  private static final Pattern STARTERS =
      Pattern.compile(
          "(ba|da|fi|k|mk|z)?sh|busybox|chroot|env|flock|nice|ionice|make|nohup|numactl|parallel|setpriv|setsid|stdbuf"
              + "|su|sudo|taskset|time|timeout|unshare|watch|xargs");

  private static final int ELF = 0x7F454C46;
  private static final long LARGEST = 1L << 28;

  private NativeProgram() {}

  public static boolean isNative(@Nullable Path program) {
    if (program == null) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(program)) {
      return isElf(channel) && MARKS.isIn(channel, Math.min(channel.size(), LARGEST));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Whether libkymo can be of no use to a program: it has no hooks, is linked with nothing but the
   * system's own libraries, and neither starts programs nor loads libraries.
   */
  static boolean isOutOfReach(@Nullable Path program) {
    if (!isMachineCode(program) || isNative(program) || program == null) {
      return false;
    }
    try {
      ElfFile elf = ElfFile.open(program);
      return elf != null
          && elf.is64Bit()
          && elf.hasLoader()
          && !elf.needed().isEmpty()
          && elf.needed().stream().allMatch(name -> SYSTEM.matcher(name).matches())
          && elf.names().stream().noneMatch(name -> OTHERS.matcher(name).matches());
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether it is machine code and not Java. */
  public static boolean isMachineCode(@Nullable Path program) {
    if (program == null || JavaVersion.agentOption(program) != null) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(program)) {
      return isElf(channel);
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether it is a shell or such, which starts what is really meant. */
  public static boolean startsAnother(Path program) {
    return STARTERS.matcher(String.valueOf(program.getFileName())).matches();
  }

  private static boolean isElf(FileChannel channel) throws IOException {
    ByteBuffer begin = ElfFile.fill(ByteBuffer.allocate(Integer.BYTES), channel, 0);
    return begin.remaining() == Integer.BYTES && begin.getInt() == ELF;
  }
}
