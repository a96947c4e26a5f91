package dev.kymo.kernel.daemon;

import dev.kymo.format.KernelEventFormat;
import dev.kymo.kernel.KernelException;
import dev.kymo.kernel.Service;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Answers clients' requests. Used by the socket thread. */
final class Requests {
  private static final int MOST_EVENTS = 0xFFFF;
  private static final int MOST_ASKED = 64;

  /**
   * Maximum number of events that users other than root may name at a time: each is looked for on
   * the disk.
   */
  private static final int MOST_NAMED = 1000;

  private final DaemonOptions options;
  private final Catalogue catalogue;
  private final int processors;
  private final CaptureThread captures;
  private final Supplier<Collection<Client>> clients;

  /**
   * Nothing is requested yet.
   *
   * @param clients all clients
   */
  Requests(
      DaemonOptions options,
      Catalogue catalogue,
      CaptureThread captures,
      Supplier<Collection<Client>> clients)
      throws IOException {
    this.options = options;
    this.catalogue = catalogue;
    this.processors = catalogue.processors();
    this.captures = captures;
    this.clients = clients;
  }

  /**
   * Answers a request, or has it answered.
   *
   * @throws ProtocolException if it is not a request
   */
  void handle(Client client, ByteBuffer frame) throws ProtocolException {
    int request = frame.get() & 0xFF;
    if (client.asked.get() > MOST_ASKED) {
      throw new ProtocolException("too many requests wait: requests=" + client.asked.get());
    }
    if (!client.greeted && request != Frames.HELLO) {
      throw new ProtocolException("HELLO comes first: request=" + request);
    }
    try {
      switch (request) {
        case Frames.HELLO -> hello(client, frame);
        case Frames.REGISTER -> register(client, frame);
        case Frames.UNREGISTER -> unregister(client, frame);
        case Frames.START -> start(client, frame);
        case Frames.STOP -> stop(client, frame);
        case Frames.STATUS -> status(client, frame);
        case Frames.MAY_SEE -> maySee(client, frame);
        default -> throw new ProtocolException("no such request: request=" + request);
      }
    } catch (KernelException | IllegalArgumentException e) {
      client.out.answer(Frames.failed(request, String.valueOf(e.getMessage())));
    }
  }

  private void hello(Client client, ByteBuffer body) throws ProtocolException {
    Frames.need(body, 6);
    if (body.getInt() != Frames.MAGIC) {
      throw new ProtocolException("this is the kernel event daemon of Kymo, and that was no HELLO");
    }
    int version = body.getShort() & 0xFFFF;
    Frames.end(body);
    if (version != Frames.VERSION) {
      throw new ProtocolException(
          "the daemon speaks another version: daemon=%d client=%d; use the same Kymo for both"
              .formatted(Frames.VERSION, version));
    }
    client.greeted = true;
    client.out.answer(
        Frames.ok(Frames.HELLO)
            .u16(Frames.VERSION)
            .u16(processors)
            .u32((int) client.uid)
            .text(options.version())
            .text(options.clocks().keySet().stream().sorted().collect(Collectors.joining(",")))
            .frame());
  }

  private void register(Client client, ByteBuffer body) throws ProtocolException, KernelException {
    String clock = Frames.text(body);
    Frames.need(body, 4);
    int bufferKb = body.getInt();
    String list = Frames.text(body);
    Frames.end(body);
    if (client.registration != null) {
      throw new KernelException("this client is registered already");
    }
    if (!options.clocks().containsKey(clock)) {
      throw new KernelException(
          "no such clock: clock=%s offered=%s; record with another --clock"
              .formatted(printable(clock), String.join(",", options.clocks().keySet())));
    }
    Set<String> events = parse(client, printable(list));
    Map<String, KernelEventFormat> formats = catalogue.formats(events);
    if (client.uid != 0) {
      refuse(events, formats);
      formats.values().removeIf(format -> !Rule.isForAll(format));
    }
    if (formats.isEmpty() || formats.size() > MOST_EVENTS) {
      throw new KernelException("no such events here: events=" + printable(list));
    }
    Registration registration = new Registration(clock, bufferKb, formats);
    client.registration = registration;
    formats.forEach((name, format) ->
        client.out.answer(
            new Frames.Builder(Frames.FORMAT)
                .u16(registration.number(name))
                .text(format.subsystem())
                .text(format.text())
                .frame()));
    client.out.answer(Frames.ok(Frames.REGISTER).u32(formats.size()).frame());
  }

