package dev.kymo.spark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * Answers one question after the other. It is talked to by lines and files:
 *
 * <pre>
 * argument         a directory, which has an {@link Opening}
 * output  opened   its file "opened" has the names of tables and the losses of recordings
 * input   NAME     asks the {@link Request} in a directory of this name in the first one
 * output  done     that directory has an {@link Answer}, or a file "error" with why it has none
 * input   cancel   ends the question that is being answered
 * output  say TEXT something for the user
 * </pre>
 *
 * <p>It ends when its input does. If it cannot open, the first directory has the file "error".
 */
public final class Driver {
  private static final String ERROR = "error";
  private static final String OPENED = "opened";
  private static final String CANCEL = "cancel";

  private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
  private volatile @Nullable SparkSession session;
  private volatile boolean cancelled;

  private Driver() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Path room = Path.of(args[0]);
    try {
      new Driver().run(room);
    } catch (AssertionError | LinkageError e) {
      e.printStackTrace();
      fail(room, "not the Spark that Kymo knows, 4.2: error=\"%s\"".formatted(e));
    } catch (IOException e) {
      fail(room, String.valueOf(e.getMessage()));
    }
    System.exit(1); // whatever Spark still does
  }

  private void run(Path room) throws IOException, InterruptedException {
    Thread.ofPlatform().name("kymo-input").daemon().start(this::readInput);
    Opening opening = Opening.read(room);
    Tables tables;
    SparkSession opened;
    try {
      opened = Session.open(opening, room);
      tables = Tables.open(opened, opening);
      tell(tables, room.resolve(OPENED));
    } catch (IOException e) {
      throw e;
    } catch (Exception e) { // Scala's methods throw any without saying so
      throw new IOException(Errors.text(e, Set.of()), e);
    }
    session = opened;
    line(OPENED);
    while (true) {
      answer(opened, tables, opening.unsafe(), room.resolve(asked.take()));
      line("done");
    }
  }

  private static void tell(Tables tables, Path to) throws IOException {
    Properties about = new Properties();
    int number = 0;
    for (String name : tables.known()) {
      about.setProperty("table." + number++, name);
    }
    tables.gaps().forEach((name, count) -> about.setProperty("gaps." + name, count.toString()));
    try (Writer out = Files.newBufferedWriter(to)) {
      about.store(out, null);
    }
  }

  private void answer(SparkSession of, Tables tables, boolean unsafe, Path room)
      throws IOException {
    cancelled = false;
    try {
      Request request = Request.read(room);
      tables.make(request);
      Answer.write(Question.ask(of, request.sql(), unsafe), request.rows(), room);
    } catch (IOException e) {
      fail(room, String.valueOf(e.getMessage()));
    } catch (Exception e) { // as above
      fail(room, cancelled ? "the question was cancelled" : Errors.text(e, tables.known()));
    }
  }

  private static void fail(Path room, String why) throws IOException {
    Files.writeString(room.resolve(ERROR), why);
  }

  static void say(String text) {
    line("say " + text);
  }

  private static void line(String text) {
    System.out.println(text);
    System.out.flush();
  }

  private void readInput() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals(CANCEL)) {
          cancel();
        } else {
          asked.add(line);
        }
      }
    } catch (IOException e) {
      // as if it had ended
    }
    System.exit(0);
  }

  private void cancel() {
    SparkSession of = session;
    if (of != null) {
      cancelled = true;
      of.sparkContext().cancelAllJobs();
    }
  }
}
