package dev.kymo.e2e.kit;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.Location;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.LocatableEvent;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.StepRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A debugger, as those of development environments are: it stops a program where a method begins,
 * notes what it sees there, and goes on in steps.
 */
public final class Debugger {
  /** The steps after the first stop in a method. */
  private static final List<Integer> STEPS =
      List.of(
          StepRequest.STEP_INTO,
          StepRequest.STEP_OVER,
          StepRequest.STEP_OVER,
          StepRequest.STEP_OVER,
          StepRequest.STEP_OUT,
          StepRequest.STEP_OVER);

  /** Usual in development environments. */
  private static final List<String> STEPPED_OVER = List.of("java.*", "jdk.*", "sun.*");

  private final String type;
  private final String method;
  private final boolean late;
  private final ListeningConnector connector;
  private final Map<String, Connector.Argument> arguments;
  private final String address;
  private final List<String> seen = new ArrayList<>();
  private final CompletableFuture<ReferenceType> loaded = new CompletableFuture<>();
  private final Queue<Integer> steps = new ArrayDeque<>(STEPS);

  private Debugger(String type, String method, boolean late) throws Exception {
    this.type = type;
    this.method = method;
    this.late = late;
    this.connector =
        Bootstrap.virtualMachineManager().listeningConnectors().stream()
            .filter(one -> one.name().equals("com.sun.jdi.SocketListen"))
            .findFirst()
            .orElseThrow();
    this.arguments = connector.defaultArguments();
    Objects.requireNonNull(arguments.get("localAddress")).setValue("127.0.0.1");
    Objects.requireNonNull(arguments.get("port")).setValue("0");
    this.address = connector.startListening(arguments);
  }

  /**
   * Waits for a program that connects to it, and stops it where a method begins.
   *
   * @param late whether only from {@link #set} on, instead of from the beginning
   */
  public static Debugger of(String type, String method, boolean late) throws Exception {
    return new Debugger(type, method, late);
  }

  /** With which a program connects to it. */
  public String option() {
    String port = address.substring(address.lastIndexOf(':') + 1);
    return "-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=127.0.0.1:" + port;
  }

  /** What it has seen until the program's end. */
  public CompletableFuture<List<String>> run() {
    CompletableFuture<List<String>> all = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            debug(connector.accept(arguments));
            connector.stopListening(arguments);
            all.complete(seen);
          } catch (Throwable e) {
            all.completeExceptionally(e);
          }
        });
    return all.orTimeout(600, TimeUnit.SECONDS);
  }

  private void debug(VirtualMachine machine) throws Exception {
    ClassPrepareRequest prepared = machine.eventRequestManager().createClassPrepareRequest();
    prepared.addClassFilter(type);
    prepared.enable();
    try {
      while (true) {
        EventSet events = machine.eventQueue().remove();
        for (Event event : events) {
          see(event);
        }
        events.resume();
      }
    } catch (VMDisconnectedException e) {
      seen.add("end");
    }
  }

  private void see(Event event) throws Exception {
    EventRequestManager requests = event.virtualMachine().eventRequestManager();
    switch (event) {
      case ClassPrepareEvent prepared -> {
        loaded.complete(prepared.referenceType());
        if (!late) {
          set();
        }
      }
      case BreakpointEvent stopped -> {
        note("stop", stopped);
        step(stopped.thread());
      }
      case StepEvent stepped -> {
        note("step", stepped);
        requests.deleteEventRequest(stepped.request());
        step(stepped.thread());
      }
      default -> {}
    }
  }

  /** Sets the breakpoint, in a class that is loaded. */
  public void set() {
    ReferenceType prepared = loaded.join();
    Location begin = prepared.methodsByName(method).getFirst().location();
    prepared.virtualMachine().eventRequestManager().createBreakpointRequest(begin).enable();
  }

  private void step(ThreadReference thread) {
    Integer next = steps.poll();
    if (next != null) {
      StepRequest request =
          thread
              .virtualMachine()
              .eventRequestManager()
              .createStepRequest(thread, StepRequest.STEP_LINE, next);
      STEPPED_OVER.forEach(request::addClassExclusionFilter);
      request.enable();
    }
  }

  private void note(String what, LocatableEvent event) throws Exception {
    seen.add(what + " " + variables(event.thread().frame(0)));
    for (StackFrame frame : event.thread().frames()) {
      seen.add("  " + place(frame.location()));
    }
  }

  /** The virtual machine's numbers of lambdas differ. */
  private static String place(Location at) {
    String in = at.declaringType().name().replaceAll("\\$\\$Lambda.*", "Lambda");
    return in + "." + at.method().name() + ":" + at.lineNumber();
  }

  private static List<String> variables(StackFrame frame) throws IncompatibleThreadStateException {
    try {
      List<String> values = new ArrayList<>();
      for (LocalVariable variable : frame.visibleVariables()) {
        String value = String.valueOf(frame.getValue(variable)).replaceAll("\\(id=\\d+\\)", "");
        values.add(variable.typeName() + " " + variable.name() + "=" + value);
      }
      return values;
    } catch (AbsentInformationException e) {
      return List.of("?");
    }
  }
}
