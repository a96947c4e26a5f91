package dev.kymo.states;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Clock;
import dev.kymo.format.Definition;
import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.MetadataText;
import dev.kymo.writer.DefinitionFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events as older, newer and smaller kernels lay them out. */
class OtherKernelsTest {
  private static final UUID ID = UUID.randomUUID();
  private static final String SWITCH_32 =
      "sched:sched_switch char prev_comm[16] 8 16 0,pid_t prev_pid 24 4 1,int prev_prio 28 4 1,"
          + "long prev_state 32 4 1,char next_comm[16] 36 16 0,pid_t next_pid 52 4 1";
  private static final String WAKEUP =
      "sched:sched_wakeup char comm[16] 8 16 0,pid_t pid 24 4 1,int prio 28 4 1,"
          + "int success 32 4 1";
  private static final String WAKING =
      "sched:sched_waking char comm[16] 8 16 0,pid_t pid 24 4 1,int prio 28 4 1";
  private static final String FORK =
      "sched:sched_process_fork char parent_comm[16] 8 16 0,pid_t parent_pid 24 4 1,"
          + "char child_comm[16] 28 16 0,pid_t child_pid 44 4 1";
  private static final String NEW_FORK =
      "sched:sched_process_fork __data_loc char[] parent_comm 8 4 0,pid_t parent_pid 12 4 1,"
          + "__data_loc char[] child_comm 16 4 0,pid_t child_pid 20 4 1";

  @TempDir Path directory;
  private DefinitionFile definitions;
  private KernelStates states;
  private final List<KernelEventFormat> formats = new ArrayList<>();

  @BeforeEach
  void begin() throws IOException {
    Files.writeString(
        directory.resolve("metadata"), MetadataText.of(ID, new Clock("tsc", 1_000_000_000L, 0)));
    definitions = new DefinitionFile(directory, ID, 1);
    definitions.define(0, new Definition.TracedProcess(1, 0, 0, "Linux", ""));
    states = new KernelStates(new KernelStates.Place(directory, ID, 1, 2), true, definitions, 0);
  }

  /** Defines a kind: "subsystem:name declaration offset size signed,...". */
  private void define(String kind) throws IOException {
    String[] words = kind.split(" ", 2);
    StringBuilder text = new StringBuilder("name: " + words[0].split(":")[1] + "\nID: 1\n");
    for (String field : words.length == 1 ? new String[0] : words[1].split(",")) {
      text.append(
          field.replaceAll(
              "(.*) (\\d+) (\\d+) (\\d)", "field:$1; offset:$2; size:$3; signed:$4;\n"));
    }
    KernelEventFormat format = KernelEventFormat.parse(words[0].split(":")[0], text.toString());
    formats.add(format);
    states.format(format);
  }

