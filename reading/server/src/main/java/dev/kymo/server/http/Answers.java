package dev.kymo.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Sends answers. They are bounded in size, so each is built first and then sent as a whole. */
public final class Answers {
  private static final JsonFactory JSON = new JsonFactory();

  private Answers() {}

  /** Writes the content of one JSON document. */
  @FunctionalInterface
  public interface Body {
    void write(JsonGenerator json) throws IOException;
  }

  public static void json(HttpExchange exchange, int status, Body body) throws IOException {
    json(exchange, status, bytes(body));
  }

  /** The document as it is sent. */
  public static byte[] bytes(Body body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      body.write(json);
    }
    return bytes.toByteArray();
  }

  /** Sends a document that was made before. */
  public static void json(HttpExchange exchange, int status, byte[] document) throws IOException {
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    send(exchange, status, "application/json", document);
  }

  /** Writes a time as text: a browser's number would round them beyond 2^53. */
  public static void time(JsonGenerator json, String name, long time) throws IOException {
    json.writeStringField(name, Long.toString(time));
  }

  /** Sends one sentence for the user of the browser. */
  public static void error(HttpExchange exchange, int status, String sentence) throws IOException {
    json(
        exchange,
        status,
        json -> {
          json.writeStartObject();
          json.writeStringField("error", sentence);
          json.writeEndObject();
        });
  }

  /** Sends the progress of the work on an answer. */
  public static void progress(HttpExchange exchange, double share) throws IOException {
    json(
        exchange,
        202,
        json -> {
          json.writeStartObject();
          json.writeNumberField("progress", share);
          json.writeEndObject();
        });
  }

  /** Sends a file for download, never to be shown in place of the page. */
  public static void file(HttpExchange exchange, String type, Path file) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Cache-Control", "no-store");
    headers.set("Content-Disposition", "attachment");
    head(headers, type);
    exchange.sendResponseHeaders(200, Files.size(file));
    Files.copy(file, exchange.getResponseBody());
    exchange.close();
  }

  public static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    head(exchange.getResponseHeaders(), type);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static void head(Headers headers, String type) {
    headers.set("Content-Type", type);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Referrer-Policy", "no-referrer");
  }
}
