package dev.kymo.importers.target;

import dev.kymo.format.Definition;
import dev.kymo.format.EventFields;
import dev.kymo.format.EventKind;
import dev.kymo.format.ThreadRecord;
import dev.kymo.format.WaitKind;
import dev.kymo.writer.DefinitionFile;
import dev.kymo.writer.TrackStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A process of the recording: its tracks, its functions, its kinds of events. */
public final class TargetProcess {
  private final Target target;
  private final int number;
  private final DefinitionFile definitions;
  private final Map<Code, Integer> types = new HashMap<>();
  private final Map<Function, Integer> functions = new HashMap<>();
  private final Map<Kind, TargetEvent> events = new HashMap<>();
  private final Map<String, Integer> subsystems = new HashMap<>();
  private @Nullable TrackStream stream;
  private final Stacks stacks = new Stacks();
  private int tracks;
  private int numbers;

  /**
   * Where code is from.
   *
   * @param name of the class, or of the file with the code
   * @param loader name of the class loader, or path of the file
   * @param source name of the source file, or build id
   */
  public record Code(String name, String loader, String source) {
    public static final Code UNKNOWN = new Code("", "", "");

    /** Only its name is known. */
    public static Code of(String name) {
      return new Code(name, "", "");
    }
  }

  private record Function(int type, String name, String descriptor, int line) {}

  private record Kind(String subsystem, String name, EventKind kind, String fields) {}

  TargetProcess(Target target, int number, ProcessFacts facts) throws IOException {
    this.target = target;
    this.number = number;
    this.definitions =
        new DefinitionFile(target.files().directory(), target.files().uuid(), number);
    define(facts);
  }

  private void define(ProcessFacts facts) throws IOException {
    define(
        new Definition.TracedProcess(
            number, facts.pid(), facts.parent(), facts.command(), facts.machine()));
  }

  private void define(Definition what) throws IOException {
    definitions.define(target.now(), what);
  }

  /** The file has said more of this process; {@link Target#process} has the meanings. */
  public void is(int pid, int parent, String command, String machine) throws IOException {
    define(target.facts(pid, parent, command, machine));
  }

  Target target() {
    return target;
  }

  int number() {
    return number;
  }

  /** A new track for a thread with the kernel's number. */
  public TargetTrack thread(int tid, String name) throws IOException {
    return add(Definition.TracedThread.PLATFORM, 0, tid, name);
  }

  /**
   * A new track for a Java thread.
   *
   * @param virtual whether it is a virtual thread
   * @param tid 0 if it is not known
   */
  public TargetTrack javaThread(long javaId, boolean virtual, int tid, String name)
      throws IOException {
    int kind = virtual ? Definition.TracedThread.VIRTUAL : Definition.TracedThread.PLATFORM;
    return add(kind, javaId, tid, name);
  }

  /** A new track for anything else. */
  public TargetTrack track(String name) throws IOException {
    return add(Definition.TracedThread.PLATFORM, 0, 0, name);
  }

  /** A new track for what the thread with this number waited for; {@link #state} has the calls. */
  public TargetTrack states(long javaId, int tid, String name) throws IOException {
    return add(Definition.TracedThread.STATES, javaId, tid, name);
  }

  /** A new track for something that the virtual machine does. */
  public TargetTrack machine(String name) throws IOException {
    return add(Definition.TracedThread.JVM, 0, 0, name);
  }

  private TargetTrack add(int kind, long javaId, int tid, String name) throws IOException {
    TargetTrack track = new TargetTrack(this, ++tracks, name);
    define(new Definition.TracedThread(tracks, kind, javaId, tid, name));
    return track;
  }

  public void rename(TargetTrack track, int tid, String name) throws IOException {
    define(
        new Definition.TracedThread(
            track.number(), Definition.TracedThread.PLATFORM, 0, tid, name));
  }

  /** Number of a function; the same of the same function. */
  public int function(Code code, String name, String descriptor, int line) throws IOException {
    Function function = new Function(type(code), name, descriptor, line);
    Integer known = functions.get(function);
    if (known == null) {
      known = next();
      functions.put(function, known);
      define(new Definition.Method(known, function.type, line, 0, name, descriptor));
    }
    return known;
  }

  /** Number of a function of which only the name is known. */
  public int function(String name) throws IOException {
    return function(Code.UNKNOWN, name, "", 0);
  }

  /** Number of a state: what is waited for, and how. */
  public int state(WaitKind kind, String what) throws IOException {
    return function(Code.of(kind.word()), what, "", 0);
  }

  /**
   * Number of a stack of samples: a function and where it was called from; the same of the same. It
   * is the value of a field {@code u32 stack}.
   *
   * @param caller stack that it was called from, 0 = none, the function is the outermost
   */
  public int stack(int caller, int function) throws IOException {
    int count = stacks.count();
    int stack = stacks.number(caller, function);
    if (stack > count) {
      define(new Definition.Stack(stack, caller, function));
    }
    return stack;
  }

  private int type(Code code) throws IOException {
    Integer known = types.get(code);
    if (known == null) {
      known = types.size() + 1;
      types.put(code, known);
      define(new Definition.Type(known, code.name, code.loader, code.source));
    }
    return known;
  }

  /**
   * A kind of event; the same of the same kind.
   *
   * @param fields what its data are; of a counter one field, its value; of a message first its key
   */
  public TargetEvent event(
      String subsystem, String name, EventKind kind, List<EventFields.Field> fields)
      throws IOException {
    String text = Fields.text(fields);
    Kind wanted = new Kind(subsystem, name, kind, text);
    TargetEvent known = events.get(wanted);
    if (known == null) {
      int id = next();
      define(
          new Definition.Event(
              id, subsystem(subsystem), id & 0xFFFF, kind.number(), name, "", text));
      known = new TargetEvent(id, EventFields.parse(text), target.troubles());
      events.put(wanted, known);
    }
    return known;
  }

  private int subsystem(String name) throws IOException {
    Integer known = subsystems.get(name);
    if (known == null) {
      known = subsystems.size() + 1;
      subsystems.put(name, known);
      define(new Definition.Subsystem(known, known & 0xFFFF, name, "", ""));
    }
    return known;
  }

  private int next() throws IOException {
    if (numbers == ThreadRecord.MAX_PAYLOAD) {
      throw new IOException("too many functions and kinds of events: process=" + number);
    }
    return ++numbers;
  }

  /** The stream of all its tracks. */
  TrackStream stream() throws IOException {
    TrackStream open = stream;
    if (open == null) {
      open =
          new TrackStream(
              target.files().directory(), target.files().uuid(), number, 1, definitions);
      stream = open;
    }
    return open;
  }

  void flush() throws IOException {
    definitions.flush();
    TrackStream open = stream;
    if (open != null) {
      open.flush();
    }
  }

  void close() throws IOException {
    try (definitions) {
      TrackStream open = stream;
      if (open != null) {
        open.close();
      }
    }
  }
}
