package dev.kymo.e2e.instructions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every instruction of a kernel and a program on it. A plugin that knows nothing of Kymo judges.
 */
@Tag("machine")
class MachineTest extends MachineRecording {
  private static final String[] REGISTERS = {
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"
  };

  /** Instructions whose registers are compared. */
  private static final long RANGE = 100_000;

  @Test
  void callsAreThoseThatTheProgramMakes() throws Exception {
    Matcher counts = Pattern.compile("144 fib (\\d+) compare (\\d+)\n").matcher(said);
    assertThat(counts.matches()).as(said).isTrue();
    Map<String, Long> calls = calls(recording);
    assertThat(calls)
        .containsEntry("fib", Long.parseLong(counts.group(1)))
        .containsEntry("compare", Long.parseLong(counts.group(2)))
        .containsEntry("main", 1L)
        .containsEntry("[kernel].rest_init", 1L)
        .containsEntry("[kernel].kernel_init_freeable", 1L);
    String info = Kymo.run("info", recording.toString()).out();
    assertThat(info).contains("oddities     0").contains("0 leaves without enter");
    // Calls return, also those that an early kernel makes by a changed return address.
    Matcher unwound = Pattern.compile("(\\d+) unwind").matcher(info);
    assertThat(unwound.find()).isTrue();
    assertThat(Integer.parseInt(unwound.group(1))).isLessThan(100);
  }

