package dev.kymo.server.answers;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.kymo.analysis.selection.PlacedCall;
import dev.kymo.analysis.selection.TimelineSelection;
import dev.kymo.analysis.statistics.Grouping;
import dev.kymo.analysis.statistics.HeatMap;
import dev.kymo.analysis.statistics.Level;
import dev.kymo.analysis.statistics.Matrix;
import dev.kymo.analysis.statistics.MatrixCell;
import dev.kymo.analysis.statistics.MatrixKind;
import dev.kymo.analysis.statistics.Shares;
import dev.kymo.analysis.statistics.Statistics;
import dev.kymo.analysis.statistics.StatisticsRow;
import dev.kymo.analysis.statistics.Subject;
import dev.kymo.analysis.statistics.TimeColumns;
import dev.kymo.model.timeline.Timeline;
import dev.kymo.server.http.Answers;
import dev.kymo.server.http.BadRequestException;
import dev.kymo.server.http.Jobs;
import dev.kymo.server.http.Query;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/statistics}, {@code /api/heat}, {@code /api/matrix}, {@code /api/shares}: how often
 * something happens when, how long it takes, who has to do with whom, what the time went to.
 */
public final class StatisticsAnswer {
  private static final int MAX_COLUMNS = 400;

  /** Rows, each with its columns. */
  private static final int MAX_ROWS = 1000;

  /** Cells of a matrix: more parties cannot be told apart on a screen. */
  private static final int MAX_CELLS = 50_000;

  private static final int MAX_GROUPS = 100;

  private static final PlacedCall NOWHERE = new PlacedCall(-1, 0, 0, 0);

  private StatisticsAnswer() {}

  private static <E extends Enum<E>> E named(Query query, String name, E[] values) {
    String word = query.text(name);
    return Arrays.stream(values)
        .filter(value -> value.name().toLowerCase(Locale.ROOT).equals(word))
        .findFirst()
        .orElseThrow(() -> new BadRequestException("Not known: " + name + '=' + word + '.'));
  }

  private static int columns(Query query) {
    return (int) query.number("columns", 1, MAX_COLUMNS);
  }

  /** {@code /api/statistics}. */
  public static Jobs.Work rows(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    Subject subject = named(query, "of", Subject.values());
    Grouping by = named(query, "by", Grouping.values());
    int columns = columns(query);
    return progress -> {
      Statistics found = Statistics.of(timeline, selection, subject, by, columns, progress);
      List<StatisticsRow> rows = found.rows().subList(0, Math.min(MAX_ROWS, found.rows().size()));
      return json -> {
        json.writeStartObject();
        head(json, found.columns(), found.atLeast());
        json.writeNumberField("cut", found.rows().size() - rows.size());
        new Columns<>(json, rows)
            .ints("method", StatisticsRow::number)
            .ints("group", StatisticsRow::group)
            .numbers("count", StatisticsRow::count)
            .numbers("counted", StatisticsRow::counted)
            .ints("timed", row -> row.timed() ? 1 : 0)
            .numbers("total", StatisticsRow::total)
            .numbers("least", StatisticsRow::least)
            .numbers("p50", StatisticsRow::p50)
            .numbers("p90", StatisticsRow::p90)
            .numbers("p99", StatisticsRow::p99)
            .numbers("max", StatisticsRow::max)
            .ints("lossy", row -> row.atLeast() ? 1 : 0);
        places(json, "", rows, StatisticsRow::longest);
        flat(json, "begun", rows, StatisticsRow::begun);
        json.writeEndObject();
      };
    };
  }

  private static void head(JsonGenerator json, TimeColumns columns, boolean atLeast)
      throws IOException {
    json.writeBooleanField("atLeast", atLeast);
    Answers.time(json, "from", columns.from());
    Answers.time(json, "width", columns.width());
    json.writeNumberField("columns", columns.count());
    Answers.time(json, "to", columns.to());
  }

