package dev.kymo.e2e.instructions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.NativePrograms;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where recordings of machines begin and end, and what is kept of them. */
@Tag("machine")
class MachineStopsTest extends MachineRecording {
  @Tag("machine")
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
        Kymo.run("machine", "replay", "--registers", "--from", from, "--to", to, output.toString());
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
        Kymo.run("print", "--instructions", "--csv", "--to", "" + (from + 1100), output.toString());
    List<String> lines =
        listing.out().lines().filter(line -> line.contains(",instruction,")).toList();
    long first = Long.parseLong(lines.getFirst().split(",")[0]);
    assertThat(first).isBetween(from, from + 512);
    // Which instructions change registers depends on the code, but some always do.
    List<String> replayed =
        lines.stream().filter(line -> Long.parseLong(line.split(",")[0]) >= from + 1000).toList();
    assertThat(replayed).hasSize(100);
    assertThat(replayed.stream().filter(line -> line.contains("="))).hasSizeGreaterThan(10);
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
        .contains(
            "the machine ended before the program did: error=\"it has not ended within --max-time\"");
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
        .containsPattern(
            "stopped at a fault: kernel (oops|panic) .* function=sysrq_handle_crash\\+");
    assertThat(Kymo.run("info", output.toString()).out()).contains("oddities     0");
    assertThat(calls(output)).containsKey("[kernel].sysrq_handle_crash");
  }
}
