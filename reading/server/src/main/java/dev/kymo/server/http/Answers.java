package dev.kymo.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Sends answers. They are bounded in size, so each is built first and then sent as a whole. */
final class Answers {
  private static final JsonFactory JSON = new JsonFactory();

  private Answers() {}

  /** Writes the content of one JSON document. */
  @FunctionalInterface
  interface Body {
    void write(JsonGenerator json) throws IOException;
  }

  static void json(HttpExchange exchange, int status, Body body) throws IOException {
    json(exchange, status, bytes(body));
  }

  /** The document as it is sent. */
  static byte[] bytes(Body body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      body.write(json);
    }
    return bytes.toByteArray();
  }

  /** Sends a document that was made before. */
  static void json(HttpExchange exchange, int status, byte[] document) throws IOException {
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    send(exchange, status, "application/json", document);
  }

  /** One sentence for the person before the browser. */
  static void error(HttpExchange exchange, int status, String sentence) throws IOException {
    json(
        exchange,
        status,
        json -> {
          json.writeStartObject();
          json.writeStringField("error", sentence);
          json.writeEndObject();
        });
  }

  /** How far the work on an answer has come. */
  static void progress(HttpExchange exchange, double share) throws IOException {
    json(
        exchange,
        202,
        json -> {
          json.writeStartObject();
          json.writeNumberField("progress", share);
          json.writeEndObject();
        });
  }

  /** Sends a file to be kept, never to be shown in place of the page. */
  static void file(HttpExchange exchange, String type, Path file) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Cache-Control", "no-store");
    headers.set("Content-Disposition", "attachment");
    head(headers, type);
    exchange.sendResponseHeaders(200, Files.size(file));
    Files.copy(file, exchange.getResponseBody());
    exchange.close();
  }

  static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
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
