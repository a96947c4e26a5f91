package dev.kymo.instructions.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kymo.format.InstructionLayout;
import dev.kymo.instructions.calls.FoundPoint;
import dev.kymo.instructions.calls.InstructionTrace;
import dev.kymo.instructions.calls.PointKind;
import dev.kymo.instructions.calls.ThreadPoints;
import dev.kymo.instructions.trace.Functions;
import dev.kymo.instructions.trace.MadeFiles;
import dev.kymo.testkit.TraceBuilder;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Irregular points of traces that are made up. */
class PointListingTest {
  private static final String NOP = "90";
  private static final String RET = "c3";
  private static final String CALL = "e800000000"; // where to does not matter: the next block says
  private static final String JUMP = "ffe0";
  private static final String INTERRUPT_RETURN = "48cf";
  private static final long KERNEL = 0xffffffff81000000L;
  private static final int SEGV = 11;
  private static final int TERM = 15;
  private static final int SIGRETURN = 15;
  private static final int EXIT = 60;

  private static PointListing.Selection all(Set<PointKind> kinds) {
    return new PointListing.Selection(0, Long.MAX_VALUE, kinds, (process, thread) -> true);
  }

  private static InstructionTrace open(TraceBuilder trace) throws IOException {
    return InstructionTrace.open(new MadeFiles(trace.files()), new UUID(1, 2));
  }

  private static long size(TraceBuilder trace) {
    return Objects.requireNonNull(trace.files().get("p1-thread-1")).length;
  }

  /** What is found in the first thread. */
  private static ThreadPoints found(TraceBuilder trace) throws IOException {
    Map<Integer, ThreadPoints> threads = open(trace).points(Map.of()).get(1);
    return Objects.requireNonNull(Objects.requireNonNull(threads).get(1));
  }

  private static List<String> points(TraceBuilder trace, Set<PointKind> kinds, String... critical)
      throws IOException {
    InstructionTrace open = open(trace);
    PointListing points = new PointListing(open, (process, method) -> "", Set.of(critical));
    assertThat(open.damages()).isEmpty();
    return points.list(all(kinds), 0, 100).stream()
        .map(p ->
            "%d %d/%d %x %s: %s"
                .formatted(p.clock(), p.process(), p.thread(), p.address(), p.function(), p.text()))
        .toList();
  }

  private static TraceBuilder program() {
    TraceBuilder trace = new TraceBuilder(InstructionLayout.BEGIN_FIRST);
    trace.functions(
        1,
        new TreeMap<>(
            Map.of(0x1000L, "main", 0x2000L, "outer", 0x3000L, "inner", 0x4000L, "other")));
    trace.block(0x1000, NOP, CALL); // 1
    trace.block(0x2000, NOP, CALL); // 2
    trace.block(0x3000, NOP, RET); // 3
    trace.block(0x2006, RET); // 4
    trace.block(0x1006, NOP); // 5
    trace.block(0x3010, JUMP); // 6
    trace.block(0x4004, NOP, RET); // 7
    return trace;
  }

  private static TraceBuilder program(TraceBuilder.Records records) {
    TraceBuilder trace = program();
    trace.thread(1, 1, 0, records);
    return trace;
  }

  private static TraceBuilder.Records records() {
    return new TraceBuilder.Records();
  }

  private static final Set<PointKind> CALLS =
      EnumSet.of(PointKind.UNMATCHED_RETURN, PointKind.LEFT_CALL);

  @Test
  void callsThatReturnAreRegular() throws IOException {
    assertThat(points(program(records().blocks(1, 2, 3, 4, 5)), CALLS)).isEmpty();
  }

  @Test
  void aReturnToElsewhereMatchesNoCall() throws IOException {
    assertThat(points(program(records().blocks(1, 2, 3, 7)), CALLS))
        .containsExactly("5 1/1 3001 inner+0x1: to other+0x4");
  }

  @Test
  void nobodyKnowsWhoCalledBeforeTheRecording() throws IOException {
    assertThat(points(program(records().blocks(3, 5)), CALLS)).isEmpty();
  }

  @Test
  void aJumpOrAReturnToAnOuterFunctionLeavesCalls() throws IOException {
    TraceBuilder.Records jump = records().blocks(1, 2, 6, 5);
    assertThat(points(program(jump), CALLS))
        .containsExactly("4 1/1 3010 inner+0x10: outer and 1 call in it, to main+0x6");
    TraceBuilder.Records back = records().blocks(1, 2, 3, 5);
    assertThat(points(program(back), CALLS))
        .containsExactly("5 1/1 3001 inner+0x1: inner, to main+0x6");
  }

