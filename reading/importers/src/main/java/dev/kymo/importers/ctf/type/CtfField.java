package dev.kymo.importers.ctf.type;

import java.util.Set;

/**
 * A member of a structure or an option of a variant. References are to the object, so two are equal
 * only if they are one.
 */
public final class CtfField {
  private final String name;
  private final Type type;
  private final Set<Role> roles;

  public CtfField(String name, Type type, Set<Role> roles) {
    this.name = name;
    this.type = type;
    this.roles = Set.copyOf(roles);
  }

  public String name() {
    return name;
  }

  public Type type() {
    return type;
  }

  public Set<Role> roles() {
    return roles;
  }
}