  /** Bytes of an event: values of its fields by their names, in pairs. */
  private byte[] bytes(KernelEventFormat format, int tid, Object... values) {
    ByteBuffer event = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN).putInt(4, tid);
    int end = format.fixedSize();
    for (int i = 0; i < values.length; i += 2) {
      KernelEventFormat.Field field = format.field((String) values[i]);
      byte[] text = String.valueOf(values[i + 1]).getBytes(StandardCharsets.UTF_8);
      if (field.isDynamic()) {
        int from = end - (field.relative() ? field.offset() + 4 : 0);
        event.putInt(field.offset(), (text.length + 1) << 16 | from).put(end, text);
        end += text.length + 1;
      } else if (field.kind() == KernelEventFormat.Kind.TEXT) {
        event.put(field.offset(), text);
      } else if (field.size() == 4) {
        event.putInt(field.offset(), (int) values[i + 1]);
      } else {
        event.putLong(field.offset(), (int) values[i + 1]);
      }
    }
    return Arrays.copyOf(event.array(), end);
  }

  private boolean event(int cpu, long clock, String name, int tid, Object... values)
      throws IOException {
    for (int i = 0; i < formats.size(); i++) {
      if (formats.get(i).name().equals(name)) {
        byte[] bytes = bytes(formats.get(i), tid, values);
        return states.event(cpu, clock, i, bytes, 0, bytes.length);
      }
    }
    throw new IllegalArgumentException(name);
  }

  private boolean switches(int cpu, long clock, int prev, int state, int next) throws IOException {
    return event(
        cpu,
        clock,
        "sched_switch",
        prev,
        "prev_pid",
        prev,
        "prev_state",
        state,
        "next_pid",
        next,
        "next_comm",
        "t" + next);
  }

  private List<String> threads() throws IOException {
    states.close();
    definitions.close();
    return WrittenCalls.of(directory).stream().filter(line -> !line.startsWith("CPU")).toList();
  }

  @Test
  void wakeupsCountWhereATraceHasNoWakings() throws IOException {
    define(WAKEUP);
    define(SWITCH_32);
    switches(0, 10, 0, 0, 7);
    event(0, 20, "sched_wakeup", 7, "pid", 8, "comm", "eight", "success", 1);
    event(0, 25, "sched_wakeup", 7, "pid", 9, "comm", "nine", "success", 0);
    switches(0, 30, 7, 1, 8);
    assertThat(threads())
        .containsExactlyInAnyOrder(
            "eight: runnable.woken 20-30 by t7",
            "eight:   handed.CPU 30-30 by t7",
            "eight: running.CPU 0 30-30...",
            "t7: running.CPU 0 10-30",
            "t7: blocked. 30-30...");
  }

  @Test
  void wakingsCountWhereATraceHasBoth() throws IOException {
    define(WAKEUP);
    define(WAKING);
    define(SWITCH_32);
    switches(0, 10, 0, 0, 7);
    switches(0, 12, 7, 1, 0);
    event(1, 20, "sched_waking", 0, "pid", 7);
    event(0, 25, "sched_wakeup", 0, "pid", 7, "success", 1);
    switches(0, 30, 0, 0, 7);
    assertThat(event(0, 35, "sched_wakeup", 7, "pid", 8, "success", 1)).isTrue();
    assertThat(event(0, 36, "sched_wakeup", 0, "pid", 8, "success", 1)).isFalse();
    assertThat(threads())
        .containsExactly(
            "t7: running.CPU 0 10-12",
            "t7: blocked. 12-20",
            "t7: runnable.woken 20-30",
            "t7: running.CPU 0 30-30...");
  }

  @Test
  void forksMakeThreadsWhereATraceHasNoNewTasks() throws IOException {
    define(FORK);
    define("sched:sched_process_exit char comm[16] 8 16 0,pid_t pid 24 4 1");
    define(SWITCH_32);
    event(0, 10, "sched_process_fork", 7, "child_pid", 8, "child_comm", "child");
    switches(0, 20, 0, 0, 8);
    event(0, 30, "sched_process_exit", 8, "pid", 8);
    switches(0, 31, 8, 2, 0); // it may block while it ends
    switches(0, 32, 0, 0, 8);
    switches(0, 33, 8, 64, 0); // dead, as Linux before 4.14 says it
    event(1, 50, "sched_process_fork", 7, "child_pid", 8, "child_comm", "again");
    assertThat(threads())
        .containsExactly(
            "child: runnable.new 10-20",
            "child: running.CPU 0 20-31",
            "child: blocked.I/O 31-32",
            "child: running.CPU 0 32-33",
            "again: runnable.new 50-50...");
  }

  @Test
  void newTasksCountWhereATraceHasBoth() throws IOException {
    define(NEW_FORK);
    define("task:task_newtask pid_t pid 8 4 1,char comm[16] 12 16 0,u64 clone_flags 32 8 0");
    event(0, 10, "task_newtask", 7, "pid", 8, "comm", "child", "clone_flags", 0);
    event(0, 11, "sched_process_fork", 7, "child_pid", 8, "child_comm", "child");
    assertThat(threads()).containsExactly("child: runnable.new 10-10...");
  }

  @Test
  void namesElsewhereInTheEventAreFound() throws IOException {
    define(NEW_FORK);
    define("sched:sched_process_exec __rel_loc char[] filename 8 4 0,pid_t pid 12 4 1");
    event(0, 10, "sched_process_fork", 7, "parent_comm", "sh", "child_pid", 8, "child_comm", "ch");
    event(0, 20, "sched_process_exec", 8, "filename", "/usr/bin/a-name-of-more-than-15", "pid", 8);
    assertThat(threads()).containsExactly("a-name-of-more-: runnable.new 10-10...");
  }

  @Test
  void eventsWithoutTheirFieldsHaveNoEffect() throws IOException {
    define("sched:sched_switch pid_t prev_pid 8 4 1,pid_t next_pid 12 4 1");
    define("sched:sched_wakeup");
    define("sched:sched_process_fork char child_comm[16] 8 16 0");
    define("task:task_rename pid_t pid 8 4 1");
    define("task:task_newtask");
    define("sched:sched_process_free");
    define("sched:sched_process_exec");
    define("irq:irq_handler_entry");
    define("irq:irq_handler_exit");
    define("syscalls:sys_other");
    for (KernelEventFormat format : formats) {
      event(0, 10, format.name(), 0);
    }
    assertThat(threads()).isEmpty();
  }

  @Test
  void eventsShorterThanTheirFormatHaveNoEffect() throws IOException {
    for (String kind : List.of(SWITCH_32, WAKEUP, FORK, NEW_FORK)) {
      define(kind);
    }
    define("irq:irq_handler_entry int irq 8 4 1,__data_loc char[] name 12 4 0");
    for (int kind = 0; kind < formats.size(); kind++) {
      int size = formats.get(kind).fixedSize();
      for (int length = 0; length < size - 4; length++) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 1);
        assertThat(states.event(0, 10, kind, bytes, 0, length)).isEqualTo(kind == 4 && length >= 8);
      }
      byte[] bytes = new byte[size];
      Arrays.fill(bytes, 8, size, (byte) 1); // says that its text lies beyond its end
      states.event(0, 20, kind, bytes, 0, size);
    }
  }

  @Test
  void processesAreNotKnownUnlessSomethingSaysThem() throws IOException {
    define(FORK);
    define(SWITCH_32);
    states.withoutProcesses();
    states.present(5, 4, "five", false, 0);
    switches(0, 10, 0, 0, 7);
    event(0, 20, "sched_process_fork", 7, "child_pid", 8, "child_comm", "child");
    assertThat(List.of(states.process(5), states.process(7), states.process(8)))
        .containsExactly(4, 0, 0);
  }
}
