package dev.kymo.importers.otf2.archive;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A kind of event that archives have: its number, its name, its fields in their order. */
public final class Otf2EventKind {
  public static final int BUFFER_FLUSH = 10;
  public static final int ENTER = 12;
  public static final int LEAVE = 13;
  public static final int MPI_SEND = 14;
  public static final int MPI_ISEND = 15;
  public static final int MPI_RECV = 18;
  public static final int MPI_IRECV = 19;
  public static final int METRIC = 31;
  public static final int CONTEXT_ENTER = 66;
  public static final int CONTEXT_LEAVE = 67;
  public static final int CONTEXT_SAMPLE = 68;

  private static final int NUMBERS = 256;

  /**
   * All kinds. A field is {@code name:form}, and a form is a number ({@code u8 u32 u64 i64}), a
   * time in ticks, what is referred to, or an enumeration or flags of {@link Labels}; {@code
   * strings} and {@code values} are preceded by their number.
   */
  private static final String TABLE =
      """
      10 BUFFER_FLUSH stop_time:time
      11 MEASUREMENT_ON_OFF mode:measurement
      12 ENTER region:region
      13 LEAVE region:region
      14 MPI_SEND receiver:u32 communicator:comm tag:u32 length:u64
      15 MPI_ISEND receiver:u32 communicator:comm tag:u32 length:u64 request:u64
      16 MPI_ISEND_COMPLETE request:u64
      17 MPI_IRECV_REQUEST request:u64
      18 MPI_RECV sender:u32 communicator:comm tag:u32 length:u64
      19 MPI_IRECV sender:u32 communicator:comm tag:u32 length:u64 request:u64
      20 MPI_REQUEST_TEST request:u64
      21 MPI_REQUEST_CANCELLED request:u64
      22 MPI_COLLECTIVE_BEGIN
      23 MPI_COLLECTIVE_END operation:collective communicator:comm root:root sent:u64 received:u64
      24 OMP_FORK requested_threads:u32
      25 OMP_JOIN
      26 OMP_ACQUIRE_LOCK lock:u32 order:u32
      27 OMP_RELEASE_LOCK lock:u32 order:u32
      28 OMP_TASK_CREATE task:u64
      29 OMP_TASK_SWITCH task:u64
      30 OMP_TASK_COMPLETE task:u64
      31 METRIC metric:metric values:values
      32 PARAMETER_STRING parameter:parameter value:string
      33 PARAMETER_INT64 parameter:parameter value:i64
      34 PARAMETER_UINT64 parameter:parameter value:u64
      35 RMA_WIN_CREATE window:rma_win
      36 RMA_WIN_DESTROY window:rma_win
      37 RMA_COLLECTIVE_BEGIN
      38 RMA_COLLECTIVE_END operation:collective sync:sync_level window:rma_win root:root sent:u64 received:u64
      39 RMA_GROUP_SYNC sync:sync_level window:rma_win group:group
      40 RMA_REQUEST_LOCK window:rma_win remote:u32 lock:u64 kind:lock
      41 RMA_ACQUIRE_LOCK window:rma_win remote:u32 lock:u64 kind:lock
      42 RMA_TRY_LOCK window:rma_win remote:u32 lock:u64 kind:lock
      43 RMA_RELEASE_LOCK window:rma_win remote:u32 lock:u64
      44 RMA_SYNC window:rma_win remote:u32 kind:sync
      45 RMA_WAIT_CHANGE window:rma_win
      46 RMA_PUT window:rma_win remote:u32 bytes:u64 matching:u64
      47 RMA_GET window:rma_win remote:u32 bytes:u64 matching:u64
      48 RMA_ATOMIC window:rma_win remote:u32 kind:atomic sent:u64 received:u64 matching:u64
      49 RMA_OP_COMPLETE_BLOCKING window:rma_win matching:u64
      50 RMA_OP_COMPLETE_NON_BLOCKING window:rma_win matching:u64
      51 RMA_OP_TEST window:rma_win matching:u64
      52 RMA_OP_COMPLETE_REMOTE window:rma_win matching:u64
      53 THREAD_FORK model:paradigm requested_threads:u32
      54 THREAD_JOIN model:paradigm
      55 THREAD_TEAM_BEGIN team:comm
      56 THREAD_TEAM_END team:comm
      57 THREAD_ACQUIRE_LOCK model:paradigm lock:u32 order:u32
      58 THREAD_RELEASE_LOCK model:paradigm lock:u32 order:u32
      59 THREAD_TASK_CREATE team:comm creating_thread:u32 generation:u32
      60 THREAD_TASK_SWITCH team:comm creating_thread:u32 generation:u32
      61 THREAD_TASK_COMPLETE team:comm creating_thread:u32 generation:u32
      62 THREAD_CREATE contingent:comm sequence:u64
      63 THREAD_BEGIN contingent:comm sequence:u64
      64 THREAD_WAIT contingent:comm sequence:u64
      65 THREAD_END contingent:comm sequence:u64
      66 CALLING_CONTEXT_ENTER context:calling_context unwind_distance:u32
      67 CALLING_CONTEXT_LEAVE context:calling_context
      68 CALLING_CONTEXT_SAMPLE context:calling_context unwind_distance:u32 generator:interrupt_generator
      69 IO_CREATE_HANDLE handle:io_handle mode:access creation:creation status:status
      70 IO_DESTROY_HANDLE handle:io_handle
      71 IO_DUPLICATE_HANDLE old:io_handle new:io_handle status:status
      72 IO_SEEK handle:io_handle request:i64 whence:whence result:u64
      73 IO_CHANGE_FLAGS handle:io_handle status:status
      74 IO_DELETE_FILE paradigm:io_paradigm file:io_file
      75 IO_OPERATION_BEGIN handle:io_handle mode:operation flags:operation_flags bytes:u64 matching:u64
      76 IO_OPERATION_TEST handle:io_handle matching:u64
      77 IO_OPERATION_ISSUED handle:io_handle matching:u64
      78 IO_OPERATION_COMPLETE handle:io_handle bytes:u64 matching:u64
      79 IO_OPERATION_CANCELLED handle:io_handle matching:u64
      80 IO_ACQUIRE_LOCK handle:io_handle kind:lock
      81 IO_RELEASE_LOCK handle:io_handle kind:lock
      82 IO_TRY_LOCK handle:io_handle kind:lock
      83 PROGRAM_BEGIN program:string arguments:strings
      84 PROGRAM_END exit_status:i64
      85 NON_BLOCKING_COLLECTIVE_REQUEST request:u64
      86 NON_BLOCKING_COLLECTIVE_COMPLETE operation:collective communicator:comm root:root sent:u64 received:u64 request:u64
      87 COMM_CREATE communicator:comm
      88 COMM_DESTROY communicator:comm
      """;

