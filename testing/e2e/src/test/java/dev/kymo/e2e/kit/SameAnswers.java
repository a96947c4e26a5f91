package dev.kymo.e2e.kit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Comparison of what reports, SQL and the viewer's server say of one recording. */
public final class SameAnswers {
  private SameAnswers() {}

  /** Each value of a table, in reports, SQL and what the viewer gets. */
  public static void hasSameRows(TableFaces faces, String table) throws Exception {
    List<Map<String, String>> rows = faces.json(table, "--" + table);
    assertThat(faces.csv("--" + table)).isEqualTo(rows);
    assertThat(faces.viewer(table, table)).isEqualTo(rows);
    assertThat(faces.sql(table)).containsExactlyInAnyOrderElementsOf(rows);
  }

  /** Each value of a table that only reports have. */
  public static void hasSameReports(TableFaces faces, String table, String... options)
      throws Exception {
    List<Map<String, String>> rows = faces.json(table, options);
    rows.forEach(row -> row.remove("begun")); // too long for a cell
    assertThat(faces.csv(options)).as(List.of(options).toString()).isEqualTo(rows);
  }

  /** What the kernel says of threads, in the report and in what the viewer gets of all threads. */
  static void splitTimesAlike(TableFaces faces) throws Exception {
    Set<String> parts = Set.of("running", "interrupted", "runnable", "blocked");
    List<Map<String, String>> report = faces.json("threads", "--threads");
    report.forEach(row -> row.keySet().retainAll(parts));
    List<Map<String, String>> viewer = faces.viewer("threads", "threads");
    viewer.removeIf(row -> row.getOrDefault("running", "").isEmpty());
    viewer.forEach(row -> row.keySet().retainAll(parts));
    assertThat(viewer).containsExactlyInAnyOrderElementsOf(report);
  }

  /** What methods cost, in the report and in what the viewer gets. */
  static void costsAlike(TableFaces faces) throws Exception {
    JsonNode answer = faces.ask("summary");
    List<Map<String, String>> viewer = new ArrayList<>();
    for (int row = 0; row < answer.path("method").size(); row++) {
      int method = answer.path("method").path(row).asInt();
      JsonNode known = faces.ask("methods?ids=" + method).path("methods").path(0);
      Map<String, String> cells = new TreeMap<>();
      String type = known.path("type").asText();
      cells.put("method", type + (type.isEmpty() ? "" : ".") + known.path("name").asText());
      cells.put("at_least", Boolean.toString(answer.path("missing").path(row).asInt() > 0));
      cells.put("avg", answer.path("average").path(row).asText());
      for (String id : List.of("calls", "total", "self", "p50", "p99", "max", "counted")) {
        cells.put(id, answer.path(id).path(row).asText());
      }
      viewer.add(cells);
    }
    List<Map<String, String>> report = faces.json("methods");
    Set<String> ids =
        Set.of(
            "method", "at_least", "avg", "calls", "total", "self", "p50", "p99", "max", "counted");
    report.forEach(row -> row.keySet().retainAll(ids));
    assertThat(viewer).containsExactlyInAnyOrderElementsOf(report);
  }

  /** Compares all that a recording can be asked. */
  public static void compare(Path recording) throws Exception {
    try (TableFaces faces = new TableFaces(recording)) {
      hasSameRows(faces, "locks");
      hasSameReports(faces, "methods");
      hasSameReports(faces, "methods", "--per-thread");
      hasSameReports(faces, "methods", "--waits");
      hasSameReports(faces, "methods", "--kernel");
      hasSameReports(faces, "methods", "--cpus");
      hasSameReports(faces, "threads", "--threads");
      splitTimesAlike(faces);
      costsAlike(faces);
      hasSameReports(faces, "events", "--events");
      hasSameReports(faces, "cells", "--matrix", "--of", "waits");
    }
  }
}
