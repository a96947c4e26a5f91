package dev.kymo.cli;

import dev.kymo.model.ProgressListener;
import dev.kymo.model.Timeline;
import dev.kymo.model.Timelines;
import dev.kymo.server.KymoServer;
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
 * Does once what users do most, for the build: the virtual machine keeps the classes that it has
 * met here as it has them in memory, and begins with them from then on ({@code -XX:AOTCache}).
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
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      run("record", "-o", recording, "--", java, "-version");
      if (args[0].equals("read")) {
        run("report", "--help");
        run("info", recording);
        run("report", recording);
        run("print", recording);
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
