package dev.kymo.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every instruction of a kernel and a program on it. A plugin that knows nothing of Kymo judges.
 */
@Tag("peer")
class MachineTest {
  private static final Path SOURCES = Path.of("src/native").toAbsolutePath();
  private static final String[] REGISTERS = {
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"
  };

  /** Instructions whose registers are compared. */
  private static final long RANGE = 100_000;

  /** Column of a report. */
  private static final int CALLS = 5;

  @TempDir static Path shared;

  /** A machine that was recorded once for all tests: nested calls 12. */
  private static Path recording;

  private static String said;

  @TempDir Path folder;

  @BeforeAll
  static void record() throws Exception {
    NativePrograms.assumeInstalled();
    assumeTrue(
        Files.isRegularFile(NativePrograms.LIBRARY.resolve("libkymo-machine.so")),
        "skipped: libkymo-machine was not built, this is no x86-64 machine");
    Kymo.Result prepared = Kymo.run("machine", "prepare");
    assumeTrue(
        prepared.exit() == 0,
        "skipped: QEMU 10 and a kernel cannot be had from Debian: " + prepared.err());
    Path program =
        NativePrograms.compile(SOURCES.resolve("nested.c"), shared.resolve("nested"), "-no-pie");
    recording = shared.resolve("run.kymo");
    Kymo.Result result =
        Kymo.run(
            "machine",
            "record",
            "-q",
            "-o",
            recording.toString(),
            "--",
            program.toString(),
            "calls",
            "12");
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
    said = result.out();
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
    try (Stream<Path> files = Files.list(recording.resolve("instructions"))) {
      assertThat(files.filter(f -> f.getFileName().toString().startsWith("replaying"))).isEmpty();
    }
  }

