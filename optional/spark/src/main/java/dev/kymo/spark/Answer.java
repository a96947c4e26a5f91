package dev.kymo.spark;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Properties;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;

/**
 * Writes an answer as two files: {@code rows} has a JSON object a row, with the columns {@code c0},
 * {@code c1} and so on as texts; {@code answer} has properties: the names and types of the columns,
 * as DuckDB calls them.
 */
final class Answer {
  private static final String ROWS = "rows";
  private static final String ABOUT = "answer";

  private static final Map<DataType, String> TYPES =
      Map.ofEntries(
          Map.entry(DataTypes.ByteType, "TINYINT"),
          Map.entry(DataTypes.ShortType, "SMALLINT"),
          Map.entry(DataTypes.IntegerType, "INTEGER"),
          Map.entry(DataTypes.LongType, "BIGINT"),
          Map.entry(DataTypes.FloatType, "FLOAT"),
          Map.entry(DataTypes.DoubleType, "DOUBLE"),
          Map.entry(DataTypes.BooleanType, "BOOLEAN"),
          Map.entry(DataTypes.DateType, "DATE"),
          Map.entry(DataTypes.TimestampType, "TIMESTAMP"),
          Map.entry(DataTypes.TimestampNTZType, "TIMESTAMP"));

  private Answer() {}

  /** Writes an answer, at most so many rows of it. */
  static void write(Dataset<Row> answer, long most, Path room) throws IOException {
    StructField[] columns = answer.schema().fields();
    String[] names = new String[columns.length];
    Arrays.setAll(names, i -> "c" + i);
    Dataset<Row> numbered = answer.toDF(names); // they may have one name twice
    Column[] texts =
        Arrays.stream(names)
            .map(name -> numbered.col(name).cast("string").as(name))
            .toArray(Column[]::new);
    rows(numbered.select(texts), most, names, room.resolve(ROWS));
    about(columns, room.resolve(ABOUT));
  }

  private static void rows(Dataset<Row> answer, long most, String[] names, Path to)
      throws IOException {
    try (JsonGenerator json =
        new JsonFactory().createGenerator(Files.newOutputStream(to), JsonEncoding.UTF8)) {
      json.setRootValueSeparator(null);
      Iterator<Row> rows = answer.toLocalIterator();
      for (long i = 0; i < most && rows.hasNext(); i++) {
        Row row = rows.next();
        json.writeStartObject();
        for (int column = 0; column < names.length; column++) {
          json.writeStringField(names[column], row.getString(column));
        }
        json.writeEndObject();
        json.writeRaw('\n');
      }
    }
  }

  private static void about(StructField[] columns, Path to) throws IOException {
    Properties about = new Properties();
    for (int i = 0; i < columns.length; i++) {
      about.setProperty("name." + i, columns[i].name());
      about.setProperty("type." + i, type(columns[i].dataType()));
    }
    try (Writer out = Files.newBufferedWriter(to)) {
      about.store(out, null);
    }
  }

  /** What DuckDB has no type for stays the text that Spark makes of it. */
  private static String type(DataType type) {
    return type instanceof DecimalType decimal
        ? "DECIMAL(%d, %d)".formatted(decimal.precision(), decimal.scale())
        : TYPES.getOrDefault(type, "VARCHAR");
  }
}