  @Test
  void whatEndsItselfLeavesItsCalls() throws IOException {
    TraceBuilder.Records exits =
        records().blocks(1, 2).event(InstructionLayout.EVENT_SYSCALL, EXIT, 0);
    assertThat(points(program(exits), CALLS))
        .containsExactly("3 1/1 2001 outer+0x1: main and 2 calls in it, the thread has ended");
    assertThat(points(program(records().blocks(1, 2)), CALLS)).isEmpty();
  }

  @Test
  void faultsAreSignalsOfTheProcessor() throws IOException {
    TraceBuilder.Records faults =
        records()
            .blocks(1, 2)
            .event(InstructionLayout.EVENT_SIGNAL, SEGV, 1, 0x2001)
            .blocks(7)
            .event(InstructionLayout.EVENT_SYSCALL, SIGRETURN, 0)
            .blocks(2)
            .event(InstructionLayout.EVENT_SIGNAL, TERM, 2, 0x3000)
            .blocks(7);
    assertThat(points(program(faults), Set.of(PointKind.FAULT)))
        .containsExactly("3 1/1 2001 outer+0x1: SIGSEGV");
    assertThat(points(program(faults), Set.of(PointKind.CRITICAL), "outer"))
        .containsExactly("7 1/1 3000 inner: SIGTERM in outer");
    assertThat(points(program(faults), Set.of(PointKind.CRITICAL), "inner")).isEmpty();
    assertThatThrownBy(() -> points(program(faults), CALLS, "nobody"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no function of this name was executed: nobody");
  }

  @Test
  void eachPageIsExecutedFirstOnce() throws IOException {
    TraceBuilder trace = program();
    int crosses = trace.block(0x4ffe, NOP, CALL); // 8
    trace.thread(1, 1, 100, records().blocks(1, 2, 3, 4, crosses));
    trace.thread(1, 2, 50, records().blocks(5, 3));
    assertThat(points(trace, Set.of(PointKind.FIRST_EXECUTION)))
        .containsExactly(
            "50 1/2 1006 main+0x6: 0x1000",
            "51 1/2 3000 inner: 0x3000",
            "102 1/1 2000 outer: 0x2000",
            "107 1/1 4ffe other+0xffe: 0x4000",
            "108 1/1 4fff other+0xfff: 0x5000");
  }

  @Test
  void whatFaultsIsNotExecuted() throws IOException {
    TraceBuilder.Records faults =
        records()
            .blocks(5)
            .event(InstructionLayout.EVENT_SIGNAL, SEGV, 1, 0x3000)
            .blocks(3)
            .event(InstructionLayout.EVENT_SIGNAL, SEGV, 0, 0x3000)
            .blocks(7)
            .event(InstructionLayout.EVENT_SYSCALL, SIGRETURN, 0)
            .blocks(3);
    assertThat(points(program(faults), Set.of(PointKind.FIRST_EXECUTION)))
        .containsExactly(
            "0 1/1 1006 main+0x6: 0x1000",
            "1 1/1 4004 other+0x4: 0x4000",
            "3 1/1 3000 inner: 0x3000");
  }

  private static TraceBuilder machine() {
    TraceBuilder trace = new TraceBuilder(InstructionLayout.BEGIN_MACHINE);
    trace.entry(1, InstructionLayout.ENTRY_EXCEPTION, "page_fault");
    trace.entry(2, InstructionLayout.ENTRY_INTERRUPT, "timer");
    trace.functions(1, new TreeMap<>(Map.of(KERNEL, "entry")));
    trace.functions(2, new TreeMap<>(Map.of(KERNEL, "entry", 0x1000L, "main", 0x2000L, "outer")));
    trace.block(0x1000, NOP, CALL); // 1
    trace.block(0x2000, NOP); // 2
    trace.block(0x2001, RET); // 3
    trace.block(0x1006, NOP); // 4
    trace.block(KERNEL, NOP); // 5
    trace.block(KERNEL + 1, INTERRUPT_RETURN); // 6
    trace.block(0x3000, "ff2500000000"); // 7: of a procedure linkage table
    trace.block(0x4000, NOP, CALL); // 8
    trace.block(0x4006, RET); // 9
    trace.about(2);
    return trace;
  }

  private static TraceBuilder machine(TraceBuilder.Records records) {
    TraceBuilder trace = machine();
    trace.thread(2, 1, 0, records);
    return trace;
  }

  private static TraceBuilder.Records switched(int entry) {
    return records()
        .blocks(1, 2)
        .event(InstructionLayout.EVENT_ENTRY, entry, 1, 0x2001)
        .blocks(5)
        .event(InstructionLayout.EVENT_SWITCH, 500)
        .blocks(6, 3, 4);
  }

  @Test
  void anInterruptTakesTheProcessorAway() throws IOException {
    Set<PointKind> kinds = EnumSet.complementOf(EnumSet.of(PointKind.FIRST_EXECUTION));
    assertThat(points(machine(switched(2)), kinds))
        .containsExactly("4 2/1 2001 outer+0x1: by timer, for 500 instructions");
    // A page may be waited for.
    assertThat(points(machine(switched(1)), kinds))
        .containsExactly("3 2/1 2001 outer+0x1: page_fault");
    assertThat(points(machine(switched(2)), Set.of(PointKind.CRITICAL), "main"))
        .containsExactly("3 2/1 2001 outer+0x1: timer in main");
  }

  @Test
  void anInterruptInALinkageTableGoesBackThere() throws IOException {
    TraceBuilder.Records records =
        records()
            .blocks(1, 8)
            .event(InstructionLayout.EVENT_ENTRY, 1, 2, 0x3000)
            .blocks(5, 6, 7, 2, 3, 9, 4);
    assertThat(points(machine(records), CALLS)).isEmpty();
  }

  @Test
  void allProcessesOfAMachineHaveTheSameKernel() throws IOException {
    TraceBuilder trace = machine(switched(2));
    trace.thread(1, 1, 1, records().blocks(5));
    assertThat(points(trace, Set.of(PointKind.FIRST_EXECUTION)))
        .containsExactly(
            "0 2/1 1000 main: 0x1000",
            "1 1/1 ffffffff81000000 entry: 0xffffffff81000000",
            "2 2/1 2000 outer: 0x2000");
  }

  @Test
  void aPartOfTheListIsGiven() throws IOException {
    PointListing points =
        new PointListing(
            open(program(records().blocks(1, 2, 3, 4))), (process, method) -> "", Set.of());
    PointListing.Selection later =
        new PointListing.Selection(
            1, 4, EnumSet.allOf(PointKind.class), (process, thread) -> thread == 1);
    assertThat(points.count(later)).isOne();
    assertThat(points.list(later, 0, 10)).extracting(IrregularPoint::clock).containsExactly(2L);
    assertThat(points.list(all(later.kinds()), 1, 1))
        .extracting(IrregularPoint::clock)
        .containsExactly(2L);
  }

  @Test
  void aFileHasWhatWasFound() throws IOException {
    TraceBuilder trace = program(records().blocks(1, 2, 3, 7));
    Set<PointKind> kinds = EnumSet.allOf(PointKind.class);
    ThreadPoints found = found(trace);
    String name = ThreadPoints.fileName(1, 1);
    byte[] file = found.bytes(size(trace)).array();
    List<String> before = points(trace, kinds);
    trace.files().put(name, file);
    assertThat(points(trace, kinds)).hasSize(5).isEqualTo(before);
    trace.files().put(name, new ThreadPoints().bytes(size(trace)).array());
    assertThat(points(trace, kinds)).as("the file is believed").isEmpty();
  }

  @Test
  void aDamagedFileIsFoundAgain() throws IOException {
    TraceBuilder trace = program(records().blocks(1, 2, 3, 7));
    long size = size(trace);
    byte[] file = found(trace).bytes(size).array();
    List<String> whole = points(trace, EnumSet.allOf(PointKind.class));
    Random random = new Random(20261125);
    for (int i = 0; i < 500; i++) {
      byte[] damaged = Arrays.copyOf(file, random.nextInt(file.length + 20));
      if (damaged.length > 0 && damaged.length >= file.length) {
        damaged[random.nextInt(file.length)] ^= (byte) (1 << random.nextInt(8));
      }
      trace.files().put(ThreadPoints.fileName(1, 1), damaged);
      assertThat(points(trace, EnumSet.allOf(PointKind.class))).isEqualTo(whole);
    }
    byte[] other = found(trace).bytes(size + 1).array();
    trace.files().put(ThreadPoints.fileName(1, 1), other);
    assertThat(points(trace, EnumSet.allOf(PointKind.class))).isEqualTo(whole);
  }

  @Test
  void manyOfAKindAreCounted() {
    ThreadPoints points = new ThreadPoints();
    for (int i = 0; i < ThreadPoints.MOST + 5; i++) {
      points.add(new FoundPoint(PointKind.FAULT, i, 0, 0, Functions.SIGNAL | SEGV, 0));
    }
    points.add(new FoundPoint(PointKind.PREEMPTED, 1, 0, 0, Functions.ENTRY | 1, 0));
    assertThat(points.points()).hasSize(ThreadPoints.MOST + 1);
    ThreadPoints read = ThreadPoints.read(points.bytes(7), 7);
    assertThat(read).isNotNull();
    assertThat(read.points()).isEqualTo(points.points());
    assertThat(read.count(PointKind.FAULT)).isEqualTo(ThreadPoints.MOST + 5);
    assertThat(points.bytes(7).remaining()).isLessThan(ThreadPoints.MAX_SIZE);
  }
}
