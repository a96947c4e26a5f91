package dev.kymo.kernel;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Kinds of kernel events, each with the events of Linux that report it. */
public enum Service {
  /** System calls that may wait, and which thread wakes which. */
  IPC(
      Stream.concat(
          syscalls(
              "futex futex_wait futex_waitv read write readv writev pread64 pwrite64 sendmsg recvmsg"
                  + " sendmmsg recvmmsg sendto recvfrom poll ppoll select pselect6 epoll_wait"
                  + " epoll_pwait epoll_pwait2 nanosleep clock_nanosleep accept accept4 connect wait4"
                  + " waitid fsync fdatasync flock io_getevents rt_sigtimedwait msgrcv semop"
                  + " semtimedop"),
          Stream.of("sched:sched_waking"))),
  /** Page faults, in the program and in the kernel on its behalf. */
  PAGEFAULT(Stream.of("exceptions:page_fault_user", "exceptions:page_fault_kernel")),
  /** Address space that is removed or loses rights, and what processors have to forget of it. */
  UNMAP(
      Stream.concat(
          syscalls("munmap mremap madvise mprotect"),
          Stream.of("mmap:exit_mmap", "tlb:tlb_flush"))),
  /** What processors run. */
  CSWITCH(Stream.of("sched:sched_switch", "sched:sched_migrate_task")),
  /** A thread that wakes another and gives it its processor: these two events show it. */
  IPC_SHORTCUT(Stream.of("sched:sched_waking", "sched:sched_switch")),
  /**
   * Interrupts of devices and of other processors, and the work that is postponed because of them.
   */
  IRQ(
      Stream.concat(
          pairs("irq", "irq_handler softirq"),
          pairs(
              "irq_vectors",
              "local_timer reschedule call_function call_function_single irq_work x86_platform_ipi"
                  + " error_apic spurious_apic thermal_apic"))),
  /** Timer interrupts and their purpose. */
  TIMER(Stream.concat(pairs("irq_vectors", "local_timer"), pairs("timer", "hrtimer_expire"))),
  /**
   * Everything that sets the registers of a thread from outside: signals, debuggers, exec, clone.
   */
  THREAD_REGS(
      Stream.concat(
          Stream.concat(Stream.of("signal:signal_deliver"), syscalls("rt_sigreturn ptrace")),
          Stream.of("task:task_newtask", "sched:sched_process_exec")));

  /** Lives and names of threads; on whenever anything else is. */
  public static final Set<String> ALWAYS =
      Set.of(
          "task:task_newtask",
          "task:task_rename",
          "sched:sched_process_fork",
          "sched:sched_process_exec",
          "sched:sched_process_exit",
          "sched:sched_process_free");

  private static final String NAME = "[A-Za-z0-9_.-]{1,100}";

  @SuppressWarnings("ImmutableEnumChecker") // is not changed, and is returned read-only
  private final Set<String> events;

  Service(Stream<String> events) {
    this.events = events.collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static Stream<String> syscalls(String names) {
    return Arrays.stream(names.split(" "))
        .flatMap(n -> Stream.of("syscalls:sys_enter_" + n, "syscalls:sys_exit_" + n));
  }

  private static Stream<String> pairs(String subsystem, String names) {
    return Arrays.stream(names.split(" "))
        .flatMap(n -> Stream.of(subsystem + ":" + n + "_entry", subsystem + ":" + n + "_exit"));
  }

  /** The name as users write it: {@code ipc-shortcut}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Its events as {@code subsystem:event}, without {@link #ALWAYS}. */
  public Set<String> events() {
    return Collections.unmodifiableSet(events);
  }

  public static Optional<Service> of(String id) {
    return Arrays.stream(values()).filter(s -> s.id().equals(id)).findFirst();
  }

  /** The names that users can choose from: {@code ipc, pagefault, ...}. */
  public static String ids() {
    return Arrays.stream(values()).map(Service::id).collect(Collectors.joining(", "));
  }

  /** Events of some services, {@link #ALWAYS} included; none for no services. */
  public static Set<String> events(Collection<Service> services) {
    Set<String> all = new LinkedHashSet<>();
    services.forEach(s -> all.addAll(s.events));
    if (!all.isEmpty()) {
      all.addAll(ALWAYS);
    }
    return all;
  }

  /**
   * Events that a user's list names: services, {@code all}, {@code subsystem:event}, {@code
   * subsystem:*}; separated by commas. {@link #ALWAYS} are included.
   *
   * @return {@code subsystem:event} or {@code subsystem:*}
   * @throws IllegalArgumentException if a name is none of these; the message lists the services
   */
  public static Set<String> parse(String list) {
    Set<String> events = new LinkedHashSet<>();
    for (String part : list.split(",")) {
      String name = part.strip();
      if (name.isEmpty()) {
        continue;
      }
      Optional<Service> service = of(name);
      if (service.isPresent()) {
        events.addAll(service.get().events);
      } else if (name.equals("all")) {
        List.of(values()).forEach(s -> events.addAll(s.events));
      } else if (name.matches(NAME + ":(" + NAME + "|\\*)") && !name.contains("..")) {
        events.add(name);
      } else {
        throw new IllegalArgumentException(
            "unknown kernel service: name=%s; there are %s, all, and any event as subsystem:event"
                .formatted(name, ids()));
      }
    }
    if (events.isEmpty()) {
      throw new IllegalArgumentException(
          "no kernel service is named: list=%s; there are %s, all, and any event as subsystem:event"
              .formatted(list, ids()));
    }
    events.addAll(ALWAYS);
    return events;
  }

  /** Services that need an event, for messages: {@code ipc, ipc-shortcut}; empty if none does. */
  static String wanting(String event) {
    return Arrays.stream(values())
        .filter(s -> s.events.contains(event))
        .map(Service::id)
        .collect(Collectors.joining(", "));
  }
}
