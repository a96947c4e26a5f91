package dev.kymo.cli.query;

import dev.kymo.cli.terminal.Printable;
import dev.kymo.query.rules.RuleVerdict;
import dev.kymo.query.rules.RuleVerdict.Outcome;
import dev.kymo.query.rules.Violation;
import dev.kymo.session.OutputFile;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes what was found about rules as JUnit's XML: a suite a recording, a test a rule. */
final class JunitReport {
  private final XMLStreamWriter xml;
  private final boolean allowUnknown;

  private JunitReport(XMLStreamWriter xml, boolean allowUnknown) {
    this.xml = xml;
    this.allowUnknown = allowUnknown;
  }

  /** Writes it; a report of an earlier run is replaced. */
  static void write(Path to, List<CheckedRule> checked, boolean allowUnknown) throws IOException {
    try (OutputFile out = OutputFile.begin(to, false, true);
        Writer writer = Files.newBufferedWriter(out.unfinished())) {
      XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(writer);
      new JunitReport(xml, allowUnknown).write(checked);
      xml.close();
      writer.close();
      out.finish();
    } catch (XMLStreamException e) {
      throw new IOException("cannot write: path=" + to, e);
    }
  }

  private void write(List<CheckedRule> checked) throws XMLStreamException {
    Map<Path, List<CheckedRule>> suites =
        checked.stream()
            .collect(
                Collectors.groupingBy(CheckedRule::path, LinkedHashMap::new, Collectors.toList()));
    xml.writeStartDocument("UTF-8", "1.0");
    xml.writeCharacters("\n");
    xml.writeStartElement("testsuites");
    for (List<CheckedRule> suite : suites.values()) {
      suite(suite);
    }
    xml.writeCharacters("\n");
    xml.writeEndElement();
    xml.writeCharacters("\n");
    xml.writeEndDocument();
  }

  private void suite(List<CheckedRule> rules) throws XMLStreamException {
    xml.writeCharacters("\n  ");
    xml.writeStartElement("testsuite");
    attribute("name", rules.getFirst().path().toString());
    attribute("tests", Integer.toString(rules.size()));
    attribute("failures", count(rules, "failure"));
    attribute("errors", count(rules, "error"));
    attribute("skipped", count(rules, "skipped"));
    for (CheckedRule rule : rules) {
      test(rule);
    }
    xml.writeCharacters("\n  ");
    xml.writeEndElement();
  }

  private String count(List<CheckedRule> rules, String element) {
    return Long.toString(rules.stream().filter(rule -> element(rule).equals(element)).count());
  }

  /** What stands in a test; empty = nothing, because all is right. */
  private String element(CheckedRule rule) {
    return switch (rule.verdict().outcome()) {
      case OK -> "";
      case VIOLATED -> "failure";
      case UNKNOWN -> allowUnknown ? "skipped" : "failure";
      case FAILED -> "error";
    };
  }

  private void test(CheckedRule rule) throws XMLStreamException {
    xml.writeCharacters("\n    ");
    xml.writeStartElement("testcase");
    attribute("classname", rule.recording());
    attribute("name", rule.rule().name());
    String element = element(rule);
    if (!element.isEmpty()) {
      RuleVerdict verdict = rule.verdict();
      xml.writeCharacters("\n      ");
      xml.writeStartElement(element);
      attribute("message", verdict.why());
      if (verdict.outcome() != Outcome.UNKNOWN || !allowUnknown) {
        attribute("type", verdict.outcome().word());
      }
      for (Violation violation : verdict.violations()) {
        characters(CheckOutput.words(violation));
        characters(rule.view(violation));
        characters(rule.why(violation));
      }
      xml.writeEndElement();
      xml.writeCharacters("\n    ");
    }
    xml.writeEndElement();
  }

  private void attribute(String name, String value) throws XMLStreamException {
    xml.writeAttribute(name, text(value));
  }

  /** XML has neither control characters nor halves of characters. */
  private static String text(String text) {
    StringBuilder whole = new StringBuilder();
    Printable.of(text).codePoints().map(c -> isXml(c) ? c : '?').forEach(whole::appendCodePoint);
    return whole.toString();
  }

  private static boolean isXml(int c) {
    return Character.getType(c) != Character.SURROGATE && c != 0xfffe && c != 0xffff;
  }

  private void characters(String line) throws XMLStreamException {
    if (!line.isEmpty()) {
      xml.writeCharacters(text(line) + "\n");
    }
  }
}
