package dev.kymo.spark;

import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.ParsedStatement;
import org.apache.spark.sql.internal.SessionState;
import scala.jdk.javaapi.CollectionConverters;

/** A question reads the recordings' tables, and does nothing else. */
final class Question {
  /** They run any code. */
  private static final List<String> CODE = List.of("reflect", "java_method", "try_reflect");

  private Question() {}

  /**
   * Asks; the answer's rows are not made yet.
   *
   * @throws IOException if it is a statement of another kind
   */
  static Dataset<Row> ask(SparkSession session, String sql, boolean unsafe)
      throws IOException, ParseException {
    if (!unsafe) {
      SessionState state = ((org.apache.spark.sql.classic.SparkSession) session).sessionState();
      FunctionRegistry functions = state.functionRegistry();
      for (FunctionIdentifier each : CollectionConverters.asJava(functions.listFunction())) {
        if (CODE.contains(each.funcName())) {
          functions.dropFunction(each);
        }
      }
      if (!isQuestion(state.sqlParser().parsePlan(sql))) {
        throw new IOException(
            "not a question: only SELECT and what else just reads is answered; --unsafe runs other statements");
      }
    }
    return session.sql(sql);
  }

  private static boolean isQuestion(LogicalPlan plan) {
    return !(plan instanceof Command)
        && !(plan instanceof ParsedStatement)
        && !plan.getClass().getSimpleName().contains("ExecuteImmediate")
        && CollectionConverters.asJava(plan.children()).stream().allMatch(Question::isQuestion);
  }
}