  @Test
  void codeOfALibraryIsWhereEachProcessHasIt() throws Exception {
    Path output = folder.resolve("pipe.kymo");
    String pipe = "ls / | wc -l";
    Kymo.Result result =
        Kymo.run(
            "machine",
            "record",
            "-q",
            "--start-at",
            "program",
            "--file",
            "/bin/ls",
            "--file",
            "/usr/bin/wc",
            "-o",
            output.toString(),
            "--",
            "sh",
            "-c",
            pipe);
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).matches("\\d+\n");
    // QEMU translates a page of the C library once, and executes it at several addresses.
    Map<String, Long> calls = calls(output);
    assertThat(calls).containsKeys("libc.so.6.execve", "libc.so.6.write");
    assertThat(calls.keySet()).noneMatch(name -> name.startsWith("generated code"));
  }

  @Test
  void instructionsAreCountedLikeOneByOne() throws Exception {
    List<String> judged = judge("");
    String begun = judged.getLast();
    String use = use(recording);
    // What faults begins once more.
    assertThat(number(use, "instructions") + number(use, "begunAgain"))
        .isEqualTo(Long.parseLong(begun.substring("begun ".length())));
  }

  @Test
  void registersAreThoseThatTheEmulatorHas() throws Exception {
    long end = number(use(recording), "instructions");
    long begunAgain = number(use(recording), "begunAgain");
    long from = end - 10 * RANGE;
    Kymo.Result added =
        Kymo.run(
            "machine",
            "replay",
            "--registers",
            "--from",
            Long.toString(from),
            "--to",
            Long.toString(from + RANGE),
            recording.toString());
    assertThat(added.exit()).as(added.err()).isZero();
    assertThat(added.err()).contains("added the registers at 100 000 instructions");
    List<String[]> lines = listing(from, from + RANGE);
    assertThat(lines).hasSize((int) RANGE);
    String address = commonest(lines);
    List<String> seen = before(lines, address);
    assertThat(seen.size()).isGreaterThan(500);
    List<String> judged =
        judge(
            ",at=%s,from=%d,to=%d"
                .formatted(address.substring("0x".length()), from, from + RANGE + begunAgain));
    assertThat(Collections.indexOfSubList(judged, seen)).as(address).isNotNegative();
  }

  /** What the judge writes while the machine is replayed. */
  private List<String> judge(String arguments) throws Exception {
    Path plugin =
        NativePrograms.compile(
            SOURCES.resolve("judge.c"), folder.resolve("judge.so"), "-shared", "-fPIC");
    Path output = folder.resolve("judged");
    Kymo.Result result =
        Kymo.run(
            "machine",
            "replay",
            "--plugin",
            plugin + ",output=" + output + arguments,
            recording.toString());
    assertThat(result.exit()).as(result.err()).isZero();
    return Files.readAllLines(output);
  }

  /** Address and changed registers of each instruction. */
  private static List<String[]> listing(long from, long to) throws Exception {
    String csv =
        Kymo.run(
                "print",
                "--instructions",
                "--csv",
                "--from",
                Long.toString(from),
                "--to",
                Long.toString(to),
                recording.toString())
            .out();
    return csv.lines()
        .filter(line -> line.contains(",instruction,"))
        .map(line -> line.split(","))
        .map(words -> new String[] {words[4], words[words.length - 1]})
        .toList();
  }

  private static String commonest(List<String[]> lines) {
    Map<String, Integer> counts = new HashMap<>();
    lines.forEach(line -> counts.merge(line[0], 1, Integer::sum));
    return Collections.max(counts.entrySet(), Map.Entry.comparingByValue()).getKey();
  }

  /** The registers before each execution of an instruction but the first lines'. */
  private static List<String> before(List<String[]> lines, String address) {
    Map<String, String> now = new LinkedHashMap<>();
    for (String register : REGISTERS) {
      now.put(register, "");
    }
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (i > 0 && lines.get(i)[0].equals(address)) {
        seen.add(now.toString().replaceAll("[{},]", ""));
      }
      for (String change : lines.get(i)[1].split(" ")) {
        int equals = change.indexOf('=');
        if (equals > 0) {
          now.put(change.substring(0, equals), change.substring(equals + 1));
        }
      }
    }
    return seen;
  }

  @Test
  void outputAndExitCodeAreTheProgramsOwn() throws Exception {
    Path script = folder.resolve("script.sh");
    Files.writeString(script, "#!/bin/sh\nprintf 'a\\r\\nb\\000\\377'; echo error >&2; exit 7\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    Path output = folder.resolve("script.kymo");
    Process process =
        Kymo.start(
            folder,
            Map.of(),
            "machine",
            "record",
            "-q",
            "-o",
            output.toString(),
            "--",
            script.toString());
    byte[] out = process.getInputStream().readAllBytes();
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isEqualTo(7);
    assertThat(out).isEqualTo(new byte[] {'a', '\r', '\n', 'b', 0, (byte) 0xFF});
    assertThat(err).isEqualTo("error\n");
  }

  @Test
  void whatThePictureIsMadeOfHasLevels() throws Exception {
    String use = use(recording);
    assertThat(use)
        .contains("\"application\"", "\"system call\"", "\"exception\"", "\"interrupt\"");
    Map<String, Long> calls = calls(recording);
    assertThat(calls.get("exception.page_fault")).isGreaterThan(10);
    assertThat(calls.get("interrupt.apic_timer_interrupt")).isGreaterThan(10);
    assertThat(calls.get("system call.write")).isPositive();
    assertThat(calls.get("waiting.not running")).isGreaterThan(10);
    // It is called by nothing else.
    assertThat(calls.get("[kernel].asm_exc_page_fault"))
        .isEqualTo(calls.get("exception.page_fault"));
  }

  @Test
  void pointsOfTheKernelAreFew() throws Exception {
    Kymo.Result result = Kymo.run("print", "--points", "--csv", recording.toString());
    assertThat(result.err()).isEmpty();
    List<String> lines = result.out().lines().toList();
    assertThat(lines)
        .filteredOn(line -> line.contains(",fault,") && line.endsWith(",page_fault"))
        .hasSizeGreaterThan(20);
    // The kernel tests an exception that changes where a function returns to.
    assertThat(lines)
        .filteredOn(line -> line.contains(",unmatched return,"))
        .hasSizeBetween(1, 20)
        .anyMatch(line -> line.endsWith(",to [kernel] int3_selftest_ip+0x5"))
        .noneMatch(line -> line.endsWith(",to [kernel] x86_64_start_kernel"));
    assertThat(lines.stream().filter(line -> line.endsWith(",0xffffffff81000000"))).hasSize(1);
  }

  @Test
  void theBootNeedNotBeRecorded() throws Exception {
    Path output = folder.resolve("program.kymo");
    Kymo.Result result =
        Kymo.run(
            "machine",
            "record",
            "-q",
            "--start-at",
            "program",
            "-o",
            output.toString(),
            "--",
            shared.resolve("nested").toString(),
            "calls",
            "12");
    assertThat(result).isEqualTo(new Kymo.Result(0, said, ""));
    long all = number(use(output), "instructions");
    assertThat(all).isBetween(100_000L, number(use(recording), "instructions") / 10);
    assertThat(calls(output))
        .containsEntry("main", 1L)
        .containsEntry("fib", calls(recording).get("fib"))
        .doesNotContainKey("[kernel].start_kernel");
    Kymo.Result added =
        Kymo.run(
            "machine", "replay", "--registers", "--from", "50", "--to", "70", output.toString());
    assertThat(added.err()).contains("added the registers at 20 instructions");
    Kymo.Result listing =
        Kymo.run("print", "--instructions", "--from", "50", "--to", "69", output.toString());
    assertThat(listing.out().lines().filter(line -> line.contains(" rsp="))).isNotEmpty();
  }

  @Test
  void onlyMachinesAreReplayed() throws Exception {
    Path other = folder.resolve("other.kymo");
    Files.createDirectories(other.resolve("instructions"));
    assertThat(refusal(other)).contains("not the recording of a machine");
    Path machine = other.resolve("instructions/machine");
    Files.writeString(machine, "kernel ../../etc\nmegabytes 1\n");
    assertThat(refusal(other)).contains("damaged");
    Files.writeString(machine, "-monitor\nexec\n");
    assertThat(refusal(other)).contains("damaged");
  }

  private static String refusal(Path other) throws Exception {
    Kymo.Result result =
        Kymo.run("machine", "replay", "--registers", "--to", "1", other.toString());
    assertThat(result.exit()).isEqualTo(2);
    return result.err();
  }
}
