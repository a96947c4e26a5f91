package dev.kymo.importers.ctf.stream;

import dev.kymo.importers.ctf.type.ArrayType;
import dev.kymo.importers.ctf.type.CtfField;
import dev.kymo.importers.ctf.type.CtfScope;
import dev.kymo.importers.ctf.type.CtfStreamClass;
import dev.kymo.importers.ctf.type.IntType;
import dev.kymo.importers.ctf.type.OptionalType;
import dev.kymo.importers.ctf.type.Role;
import dev.kymo.importers.ctf.type.StructType;
import dev.kymo.importers.ctf.type.TraceClass;
import dev.kymo.importers.ctf.type.Type;
import dev.kymo.importers.ctf.type.VariantType;
import org.jspecify.annotations.Nullable;

/**
 * Roles of the fields that tell a reader something: by their names in CTF 1.8, by the metadata in
 * CTF 2.
 */
final class Roles {
  private final boolean byName;

  /** Whether events have the lower bits of a clock that the metadata names. */
  private final boolean mapped;

  Roles(TraceClass trace, CtfStreamClass stream) {
    this.byName = trace.version() == 1;
    this.mapped = clock(stream.eventHeader()) != null;
  }

  @Nullable Role of(CtfField field, CtfScope scope) {
    if (!byName) {
      for (Role role : field.roles()) {
        return role;
      }
      return null;
    }
    return switch (scope) {
      case PACKET_HEADER -> ofHeader(field.name());
      case PACKET_CONTEXT -> ofContext(field.name());
      case EVENT_HEADER -> ofEvent(field);
      default -> null;
    };
  }

  private static @Nullable Role ofHeader(String name) {
    return switch (name) {
      case "magic" -> Role.MAGIC;
      case "uuid" -> Role.UUID;
      case "stream_id" -> Role.STREAM_CLASS;
      case "stream_instance_id" -> Role.STREAM;
      default -> null;
    };
  }

  private static @Nullable Role ofContext(String name) {
    return switch (name) {
      case "packet_size" -> Role.PACKET_SIZE;
      case "content_size" -> Role.CONTENT_SIZE;
      case "timestamp_begin" -> Role.BEGIN;
      case "timestamp_end" -> Role.END;
      case "events_discarded" -> Role.DISCARDED;
      case "packet_seq_num" -> Role.SEQUENCE;
      case "cpu_id" -> Role.CPU;
      default -> null;
    };
  }

  private static @Nullable Role ofEvent(CtfField field) {
    boolean clocked = field.type() instanceof IntType number && number.clock() != null;
    return switch (field.name()) {
      case "id" -> Role.EVENT_CLASS;
      case "timestamp" -> Role.TIME;
      default -> clocked ? Role.TIME : null;
    };
  }

  /** Whether a field with this role sets the clock. */
  boolean ticks(Role role, Type type, CtfScope scope) {
    if (role == Role.TIME) {
      return true;
    }
    boolean clocked = type instanceof IntType number && number.clock() != null;
    return role == Role.BEGIN && scope == CtfScope.PACKET_CONTEXT && (clocked || !mapped);
  }

  /** The clock that a number in a type belongs to; null if there is none. */
  static @Nullable String clock(Type type) {
    return switch (type) {
      case IntType number -> number.clock();
      case ArrayType array -> clock(array.element());
      case OptionalType optional -> clock(optional.type());
      case StructType structure -> {
        String found = null;
        for (CtfField field : structure.fields()) {
          found = found == null ? clock(field.type()) : found;
        }
        yield found;
      }
      case VariantType variant -> {
        String found = null;
        for (VariantType.Option option : variant.options()) {
          found = found == null ? clock(option.field().type()) : found;
        }
        yield found;
      }
      default -> null;
    };
  }

  boolean has(Type type, Role wanted, CtfScope scope) {
    return switch (type) {
      case StructType structure ->
          structure.fields().stream()
              .anyMatch(field -> of(field, scope) == wanted || has(field.type(), wanted, scope));
      case VariantType variant ->
          variant.options().stream()
              .anyMatch(option ->
                  of(option.field(), scope) == wanted || has(option.field().type(), wanted, scope));
      case OptionalType optional -> has(optional.type(), wanted, scope);
      default -> false;
    };
  }
}
