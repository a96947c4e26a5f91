package dev.kymo.kernel.daemon;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.format.NoticeCode;
import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.KernelSink;
import dev.kymo.kernel.KernelSource;
import dev.kymo.kernel.Service;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Kernel events from the daemon. */
public final class DaemonSource implements KernelSource {
  private static final int WAIT_MILLIS = 100;
  private static final int ANSWER_MILLIS = 30_000;
  private static final int SILENT_MILLIS = 5_000;

  private final DaemonConnection connection;
  private final String services;
  private final List<KernelEventFormat> formats = new ArrayList<>();
  private byte[] bytes = new byte[Frames.LARGEST_ANSWER];
  private boolean running;
  private final List<String> remarks = new ArrayList<>();
  private boolean silent;

  private DaemonSource(DaemonConnection connection, String services) {
    this.connection = connection;
    this.services = services;
  }

  /**
   * Registers with the daemon; nothing is on before {@link #start}.
   *
   * @param services as {@link Service#parse} takes them
   * @param bufferKb of kernel memory for each processor, if this client starts first
   * @param complaints takes sentences about what the kernel lacks
   * @throws KernelException if there is no daemon, or it refuses; the message is its reason
   */
  public static DaemonSource open(
      Path socket, String services, String clock, int bufferKb, Consumer<String> complaints)
      throws IOException {
    Set<String> wanted = Service.parse(services);
    DaemonConnection connection = DaemonConnection.open(socket);
    try {
      DaemonSource source = new DaemonSource(connection, services);
      source.register(clock, bufferKb);
      source.complain(wanted, complaints);
      return source;
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private void register(String clock, int bufferKb) throws IOException {
    connection.send(
        new Frames.Builder(Frames.REGISTER).text(clock).u32(bufferKb).text(services).frame());
    connection.answer(Frames.REGISTER, ANSWER_MILLIS, this::format);
  }

  private void format(int type, ByteBuffer body) throws IOException {
    if (type != Frames.FORMAT) {
      throw new ProtocolException("the daemon sent an unexpected message: type=" + type);
    }
    Frames.need(body, 2);
    int number = body.getShort() & 0xFFFF;
    if (number != formats.size()) {
      throw new ProtocolException("the daemon's events are out of order: event=" + number);
    }
    String subsystem = Frames.text(body);
    try {
      formats.add(KernelEventFormat.parse(subsystem, Frames.text(body)));
    } catch (IllegalArgumentException e) {
      throw new KernelException("the daemon sent an invalid layout: " + e.getMessage(), e);
    }
  }

  private void complain(Set<String> wanted, Consumer<String> complaints) {
    Set<String> there = new HashSet<>();
    formats.forEach(format -> there.add(format.toString()));
    Set<String> missing = new TreeSet<>(wanted);
    missing.removeIf(name -> name.endsWith(":*") || there.contains(name));
    if (!missing.isEmpty()) {
      complaints.accept("not in this kernel, so not recorded: events=" + String.join(",", missing));
    }
  }

  @Override
  public void maySee(long pid) throws IOException {
    connection.send(new Frames.Builder(Frames.MAY_SEE).u32((int) pid).frame());
    connection.answer(Frames.MAY_SEE, ANSWER_MILLIS, DaemonSource::none);
  }

  private static void none(int type, ByteBuffer body) throws ProtocolException {
    throw new ProtocolException("the daemon sent an unexpected message: type=" + type);
  }

  @Override
  public List<KernelEventFormat> formats() {
    return List.copyOf(formats);
  }

  @Override
  public int processors() {
    return connection.processors();
  }

  @Override
  public void start() throws IOException {
    connection.send(new Frames.Builder(Frames.START).text(services).frame());
    connection.answer(Frames.START, ANSWER_MILLIS, DaemonSource::none);
    running = true;
  }

  @Override
  public long round(KernelSink sink) throws IOException {
    Delivery delivery = new Delivery(sink);
    connection.round(WAIT_MILLIS, delivery);
    listen();
    return delivery.events;
  }

  /** The daemon reports its progress several times a second. */
  private void listen() {
    long millis = connection.silentMillis();
    if (!silent && millis > SILENT_MILLIS) {
      silent = true;
      remarks.add(
          NoticeCode.DAEMON_SILENT.text()
              + " for %d s: it is stopped, or has no processor;".formatted(millis / 1000)
              + " no kernel events until it goes on");
    } else if (silent && millis < SILENT_MILLIS) {
      silent = false;
      remarks.add(NoticeCode.DAEMON_GOES_ON.text() + "; what is missing is counted as lost");
    }
  }

  @Override
  public List<String> remarks() {
    List<String> all = List.copyOf(remarks);
    remarks.clear();
    return all;
  }

  @Override
  public void finish(KernelSink sink) throws IOException {
    if (running) {
      running = false;
      connection.send(new Frames.Builder(Frames.STOP).text("").frame());
      int patience = silent ? SILENT_MILLIS : ANSWER_MILLIS;
      withheld(connection.answer(Frames.STOP, patience, new Delivery(sink)));
    }
  }

  private void withheld(ByteBuffer stopped) {
    if (stopped.remaining() < 16) {
      return; // an older daemon does not report it
    }
    stopped.getLong();
    int otherRights = stopped.getInt();
    int unknown = stopped.getInt();
    if (otherRights != 0 || unknown != 0) {
      remarks.add(
          NoticeCode.KERNEL_RIGHTS.text()
              + ", or not for certain: other_rights=%d over_too_soon=%d;"
                  .formatted(otherRights, unknown)
              + " root sees them");
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }

  /** Takes frames apart for a sink. */
  private final class Delivery implements DaemonConnection.Taker {
    private final KernelSink sink;
    private long events;

    Delivery(KernelSink sink) {
      this.sink = sink;
    }

    @Override
    public void take(int type, ByteBuffer body) throws IOException {
      switch (type) {
        case Frames.EVENTS -> events(body);
        case Frames.LOST -> {
          Frames.need(body, 26);
          int cpu = body.getShort() & 0xFFFF;
          sink.lost(cpu, body.getLong(), body.getLong(), body.getLong());
        }
        case Frames.UP_TO -> {
          Frames.need(body, 8);
          sink.upTo(body.getLong());
        }
        default -> none(type, body);
      }
    }

    private void events(ByteBuffer body) throws IOException {
      int length = body.remaining();
      if (bytes.length < length) {
        bytes = new byte[length];
      }
      body.get(bytes, 0, length);
      int at = 0;
      while (at < length) {
        int size = at + Frames.EVENT_HEADER > length ? -1 : Bytes.i32(bytes, at + 12);
        int header = at;
        at += Frames.EVENT_HEADER;
        if (size < KernelEventFormat.COMMON_SIZE || size > length - at) {
          throw new ProtocolException("the daemon's events are cut off: bytes=" + length);
        }
        int place = Bytes.i32(bytes, header + 8);
        int number = place >>> 16;
        if ((place & 0xFFFF) >= connection.processors()
            || number >= formats.size()
            || size < formats.get(number).fixedSize()) {
          throw new ProtocolException("the daemon sent an unknown event: event=" + number);
        }
        sink.event(place & 0xFFFF, Bytes.i64(bytes, header), number, bytes, at, size);
        events++;
        at += size;
      }
    }
  }

  public static String status(Path socket) throws IOException {
    try (DaemonConnection connection = DaemonConnection.open(socket)) {
      connection.send(new Frames.Builder(Frames.STATUS).frame());
      return Frames.text(connection.answer(Frames.STATUS, ANSWER_MILLIS, DaemonSource::none));
    }
  }
}
