package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Programs;
import dev.kymo.e2e.kit.Shell;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A recorded program is started as a shell starts it: it gets all its arguments, byte by byte. */
class LaunchTest {
  @TempDir Path folder;
  private Shell shell;

  @BeforeEach
  void shell() {
    shell = new Shell(folder);
  }

  @AfterEach
  void nothingIsLeftBehind() throws Exception {
    assertThat(Kymo.sharedMemory(folder)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"C", "POSIX", "C.UTF-8"})
  void argumentsAreBytes(String locale) throws Exception {
    same(
        Map.of("LC_ALL", locale),
        """
        set -o pipefail
        "${run[@]}" printf '%s|' $'caf\\xc3\\xa9' $'caf\\xe9' $'\\xf0\\x9f\\x92\\xa1\\xff' @file -- -o '' '"q"' '*' | od -An -c
        """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"C", "C.UTF-8"})
  void programsAndFoldersHaveNamesThatAreBytes(String locale) throws Exception {
    same(
        Map.of("LC_ALL", locale),
        """
        mkdir -p $'caf\\xc3\\xa9' $'caf\\xe9'
        for place in $'caf\\xc3\\xa9' $'caf\\xe9'; do
          cp "$(type -P printf)" "$place/$place"
          "${run[@]}" "./$place/$place" 'slash %s\\n' a
          PATH="$PWD/$place:$PATH" "${run[@]}" "$place" 'path %s\\n' b
          (cd "$place" && "${run[@]}" "./$place" 'there %s\\n' c && "${run[@]}" readlink /proc/self/cwd | od -An -c)
        done
        """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"C", "C.UTF-8"})
  void recordingsCanLieInSuchFolders(String locale) throws Exception {
    String program = "'%s' -cp '%s' Known".formatted(Jdk.running().java(), folder);
    Programs.copy("Known", folder); // Java does not find classes by a name that the locale has not
    Kymo.Result result =
        shell.script(
            folder,
            Map.of("LC_ALL", locale),
            """
            set -e
            mkdir $'caf\\xc3\\xa9' $'caf\\xe9'
            "%1$s" record -q -o $'caf\\xc3\\xa9/r\\xc3\\xbcn.kymo' -- %2$s >first
            (cd $'caf\\xe9' && "%1$s" record -q -o run.kymo -- %2$s >../second)
            cmp first second
            "%1$s" report $'caf\\xc3\\xa9/r\\xc3\\xbcn.kymo' | grep -c Known.fib
            "%1$s" report $'caf\\xe9/run.kymo' | grep -c Known.fib
            cd $'caf\\xe9'
            "%1$s" info run.kymo | grep -c 'pid .*ended'
            "%1$s" record -o $'r\\xfcn.kymo' -- true
            """
                .formatted(shell.kymo(), program));
    assertThat(result)
        .isEqualTo(
            new Kymo.Result(
                2,
                "1\n1\n1\n",
                "kymo: name of the recording is not UTF-8: path=r\\xFCn.kymo; choose another with -o, or"
                    + " change into its directory\n"));
  }

  @Test
  void theEnvironmentHasNoMoreThanWhatIsDocumented() throws Exception {
    Shell.Both both =
        shell.both(
            Map.of(),
            """
            env -i PATH="$PATH" JAVA_HOME=/usr/lib/jvm/none LC_ALL=C LANG=xx NAME=$'\\xe9' _=x OLDPWD=/old \\
              SHLVL=7 EMPTY= 'a b=c=d' "${run[@]}" cat /proc/self/environ | od -An -v -tx1 | tr -d ' \\n'
            """);
    List<String> plain = variables(both.plain().out());
    List<String> recorded = variables(both.recorded().out());
    assertThat(plain).hasSize(10);
    assertThat(recorded).startsWith(plain.toArray(String[]::new));
    assertThat(recorded.subList(plain.size(), recorded.size()))
        .extracting(variable -> variable.substring(0, variable.indexOf('=')))
        .containsExactly("KYMO_SESSION", "LD_PRELOAD", "ASAN_OPTIONS", "JAVA_TOOL_OPTIONS");
  }

  private static List<String> variables(String hexadecimal) {
    byte[] bytes = HexFormat.of().parseHex(hexadecimal);
    return List.of(new String(bytes, StandardCharsets.ISO_8859_1).split("\0"));
  }