  private static void refuse(Set<String> events, Map<String, KernelEventFormat> formats)
      throws KernelException {
    for (String event : events) {
      KernelEventFormat format = formats.get(event);
      if (format != null && !Rule.isForAll(format)) {
        throw new KernelException(
            "event is for root only, because it may reveal other users' processes: event=" + event);
      }
    }
  }

  /** What a client wrote goes into messages, without characters that a terminal might obey. */
  private static String printable(String text) {
    return text.replaceAll("[^ -~]", "?");
  }

  private static Set<String> parse(Client client, String list) throws KernelException {
    Set<String> events = Service.parse(list);
    if (client.uid != 0 && events.size() > MOST_NAMED) {
      throw new KernelException(
          "too many events are named: events=%d most=%d; name services, or fewer events at a time"
              .formatted(events.size(), MOST_NAMED));
    }
    return events;
  }

  private static Registration registered(Client client) throws KernelException {
    Registration registration = client.registration;
    if (registration == null) {
      throw new KernelException("REGISTER comes first");
    }
    return registration;
  }

  private void unregister(Client client, ByteBuffer body)
      throws ProtocolException, KernelException {
    Frames.end(body);
    Registration registration = registered(client);
    client.registration = null;
    captures.gone(client, registration, true);
  }

  private void start(Client client, ByteBuffer body) throws ProtocolException, KernelException {
    String list = printable(Frames.text(body));
    Frames.end(body);
    Registration registration = registered(client);
    Set<String> events = catalogue.formats(parse(client, list)).keySet();
    if (client.uid == 0) {
      for (String event : events) {
        if (registration.number(event) < 0) {
          throw new KernelException("event was not registered: event=" + event);
        }
      }
    } else {
      events.removeIf(event -> registration.number(event) < 0);
    }
    Set<String> services = services(client.running);
    services.addAll(services(list));
    captures.start(client, registration, events, String.join(",", services));
  }

  private static Set<String> services(String list) {
    return Arrays.stream(list.split(","))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toCollection(java.util.TreeSet::new));
  }

  private void stop(Client client, ByteBuffer body) throws ProtocolException, KernelException {
    String list = printable(Frames.text(body));
    Frames.end(body);
    Registration registration = registered(client);
    Set<String> left = services(client.running);
    Set<String> stopped = services(list);
    if (stopped.isEmpty()) {
      left.clear();
    }
    left.removeAll(stopped);
    Set<String> events =
        stopped.isEmpty() ? registration.events() : catalogue.formats(parse(client, list)).keySet();
    if (!left.isEmpty()) { // events that another service of this client needs stay
      events.removeAll(catalogue.formats(Service.parse(String.join(",", left))).keySet());
    }
    captures.stop(client, registration, events, String.join(",", left));
  }

  private void status(Client client, ByteBuffer body) throws ProtocolException {
    Frames.end(body);
    Map<String, Integer> services = new TreeMap<>();
    List<String> lines = new ArrayList<>();
    for (Client other : clients.get()) {
      services(other.running).forEach(service -> services.merge(service, 1, Integer::sum));
      if (client.uid == 0 || other.uid == client.uid) {
        lines.add(
            "%s services=%s waiting_bytes=%d"
                .formatted(
                    other, other.running.isEmpty() ? "-" : other.running, other.out.bytes()));
      }
    }
    String on =
        services.entrySet().stream()
            .map(service -> service.getKey() + " (" + service.getValue() + ")")
            .collect(Collectors.joining(", "));
    String text =
        "kymo daemon %s, protocol %d, process %d%nclients: %d of %d%nservices on: %s%n%s"
            .formatted(
                options.version(),
                Frames.VERSION,
                ProcessHandle.current().pid(),
                clients.get().size(),
                options.clients(),
                on.isEmpty() ? "none" : on,
                String.join("\n", lines));
    client.out.answer(Frames.ok(Frames.STATUS).text(text.strip()).frame());
  }

  private static void maySee(Client client, ByteBuffer body)
      throws ProtocolException, KernelException {
    Frames.need(body, 4);
    int pid = body.getInt();
    Frames.end(body);
    if (client.uid != 0 && Credentials.ofTask(pid) != client.owner) {
      throw new KernelException(
          "process is not this user's, or has other rights: pid=%d uid=%d; ask its owner, or root"
              .formatted(pid, client.uid));
    }
    client.out.answer(Frames.ok(Frames.MAY_SEE).frame());
  }

  void gone(Client client) {
    Registration registration = client.registration;
    if (registration != null) {
      captures.gone(client, registration, false);
    }
  }
}
