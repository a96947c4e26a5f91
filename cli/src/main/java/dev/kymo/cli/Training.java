package dev.kymo.cli;

import dev.kymo.model.calls.ProgressListener;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.model.timeline.Timelines;
import dev.kymo.server.KymoServer;
import dev.kymo.session.OutputFile;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Does what users do most, once for the build: the virtual machine stores the classes that it has
 * loaded as they are in memory, and starts with them from then on ({@code -XX:AOTCache}).
 */
public final class Training {
  private Training() {}

  /**
   * Runs the commands.
   *
   * @param args {@code record} or {@code read}: which of them
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("kymo-training");
    try {
      String recording = folder.resolve("some.kymo").toString();
      if (args[0].equals("record")) {
        run("--version");
        run("--help");
        run("record", "--help");
        run("record", "-o", folder.resolve("nothing.kymo").toString(), "--", "true");
      }
      // Where QEMU is not installed, it says so, and that is all.
      String instructions = folder.resolve("instructions.kymo").toString();
      run("record", "--instructions", "-o", instructions, "--", "true");
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      run("record", "-o", recording, "--", java, "-version");
      if (args[0].equals("read")) {
        run("report", "--help");
        run("info", recording);
        run("report", recording);
        run("print", recording);
        run(
            "query",
            recording,
            "SELECT count(*) FROM calls JOIN methods USING (recording, method)");
        run("print", instructions, "--instructions");
        view(Path.of(recording));
      }
    } finally {
      OutputFile.delete(folder);
    }
  }

  private static void run(String... command) {
    PrintStream silent = new PrintStream(OutputStream.nullOutputStream(), true);
    PrintStream err = System.err;
    System.setErr(silent);
    try {
      Main.run(command, OutputStream.nullOutputStream(), silent);
    } finally {
      System.setErr(err);
    }
  }

  private static void view(Path recording) throws IOException, InterruptedException {
    try (Timeline timeline = Timelines.open(recording, ProgressListener.NONE);
        KymoServer server = KymoServer.start(timeline, 0);
        HttpClient client =
            HttpClient.newBuilder()
                .cookieHandler(new CookieManager())
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build()) {
      URI link = server.uri();
      for (URI address : new URI[] {link, link.resolve("/api/recording")}) {
        client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding());
      }
    }
  }
}