  @Test
  void signalsFilesAndLimitsAreTheShells() throws Exception {
    same(
        Map.of(),
        """
        exec 7</etc/passwd
        trap '' HUP QUIT PIPE USR2
        ulimit -Sn 77
        ulimit -Ss 4096
        umask 027
        "${run[@]}" nice -n 3 grep -E 'Sig(Blk|Ign)|^Umask' /proc/self/status
        "${run[@]}" sh -c 'for f in /proc/$$/fd/*; do echo ${f##*/}; done; ps -o ni=,pgid= -p $$ | wc -w'
        "${run[@]}" cat /proc/self/limits
        "${run[@]}" cat <(echo one) <(echo two)
        """);
  }

  /** Java needs more files than some programs do: then they run unrecorded. */
  @Test
  void fewFilesMayBeOpen() throws Exception {
    same(
        Map.of(),
        """
        ulimit -n 24
        "${run[@]}" sh -c 'ulimit -n; echo "$@"; exit 3' sh -- a 'b c'
        echo $?
        """);
  }

  @Test
  void standardFilesThatAreClosedStaySo() throws Exception {
    same(
        Map.of(),
        """
        files='for f in 0 1 2; do [ -e /proc/$$/fd/$f ] && echo $f; done'
        "${run[@]}" sh -c "exec 5>&1; $files" 2>&-
        "${run[@]}" sh -c "$files" <&-
        "${run[@]}" sh -c "{ $files; } >&2" >&-
        "${run[@]}" cat <&- 2>/dev/null
        echo $?
        "${run[@]}" true <&- >&- 2>&-
        echo $?
        """);
  }

  @Test
  void aDeletedFolder() throws Exception {
    Shell.Both both =
        shell.both(
            Map.of(),
            """
            mkdir gone && cd gone && rmdir ../gone
            "${run[@]}" readlink /proc/self/cwd
            """);
    assertThat(both.recorded().out()).isEqualTo(both.plain().out());
    assertThat(both.recorded().exit()).isZero();
  }

  @Test
  void commandsAreFoundAsShellsFindThem() throws Exception {
    same(
        Map.of(),
        """
        mkdir bin here data
        printf '#!/bin/sh\\necho in bin "$@"\\n' >bin/tool
        printf 'echo no line that says what for "$@"\\n' >here/tool
        printf '#!/bin/sh\\necho data\\n' >data/tool
        chmod +x bin/tool here/tool
        (cd here && PATH="/nowhere::$PWD/../bin:$PATH" "${run[@]}" tool 1 '')
        PATH="$PWD/data:$PWD/bin:$PATH" "${run[@]}" tool 2
        "${run[@]}" bin/tool 3
        cd bin && "${run[@]}" ../bin/tool -o -- --help
        """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"KILL", "SEGV", "USR1", "QUIT"})
  void theShellSeesTheSignalThatEndedIt(String signal) throws Exception {
    Shell.Both both =
        shell.both(
            Map.of(),
            """
            ulimit -c 0
            "${run[@]}" sh -c 'kill -%s $$'
            echo $?
            """
                .formatted(signal));
    assertThat(both.recorded().out()).isEqualTo(both.plain().out());
    String process = "\\d+ ([A-Z][A-Za-z ]*?)  ";
    assertThat(words(both.recorded().err(), process)).isEqualTo(words(both.plain().err(), process));
  }

  private static String words(String message, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(message);
    return matcher.find() ? matcher.group(1) : "";
  }

  @Test
  void theDashesMayBeLeftOut() throws Exception {
    Kymo.Result result =
        shell.script(
            folder,
            Map.of(),
            shell.kymo() + " record -o r.kymo printf '%s ' -ersion -o -- -q @file");
    assertThat(result.out()).isEqualTo("-ersion -o -- -q @file ");
    assertThat(result.exit()).isZero();
  }

  private void same(Map<String, String> environment, String script) throws Exception {
    Shell.Both both = shell.both(environment, script);
    assertThat(both.plain().exit()).as(both.plain().err()).isZero();
    assertThat(both.plain().out()).isNotEmpty();
    assertThat(both.recorded()).isEqualTo(both.plain());
  }
}
