package dev.kymo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.testkit.SourceTree;
import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What a recording leaves in static fields is there when the next one of the same process begins.
 * docs/design/state.md says of each such field what becomes of it.
 */
class StaticStateTest {
  private static final Set<String> ROOMS =
      Set.of("format/format", "recording/recorder", "recording/agent", "recording/api");

  /** Types of which a final field holds nothing that changes. */
  private static final Pattern CONSTANT =
      Pattern.compile(
          "[ZBCSIJFD]|Ljava/(lang/String|util/regex/Pattern|nio/file/Path|time/Duration|lang/Runnable"
              + "|lang/invoke/(MethodHandle|VarHandle)|nio/file/attribute/FileAttribute);|Lorg/objectweb/.*");

  /** What makes collections that do not change. */
  private static final Pattern UNMODIFIABLE =
      Pattern.compile(
          "java/util/(List|Map|Set)\\.(of|copyOf|ofEntries)|java/util/stream/Stream\\.toList");

  private static final Pattern LISTED = Pattern.compile("`([A-Z]\\w*(?:\\.\\w+)+)`");

  private Map<String, ClassModel> types = Map.of();

  @Test
  void whatBecomesOfEachFieldIsSaid() throws Exception {
    types = ClassFiles.of(ROOMS);
    Set<String> found = new TreeSet<>();
    types.values().forEach(type -> addFields(type, found));
    Set<String> listed = new TreeSet<>();
    for (String line : Files.readAllLines(SourceTree.path("docs/design/state.md"))) {
      if (line.startsWith("* ") || line.startsWith("  ")) {
        LISTED.matcher(line).results().forEach(name -> listed.add(name.group(1)));
      }
    }
    assertThat(found).hasSizeGreaterThan(50);
    assertThat(listed).containsExactlyInAnyOrderElementsOf(found);
  }

  private void addFields(ClassModel type, Set<String> found) {
    Set<String> unmodifiable = unmodifiable(type);
    for (FieldModel field : type.fields()) {
      AccessFlags flags = field.flags();
      String own = field.fieldName().stringValue();
      boolean isConstant =
          flags.has(AccessFlag.FINAL)
              && (unmodifiable.contains(own) || isConstant(field.fieldType().stringValue()));
      if (flags.has(AccessFlag.STATIC) && !flags.has(AccessFlag.SYNTHETIC) && !isConstant) {
        found.add(ClassFiles.simple(type.thisClass().asInternalName()) + "." + own);
      }
    }
  }

  /**
   * An object of ours is one if all of its fields are final; whoever implements an interface, too.
   */
  private boolean isConstant(String descriptor) {
    ClassModel own =
        descriptor.startsWith("L")
            ? types.get(descriptor.substring(1, descriptor.length() - 1))
            : null;
    return CONSTANT.matcher(descriptor).matches()
        || (own != null
            && !own.thisClass().asInternalName().endsWith("/WeakObjects")
            && own.fields().stream()
                .map(FieldModel::flags)
                .allMatch(flags -> flags.has(AccessFlag.STATIC) || flags.has(AccessFlag.FINAL)));
  }

  private static Set<String> unmodifiable(ClassModel type) {
    Set<String> names = new HashSet<>();
    type.methods().stream()
        .filter(method -> method.methodName().equalsString("<clinit>"))
        .forEach(method -> method.code().ifPresent(code -> addUnmodifiable(code, names)));
    return names;
  }

  private static void addUnmodifiable(CodeModel code, Set<String> names) {
    String before = "";
    for (CodeElement element : code) {
      if (element instanceof FieldInstruction field && field.opcode() == Opcode.PUTSTATIC) {
        if (UNMODIFIABLE.matcher(before).matches()) {
          names.add(field.name().stringValue());
        }
      } else if (element instanceof InvokeInstruction call) {
        before = call.owner().asInternalName() + "." + call.name().stringValue();
      } else if (element instanceof Instruction) {
        before = "";
      }
    }
  }
}