  /** Where something is; track -1 = nowhere. */
  private static <T> void places(
      JsonGenerator json, String before, List<T> rows, Function<T, @Nullable PlacedCall> place)
      throws IOException {
    List<PlacedCall> all =
        rows.stream().map(row -> Objects.requireNonNullElse(place.apply(row), NOWHERE)).toList();
    new Columns<>(json, all)
        .ints(name(before, "track"), PlacedCall::track)
        .ints(name(before, "depth"), PlacedCall::depth)
        .times(name(before, "begin"), PlacedCall::begin)
        .numbers(name(before, "duration"), PlacedCall::duration);
  }

  private static String name(String before, String word) {
    return before.isEmpty()
        ? word
        : before + Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }

  /** The columns of one row after the other. */
  private static <T> void flat(
      JsonGenerator json, String name, List<T> rows, Function<T, long[]> columns)
      throws IOException {
    Columns.column(json, name, rows.stream().map(columns).flatMapToLong(Arrays::stream).toArray());
  }

  /** {@code /api/heat}. */
  public static Jobs.Work heat(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    BitSet numbers = new BitSet();
    IntStream.of(query.numbers("methods", timeline.methods() - 1, MAX_ROWS)).forEach(numbers::set);
    HeatMap.Choice choice =
        new HeatMap.Choice(
            named(query, "of", Subject.values()),
            numbers,
            named(query, "by", Grouping.values()),
            query.has("group") ? (int) query.number("group", -1, Integer.MAX_VALUE) : HeatMap.ANY);
    int columns = columns(query);
    return progress -> {
      HeatMap map = HeatMap.of(timeline, selection, choice, columns, progress);
      return json -> {
        json.writeStartObject();
        head(json, map.columns(), map.atLeast());
        LatenciesAnswer.write(json, map.map());
        json.writeEndObject();
      };
    };
  }

  /** {@code /api/matrix}. */
  public static Jobs.Work matrix(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    MatrixKind kind = named(query, "of", MatrixKind.values());
    Grouping by = named(query, "by", Grouping.values());
    return progress -> {
      Matrix matrix = Matrix.of(timeline, selection, kind, by, progress);
      List<MatrixCell> cells =
          matrix.cells().subList(0, Math.min(MAX_CELLS, matrix.cells().size()));
      return json -> {
        json.writeStartObject();
        json.writeBooleanField("atLeast", matrix.atLeast());
        json.writeNumberField("cut", matrix.cells().size() - cells.size());
        Columns.column(
            json, "party", matrix.parties().stream().mapToLong(Integer::longValue).toArray());
        new Columns<>(json, cells)
            .ints("from", MatrixCell::from)
            .ints("to", MatrixCell::to)
            .numbers("count", MatrixCell::count)
            .numbers("bytes", MatrixCell::bytes)
            .numbers("sized", MatrixCell::sized)
            .numbers("total", MatrixCell::total)
            .numbers("least", MatrixCell::least)
            .numbers("p50", cell -> cell.time(0.5))
            .numbers("p99", cell -> cell.time(0.99))
            .numbers("most", MatrixCell::most);
        places(json, "first", cells, MatrixCell::first);
        places(json, "longest", cells, MatrixCell::longest);
        json.writeEndObject();
      };
    };
  }

  /** {@code /api/shares}. */
  public static Jobs.Work shares(Timeline timeline, Query query) {
    TimelineSelection selection = SelectionQuery.of(timeline, query);
    Subject subject = named(query, "of", Subject.values());
    if (subject.isPoint()) {
      throw new BadRequestException("They take no time of threads: of=" + query.text("of") + '.');
    }
    Level level = named(query, "by", Level.values());
    int columns = columns(query);
    int most = (int) query.number("most", 1, MAX_GROUPS);
    return progress -> {
      Shares shares = Shares.of(timeline, selection, subject, level, columns, most, progress);
      return json -> {
        json.writeStartObject();
        head(json, shares.columns(), shares.atLeast());
        new Columns<>(json, shares.groups())
            .texts("name", Shares.Group::name)
            .ints("method", Shares.Group::method)
            .numbers("time", Shares.Group::time);
        flat(json, "byColumn", shares.groups(), Shares.Group::byColumn);
        json.writeEndObject();
      };
    };
  }
}