  private static long number(String json, String field) {
    Matcher matcher = Pattern.compile("\"" + field + "\" ?: ?(\\d+)").matcher(json);
    assertThat(matcher.find()).as(json).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  private static String use(Path of) throws Exception {
    return Kymo.run("report", "--instructions", "--json", of.toString()).out();
  }

  /** How often each method was called, by all processes. */
  private static Map<String, Long> calls(Path of) throws Exception {
    Map<String, Long> calls = new HashMap<>();
    String csv = Kymo.run("report", "--csv", of.toString()).out();
    csv.lines()
        .skip(1)
        .map(line -> line.split(","))
        .forEach(words -> calls.merge(words[0], Long.valueOf(words[CALLS]), Long::sum));
    return calls;
  }

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
    // The kernel calls what follows its first page tables by a return.
    assertThat(lines)
        .filteredOn(line -> line.contains(",unmatched return,"))
        .hasSizeBetween(1, 20)
        .anyMatch(line -> line.endsWith(",to [kernel] x86_64_start_kernel"));
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
  void theNewestInstructionsAreKept() throws Exception {
    Path output = folder.resolve("newest.kymo");
    Kymo.Result result =
        Kymo.run(
            "machine",
            "record",
            "--max-size",
            "5M",
            "--at-full",
            "overwrite",
            "-o",
            output.toString(),
            "--",
            shared.resolve("nested").toString(),
            "calls",
            "12");
    assertThat(result.out()).isEqualTo(said);
    assertThat(result.err()).contains("the oldest instructions are missing");
    assertThat(calls(output))
        .containsEntry("main", 1L)
        .containsEntry("fib", calls(recording).get("fib"));
    assertThat(number(use(output), "instructions"))
        .isLessThan(number(use(recording), "instructions"));
    assertThat(Kymo.run("info", output.toString()).out()).contains("oddities     0");
    Matcher recorded = Pattern.compile("recorded ([\\d ]+) instructions").matcher(result.err());
    Matcher missing = Pattern.compile("kept: instructions=(\\d+)").matcher(result.err());
    assertThat(recorded.find() && missing.find()).as(result.err()).isTrue();
    long end =
        Long.parseLong(recorded.group(1).replace(" ", "")) + Long.parseLong(missing.group(1));
    // The machine's clock counts each instruction once, the missing ones, too.
    String from = Long.toString(end - 2000);
    String to = Long.toString(end - 1000);
    Kymo.Result added =
        Kymo.run(
            "machine", "replay", "--registers", "--from", from, "--to", to, output.toString());
    assertThat(added.err()).contains("added the registers at 1 000 instructions");
    Kymo.Result listing =
        Kymo.run("print", "--instructions", "--csv", "--from", from, output.toString());
    assertThat(listing.out().lines().filter(line -> line.contains(",instruction,"))).hasSize(2000);
    assertThat(listing.out()).contains("rsp=");
  }

  @Test
  void recordingBeginsAndEndsAtFunctionsOfTheProgram() throws Exception {
    Path program = NativePrograms.compile(SOURCES.resolve("nested.c"), folder.resolve("moved"));
    Path output = folder.resolve("part.kymo");
    Kymo.Result result =
        Kymo.run(
            "machine",
            "record",
            "-q",
            "--start-at",
            "worked#300",
            "--stop-at",
            "worked#350",
            "-o",
            output.toString(),
            "--",
            program.toString(),
            "threads",
            "4");
    assertThat(result).isEqualTo(new Kymo.Result(0, "", ""));
    assertThat(calls(output)).containsEntry("worked", 50L);
    String info = Kymo.run("info", output.toString()).out();
    assertThat(info).contains("oddities     0").contains("0 leaves without enter");
  }

  @Test
  void recordingBeginsAtANumberOrAFunctionOfTheKernel() throws Exception {
    long from = number(use(recording), "instructions") / 10 * 9;
    Path output = folder.resolve("end.kymo");
    Kymo.Result result =
        Kymo.run(
            "machine",
            "record",
            "-q",
            "--start-at",
            Long.toString(from),
            "--stop-at",
            "do_group_exit",
            "-o",
            output.toString(),
            "--",
            shared.resolve("nested").toString(),
            "calls",
            "12");
    assertThat(result).isEqualTo(new Kymo.Result(0, said, ""));
    assertThat(calls(output))
        .containsEntry("fib", calls(recording).get("fib"))
        .containsEntry("[kernel].do_group_exit", 1L)
        .doesNotContainKeys("[kernel].exit_notify", "[boot].0x1000160");
    Kymo.Result added =
        Kymo.run(
            "machine",
            "replay",
            "--registers",
            "--from",
            Long.toString(from + 1000),
            "--to",
            Long.toString(from + 1100),
            output.toString());
    assertThat(added.err()).contains("added the registers at 100 instructions");
    Kymo.Result listing =
        Kymo.run(
            "print", "--instructions", "--csv", "--to", "" + (from + 1100), output.toString());
    List<String> lines =
        listing.out().lines().filter(line -> line.contains(",instruction,")).toList();
    long first = Long.parseLong(lines.getFirst().split(",")[0]);
    assertThat(first).isBetween(from, from + 512);
    assertThat(lines.stream().filter(line -> line.contains("=")).count()).isGreaterThan(50);
  }

  /** Records a program that ends by nothing that it does itself. */
  private Kymo.Result halting(Path output, List<String> options, List<String> arguments)
      throws Exception {
    Path program = NativePrograms.compile(SOURCES.resolve("halts.c"), folder.resolve("halts"));
    List<String> all = new ArrayList<>(List.of("machine", "record", "-o", output.toString()));
    all.addAll(options);
    all.addAll(List.of("--", program.toString()));
    all.addAll(arguments);
    return Kymo.run(all.toArray(String[]::new));
  }

  @Test
  void aMachineThatHaltsIsEnded() throws Exception {
    Path output = folder.resolve("halted.kymo");
    Kymo.Result result = halting(output, List.of(), List.of());
    assertThat(result.exit()).isOne();
    assertThat(result.err())
        .contains("kymo: the machine ended before the program did: error=\"it has halted\"")
        .contains("reboot: System halted");
    assertThat(calls(output)).containsEntry("system call.reboot", 1L);
  }

  @Test
  void aMachineThatDoesNotEndIsEnded() throws Exception {
    Path output = folder.resolve("endless.kymo");
    Kymo.Result result = halting(output, List.of("--max-time", "20s"), List.of("loops"));
    assertThat(result.exit()).isOne();
    assertThat(result.err())
        .contains("the machine ended before the program did: error=\"it has not ended within --max-time\"");
    assertThat(Kymo.run("info", output.toString()).out()).contains("oddities     0");
  }

  /** Records until a fault, and what is left of the boot if little is kept. */
  private Kymo.Result untilFault(Path output, String... command) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of("machine", "record", "--stop-on", "fault", "--keep", "1M", "-o", "" + output));
    words.addAll(List.of(command));
    return Kymo.run(words.toArray(String[]::new));
  }

  @Test
  void recordingStopsAtTheFirstFaultOfAProgram() throws Exception {
    Path program =
        NativePrograms.compile(SOURCES.resolve("faulty.c"), folder.resolve("faulty"), "-no-pie");
    Path output = folder.resolve("fault.kymo");
    Kymo.Result result = untilFault(output, "--", program.toString(), "child");
    assertThat(result.exit()).isEqualTo(3);
    assertThat(result.out()).endsWith("child 11\nwent on\n");
    Matcher place = Pattern.compile("breaks 0x([0-9a-f]+)").matcher(result.out());
    assertThat(place.find()).isTrue();
    Matcher stopped =
        Pattern.compile(
                "stopped at a fault: SIGSEGV instruction=(\\d+) .* address=0x([0-9a-f]+) function=breaks\\+0x0 file=\\S+/faulty")
            .matcher(result.err());
    assertThat(stopped.find()).as(result.err()).isTrue();
    assertThat(stopped.group(2)).isEqualTo(place.group(1));
    assertThat(calls(output))
        .containsEntry("work", 1000L)
        .containsKey("exception.page_fault")
        .doesNotContainKey("after");
    long number = Long.parseLong(stopped.group(1));
    // The number is that of the kernel's first instruction for the fault.
    String csv =
        Kymo.run(
                "print",
                "--instructions",
                "--csv",
                "--from",
                "" + (number - 1),
                "--to",
                "" + (number + 1),
                output.toString())
            .out();
    assertThat(csv).containsPattern(number + ",.*asm_exc_page_fault");
  }

  @Test
  void recordingStopsWhereTheKernelGivesUp() throws Exception {
    Path output = folder.resolve("oops.kymo");
    Kymo.Result result =
        untilFault(output, "--", "sh", "-c", "echo c > /proc/sysrq-trigger; echo no");
    assertThat(result.exit()).isOne();
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains("the machine ended before the program did: kernel=\"")
        .contains("Kernel panic")
        .containsPattern("stopped at a fault: kernel (oops|panic) .* function=sysrq_handle_crash\\+");
    assertThat(Kymo.run("info", output.toString()).out()).contains("oddities     0");
    assertThat(calls(output)).containsKey("[kernel].sysrq_handle_crash");
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
