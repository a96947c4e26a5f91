package dev.kymo.session.machine;

import dev.kymo.session.run.InstructionEnding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Words that make QEMU run a machine. It has one processor, whose clock is the number of
 * instructions that it has executed, and devices that can be recorded and replayed.
 *
 * @param kernel path
 * @param files path of the initial file system
 * @param megabytes of memory
 */
record QemuOptions(String kernel, String files, long megabytes) {
  /**
   * QEMU's plain processor with what programs for x86-64-v2 need, and random numbers: without them
   * the kernel makes its own, for a billion instructions, when a program asks for the first ones.
   */
  private static final String PROCESSOR = "qemu64,+ssse3,+sse4.1,+sse4.2,+popcnt,+rdrand";

  private static final String KERNEL_OPTIONS =
      "console=ttyS0 nokaslr norandmaps memmap=0x%x$0x%x %s panic=-1 cryptomgr.notests"
          + " mitigations=off";

  private static final String QUIET = "quiet";

  /** From its first line on, which shows whether it gets on. */
  private static final String TALKING = "earlyprintk=ttyS0 loglevel=7";

  /**
   * The machine's time is the number of its instructions, so nothing in it depends on how fast it
   * is. While it waits for a time, that comes at once.
   */
  private static final String CLOCK = "shift=0,sleep=off";

  /** Whether time is recorded, and where. */
  private static final String RECORDED = CLOCK + ",rr=%s,rrfile=%s";

  /** A machine that is to learn something of its kernel, which says what it does. */
  List<String> learning(Path console, Path messages, Path memory) {
    List<String> words = live(console, messages, memory, TALKING);
    words.addAll(List.of("-icount", CLOCK));
    return words;
  }

  /**
   * A machine that is recorded.
   *
   * @param console file for what the kernel says
   * @param messages pipe for {@link GuestMessages}
   * @param memory file that becomes the machine's memory
   * @param replay file for what {@link #replayed} needs
   * @param plugin with its arguments
   */
  List<String> recorded(Path console, Path messages, Path memory, Path replay, String plugin) {
    List<String> words = live(console, messages, memory, QUIET);
    words.addAll(
        List.of("-icount", RECORDED.formatted("record", InstructionEnding.quoted(replay))));
    words.addAll(List.of("-plugin", plugin));
    return words;
  }

  /** The same machine once more, from what was recorded; nobody listens to it. */
  List<String> replayed(String replay) {
    List<String> words = machine("null,id=console", "null,id=messages", QUIET);
    words.addAll(List.of("-icount", RECORDED.formatted("replay", replay)));
    return words;
  }

  private List<String> live(Path console, Path messages, Path memory, String talk) {
    List<String> words =
        machine(
            "file,id=console,path=" + InstructionEnding.quoted(console),
            "file,id=messages,path=" + InstructionEnding.quoted(messages),
            talk);
    words.addAll(
        List.of(
            "-object",
            "memory-backend-file,id=memory,share=on,size=%dM,mem-path=%s"
                .formatted(megabytes, memory),
            "-machine",
            "memory-backend=memory"));
    return words;
  }

  private List<String> machine(String console, String messages, String talk) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("-accel", "tcg", "-M", "microvm", "-cpu", PROCESSOR));
    words.addAll(List.of("-m", megabytes + "M", "-nodefaults", "-no-user-config", "-no-reboot"));
    words.addAll(List.of("-nic", "none", "-display", "none", "-monitor", "none"));
    words.addAll(List.of("-kernel", kernel, "-initrd", files));
    words.addAll(
        List.of(
            "-append",
            KERNEL_OPTIONS.formatted(GuestMessages.AREA_SIZE, GuestMessages.AREA_ADDRESS, talk)));
    words.addAll(List.of("-chardev", console, "-serial", "chardev:console"));
    words.addAll(List.of("-chardev", messages));
    words.addAll(List.of("-device", "isa-debugcon,iobase=0xe9,chardev=messages"));
    words.addAll(List.of("-device", "isa-debug-exit,iobase=0xf4,iosize=0x04"));
    return words;
  }
}