  private static final @Nullable Otf2EventKind[] KINDS = new Otf2EventKind[NUMBERS];

  static {
    TABLE.lines().map(Otf2EventKind::new).forEach(kind -> KINDS[kind.number] = kind);
  }

  private final int number;
  private final String name;
  private final List<Field> fields;

  /**
   * A field.
   *
   * @param form as the table has it
   * @param reference what a number refers to; null = it is a number
   * @param labels of an enumeration or flags; null = it is none
   */
  public record Field(
      String name, String form, @Nullable Reference reference, @Nullable Labels labels) {
    private static Field of(String text) {
      int colon = text.indexOf(':');
      String form = text.substring(colon + 1);
      Reference reference =
          Stream.of(Reference.values())
              .filter(known -> known.name().toLowerCase(Locale.ROOT).equals(form))
              .findFirst()
              .orElse(null);
      return new Field(text.substring(0, colon), form, reference, Labels.named(form));
    }
  }

  private Otf2EventKind(String row) {
    List<String> words = List.of(row.split(" "));
    this.number = Integer.parseInt(words.get(0));
    this.name = words.get(1);
    List<Field> all = new ArrayList<>();
    words.subList(2, words.size()).forEach(word -> all.add(Field.of(word)));
    this.fields = List.copyOf(all);
  }

  /** The kind with a number; null if it is not known. */
  public static @Nullable Otf2EventKind of(int number) {
    return KINDS[number];
  }

  public int number() {
    return number;
  }

  /** Its name as {@code otf2-print} has it: {@code MPI_SEND}. */
  public String name() {
    return name;
  }

  public List<Field> fields() {
    return fields;
  }
}
