package dev.kymo.kernel.daemon;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A user who tries what he should not. Arguments: socket, what to try, and a process of somebody
 * else's. Prints what came of it.
 */
final class HostileProgram {
  private static final int CONNECTIONS = 1000;
  private final Path socket;
  private final int victim;

  private HostileProgram(Path socket, int victim) {
    this.socket = socket;
    this.victim = victim;
  }

  public static void main(String[] args) throws Exception {
    HostileProgram user = new HostileProgram(Path.of(args[0]), Integer.parseInt(args[2]));
    switch (args[1]) {
      case "asks for others" -> user.asksForOthers();
      case "replaces the socket" -> user.replacesTheSocket();
      case "connects" -> user.connects();
      case "never reads" -> user.neverReads();
      case "sends garbage" -> user.sendsGarbage();
      case "starts and stops" -> user.startsAndStops();
      case "names all there is" -> user.namesAllThereIs();
      case "wants all memory" -> user.wantsAllMemory();
      default -> throw new IllegalArgumentException(args[1]);
    }
  }

  private SocketChannel connect() throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(socket));
  }

  private static ByteBuffer hello() {
    return new Frames.Builder(Frames.HELLO).u32(Frames.MAGIC).u16(Frames.VERSION).frame();
  }

  private static ByteBuffer register(int bufferKb, String events) {
    return new Frames.Builder(Frames.REGISTER).text("monotonic").u32(bufferKb).text(events).frame();
  }

  private static ByteBuffer text(int request, String text) {
    return new Frames.Builder(request).text(text).frame();
  }

  /** Whether the other end is still there. */
  private static boolean send(SocketChannel channel, ByteBuffer bytes) {
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Reasons of all refusals until the other end closes, or OK has come so often. */
  private static List<String> answers(SocketChannel channel, int expected) throws IOException {
    FrameReader in = new FrameReader(Frames.LARGEST_ANSWER);
    List<String> answers = new ArrayList<>();
    while (answers.size() < expected) {
      ByteBuffer frame = in.next();
      if (frame == null) {
        if (in.read(channel) < 0) {
          answers.add("closed");
          return answers;
        }
        continue;
      }
      int type = frame.get() & 0xFF;
      if (type == Frames.OK || type == Frames.FAILED) {
        frame.get();
        answers.add(type == Frames.OK ? "OK" : Frames.text(frame));
      }
    }
    return answers;
  }

  private void asksForOthers() throws IOException {
    try (SocketChannel channel = connect()) {
      send(channel, hello());
      for (int pid : new int[] {victim, 1, 0, -1, Integer.MAX_VALUE}) {
        send(channel, new Frames.Builder(Frames.MAY_SEE).u32(pid).frame());
      }
      for (String events :
          List.of(
              "signal:signal_generate",
              "cswitch,raw_syscalls:sys_enter",
              "sched:sched_stat_runtime")) {
        send(channel, register(4096, events));
      }
      send(channel, register(4096, "sched:*,syscalls:*,signal:*,raw_syscalls:*,block:*"));
      send(channel, text(Frames.START, "sched:*,syscalls:*,signal:*,raw_syscalls:*,block:*"));
      answers(channel, 11).forEach(System.out::println);
    }
  }

  private void replacesTheSocket() {
    attempt("delete", () -> Files.delete(socket));
    attempt("move", () -> Files.move(socket, socket.resolveSibling("old")));
    attempt("link", () -> Files.createSymbolicLink(socket.resolveSibling("link"), socket));
    attempt("lock", () -> Files.newOutputStream(socket.resolveSibling("kernel.lock")).close());
    attempt(
        "look at lock", () -> Files.newInputStream(socket.resolveSibling("kernel.lock")).close());
  }

  private interface Attempt {
    void run() throws IOException;
  }

  private static void attempt(String what, Attempt attempt) {
    try {
      attempt.run();
      System.out.println(what + " done");
    } catch (IOException e) {
      System.out.println(what + " refused");
    }
  }

  /** Many at once with nothing to say, and many with half a message. */
  private void connects() throws IOException {
    List<SocketChannel> all = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      SocketChannel channel = connect();
      send(channel, hello().limit(i % 11));
      all.add(channel);
    }
    for (SocketChannel channel : all) {
      channel.close();
    }
    System.out.println("done");
  }

  private void neverReads() throws Exception {
    List<SocketChannel> all = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      SocketChannel channel = connect();
      send(channel, hello());
      send(channel, register(4096, "cswitch,ipc,irq,timer"));
      send(channel, text(Frames.START, "cswitch,ipc,irq,timer"));
      all.add(channel);
    }
    Process noise =
        new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 300 ]; do :|:; i=$((i+1)); done")
            .start();
    noise.waitFor();
    for (SocketChannel channel : all) {
      channel.close();
    }
    System.out.println("done");
  }

  private void sendsGarbage() throws IOException {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < CONNECTIONS; i++) {
      try (SocketChannel channel = connect()) {
        if (random.nextBoolean()) {
          send(channel, hello());
        }
        byte[] body = new byte[random.nextInt(3000)];
        random.nextBytes(body);
        ByteBuffer frame = ByteBuffer.allocate(5 + body.length).order(ByteOrder.LITTLE_ENDIAN);
        frame.putInt(random.nextInt(4) == 0 ? random.nextInt() : 1 + body.length);
        frame.put((byte) random.nextInt(9)).put(body).flip();
        send(channel, frame);
      }
    }
    System.out.println("done");
  }

  private void startsAndStops() throws IOException {
    List<SocketChannel> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      SocketChannel channel = connect();
      send(channel, hello());
      send(channel, register(4096, "unmap,pagefault,irq"));
      all.add(channel);
    }
    int sent = 0;
    for (int i = 0; i < 1000; i++) {
      for (SocketChannel channel : all) {
        sent += send(channel, text(Frames.START, "unmap,pagefault,irq")) ? 1 : 0;
        sent += send(channel, text(Frames.STOP, "")) ? 1 : 0;
      }
    }
    for (SocketChannel channel : all) {
      channel.close();
    }
    System.out.println(sent < 20_000 ? "stopped" : "let");
  }

  private void namesAllThereIs() throws IOException {
    StringBuilder names = new StringBuilder("cswitch");
    for (int i = 0; names.length() < 60_000; i++) {
      names.append(",a").append(Integer.toString(i, 36)).append(":*");
    }
    try (SocketChannel channel = connect()) {
      send(channel, hello());
      for (int i = 0; i < 50; i++) {
        send(channel, register(4096, names.toString()));
      }
      System.out.println(answers(channel, 51).getLast());
    }
  }

  private void wantsAllMemory() throws IOException {
    try (SocketChannel channel = connect()) {
      send(channel, hello());
      send(channel, register(Integer.MAX_VALUE, "cswitch"));
      send(channel, text(Frames.START, "cswitch"));
      answers(channel, 3).forEach(System.out::println);
      System.out.flush();
      int _ = System.in.read();
    }
  }
}
