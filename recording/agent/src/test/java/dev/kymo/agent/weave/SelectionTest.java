package dev.kymo.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.format.Clock;
import dev.kymo.format.RingLayout;
import dev.kymo.recorder.Session;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelectionTest {
  private static final Module UNNAMED = SelectionTest.class.getModule();
  private static final Module BASE = Object.class.getModule();
  private static final Module LOGGING = java.util.logging.Logger.class.getModule();
  private static final ClassLoader LOADER = SelectionTest.class.getClassLoader();

  @Test
  void byDefaultTheProgramsOwnClasses() {
    Selection selection = selection(List.of(), List.of());
    assertThat(selection.isSelected(UNNAMED, LOADER, "com.acme.Main")).isTrue();
    assertThat(selection.isSelected(BASE, null, "java.lang.String")).isFalse();
    assertThat(selection.isSelected(LOGGING, null, "sun.util.logging.Some")).isFalse();
    assertThat(selection.isSelected(UNNAMED, null, "com.acme.OnBootPath")).isFalse();
    assertThat(selection.isSelected(UNNAMED, LOADER, "dev.kymo.recorder.ring.Probe")).isFalse();
    assertThat(selection.isSelected(UNNAMED, LOADER, "dev.kymo.demo.Shop")).isTrue();
  }

  @Test
  void includeNamesClassesOfTheJdkTooButNotThoseThatProbesNeed() {
    Selection selection = selection(List.of("sun.util", "java.**", "no.such"), List.of());
    assertThat(selection.isSelected(LOGGING, null, "sun.util.logging.Some")).isTrue();
    assertThat(selection.isSelected(UNNAMED, LOADER, "com.acme.Main")).isFalse();
    for (String name : List.of("java.util.HashMap", "java.io.File", "java.nio.file.Files")) {
      assertThat(selection.isSelected(BASE, null, name)).as(name).isTrue();
    }
    assertThat(selection.takeRefused()).isEmpty();
    List<String> needed =
        List.of(
            "java.lang.String",
            "java.lang.invoke.MethodHandle",
            "java.nio.ByteBuffer",
            "java.util.Objects",
            "java.util.concurrent.atomic.AtomicInteger",
            "java.util.concurrent.locks.LockSupport");
    for (String name : needed) {
      assertThat(selection.isSelected(BASE, null, name)).as(name).isFalse();
    }
    assertThat(selection.takeRefused()).isEqualTo(needed);
    assertThat(selection.takeRefused()).isEmpty();
    assertThat(selection.unused()).containsExactly("no.such");
  }

  @Test
  void agentsThatTheVirtualMachineWasToldOf() throws Exception {
    Path jar = Path.of("some", "agent.jar").toAbsolutePath();
    CodeSource source = new CodeSource(jar.toUri().toURL(), (Certificate[]) null);
    ProtectionDomain domain = new ProtectionDomain(source, null);
    assertThat(OtherAgents.of("-ea", "-javaagent:" + jar + "=x=y").have(LOADER, domain)).isTrue();
    assertThat(OtherAgents.of("-javaagent:some/agent.jar").have(LOADER, domain)).isTrue();
    assertThat(OtherAgents.of("-javaagent:other.jar").have(LOADER, domain)).isFalse();
    assertThat(OtherAgents.of("-javaagent:other.jar").have(null, null)).isFalse();
    assertThat(OtherAgents.of("-javaagent:other.jar").haveDebugger()).isFalse();
    assertThat(OtherAgents.of("-ea", "-agentlib:jdwp=server=y").haveDebugger()).isTrue();
    assertThat(OtherAgents.of("-Xrunjdwp:server=y").haveDebugger()).isTrue();
  }

  @Test
  void patterns() {
    assertMatches("com.acme", "com.acme.Main", true);
    assertMatches("com.acme", "com.acme.deep.Main", true);
    assertMatches("com.acme", "com.acmes.Main", false);
    assertMatches("com.acme.Main", "com.acme.Main$Inner", true);
    assertMatches("com.acme.*", "com.acme.Main", true);
    assertMatches("com.acme.*", "com.acme.deep.Main", false);
    assertMatches("com.acme.**", "com.acme.deep.Main", true);
    assertMatches("**Service", "com.acme.deep.OrderService", true);
    assertMatches("**Service", "com.acme.deep.OrderServices", false);
    assertMatches("com.acme.Main+", "com.acme.Main+", true);
  }

  @Test
  void methodsOfAClass() {
    Selection only = selection(List.of("com.acme.Main#get*"), List.of());
    assertThat(only.isSelected("com.acme.Main", method("getName", 50, false))).isTrue();
    assertThat(only.isSelected("com.acme.Main", method("setName", 50, false))).isFalse();
    Selection without = selection(List.of(), List.of("com.acme.Main#get*"));
    assertThat(without.isSelected(UNNAMED, LOADER, "com.acme.Main")).isTrue();
    assertThat(without.isSelected("com.acme.Main", method("getName", 50, false))).isFalse();
    assertThat(without.isSelected("com.acme.Main", method("setName", 50, false))).isTrue();
  }

  @Test
  void smallMethodsUnlessTheyCall() {
    Selection selection = selection(List.of(), List.of());
    assertThat(selection.isSelected("A", method("small", 31, false))).isFalse();
    assertThat(selection.isSelected("A", method("calling", 5, true))).isTrue();
    assertThat(selection.isSelected("A", method("large", 32, false))).isTrue();
  }

  @Test
  void notWhatTheJdkMakesForReflection() {
    Selection selection = selection(List.of(), List.of());
    String accessor = "jdk.internal.reflect.GeneratedConstructorAccessor1";
    assertThat(selection.isSelected(UNNAMED, LOADER, accessor)).isFalse();
  }

  private static void assertMatches(String pattern, String className, boolean expected) {
    assertThat(selection(List.of(pattern), List.of()).isSelected(UNNAMED, LOADER, className))
        .as("%s and %s", pattern, className)
        .isEqualTo(expected);
  }

  private static MethodFacts method(String name, int size, boolean calls) {
    return new MethodFacts(name, "()V", 0, size, 1, 1, 0, calls, false, false);
  }

  private static Selection selection(List<String> include, List<String> exclude) {
    Path none = Path.of("/none");
    return new Selection(
        Session.create(none, none, Clock.MONOTONIC, new Session.Buffers(1, RingLayout.DISCARD))
            .with(new Session.Methods(include, exclude, 32, 0, false, "")));
  }
}
