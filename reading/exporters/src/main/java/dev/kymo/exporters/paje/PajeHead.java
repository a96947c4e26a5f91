package dev.kymo.exporters.paje;

import dev.kymo.exporters.bytes.BytesOut;
import dev.kymo.exporters.source.ExportSource;
import dev.kymo.exporters.source.ExportTrack;
import dev.kymo.exporters.source.ExportWords;
import dev.kymo.exporters.source.Facts;
import dev.kymo.format.EventKind;
import dev.kymo.model.definitions.TracedEvent;
import dev.kymo.model.definitions.TracedProcess;
import dev.kymo.model.definitions.TrackKind;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Writes the definitions: of events with their fields, of types, and of containers with their
 * aliases.
 *
 * <pre>
 *   0 ─ P process ─┬─ T thread    ─┬─ F calls     S waits     K scheduled     (states)
 *                  │               ├─ E user events   L losses                (events)
 *                  │               └─ V1 V2 ... counters                      (variables)
 *                  └─ C processor ─── R what runs                             (states)
 *   M messages, W wake-ups: links between threads
 * </pre>
 */
final class PajeHead {
  static final String STAMP = "0.000000000";

  private static final String FIELDS =
      """
      %EventDef PajeDefineContainerType 0
      %  Alias string
      %  Type string
      %  Name string
      %EndEventDef
      %EventDef PajeDefineStateType 1
      %  Alias string
      %  Type string
      %  Name string
      %EndEventDef
      %EventDef PajeDefineEventType 2
      %  Alias string
      %  Type string
      %  Name string
      %EndEventDef
      %EventDef PajeDefineVariableType 3
      %  Alias string
      %  Type string
      %  Name string
      %  Color color
      %EndEventDef
      %EventDef PajeDefineLinkType 4
      %  Alias string
      %  Type string
      %  StartContainerType string
      %  EndContainerType string
      %  Name string
      %EndEventDef
      %EventDef PajeDefineEntityValue 5
      %  Alias string
      %  Type string
      %  Name string
      %  Color color
      %EndEventDef
      %EventDef PajeCreateContainer 6
      %  Time date
      %  Alias string
      %  Type string
      %  Container string
      %  Name string
      %EndEventDef
      %EventDef PajeDestroyContainer 7
      %  Time date
      %  Type string
      %  Name string
      %EndEventDef
      %EventDef PajePushState 8
      %  Time date
      %  Type string
      %  Container string
      %  Value string
      %EndEventDef
      %EventDef PajePopState 9
      %  Time date
      %  Type string
      %  Container string
      %EndEventDef
      %EventDef PajeNewEvent 10
      %  Time date
      %  Type string
      %  Container string
      %  Value string
      %EndEventDef
      %EventDef PajeSetVariable 11
      %  Time date
      %  Type string
      %  Container string
      %  Value double
      %EndEventDef
      %EventDef PajeStartLink 12
      %  Time date
      %  Type string
      %  Container string
      %  StartContainer string
      %  Value string
      %  Key string
      %EndEventDef
      %EventDef PajeEndLink 13
      %  Time date
      %  Type string
      %  Container string
      %  EndContainer string
      %  Value string
      %  Key string
      %EndEventDef
      """;

  private final ExportSource source;
  private final BytesOut out;

  PajeHead(ExportSource source, BytesOut out) {
    this.source = source;
    this.out = out;
  }

  void write() {
    Facts.of(source).forEach(fact -> out.put(PajeText.comment(fact.toString())));
    out.put(FIELDS);
    out.put("0 P 0 \"Process\"\n0 T P \"Thread\"\n0 C P \"Processor\"\n");
    out.put("1 F T \"Calls\"\n1 S T \"Waits\"\n1 K T \"Scheduled\"\n1 R C \"Runs\"\n");
    out.put("2 E T \"Events\"\n2 L T \"Losses\"\n");
    out.put("4 M 0 T T \"Messages\"\n4 W 0 T T \"Wake-ups\"\n");
    for (TracedEvent event : source.definitions().events()) {
      if (EventKind.COUNTER.is(event.kind())) {
        out.put("3 V").number(event.number()).put(" T ");
        out.put(PajeText.quoted(event.qualifiedName())).put(" \"0.2 0.4 0.8\"\n");
      }
    }
    containers();
  }

  private void containers() {
    for (int process : processes()) {
      String name =
          source.definitions().processes().stream()
              .filter(p -> p.process() == process)
              .map(PajeHead::name)
              .findFirst()
              .orElse("process");
      out.put("6 " + STAMP + " p").number(process).put(" P 0 ");
      out.put(PajeText.quoted(process + " " + name)).put('\n');
    }
    for (ExportTrack track : source.tracks()) {
      if (owner(track) == track.number()) {
        boolean cpu = track.kind() == TrackKind.CPU;
        out.put("6 " + STAMP + " t").number(track.number()).put(cpu ? " C p" : " T p");
        out.number(track.process()).put(' ');
        out.put(PajeText.quoted(track.thread().thread() + " " + track.definition().name()));
        out.put('\n');
      }
    }
  }

  private static String name(TracedProcess process) {
    return ExportWords.name(process);
  }

  private Set<Integer> processes() {
    Set<Integer> processes = new LinkedHashSet<>();
    source.tracks().forEach(track -> processes.add(track.process()));
    return processes;
  }

  /** The track whose container has what a track shows: states lie in that of their thread. */
  static int owner(ExportTrack track) {
    return track.of() < 0 ? track.number() : track.of();
  }

  void end(long last) {
    for (ExportTrack track : source.tracks().reversed()) {
      if (owner(track) == track.number()) {
        out.put("7 ").fixed(last, 9).put(track.kind() == TrackKind.CPU ? " C t" : " T t");
        out.number(track.number()).put('\n');
      }
    }
    for (int process : processes()) {
      out.put("7 ").fixed(last, 9).put(" P p").number(process).put('\n');
    }
  }
}
