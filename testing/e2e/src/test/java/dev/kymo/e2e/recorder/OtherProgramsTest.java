package dev.kymo.e2e.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kymo.e2e.kit.Jdk;
import dev.kymo.e2e.kit.Kymo;
import dev.kymo.e2e.kit.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Third-party programs of a Debian machine: when they are recorded they write the same to both
 * outputs, byte for byte, and end with the same exit code.
 */
@Tag("peer")
@Tag("peers")
class OtherProgramsTest {
  private static final Path PEERS = Path.of("target/peers").toAbsolutePath();

  /** What differs between two runs in any case: times, and names that depend on them. */
  private static final Map<String, String> STEADY =
      Map.of(
          "LC_ALL", "C.UTF-8",
          "TZ", "UTC",
          "HOME", "/nonexistent",
          "GIT_CONFIG_NOSYSTEM", "1",
          "GIT_AUTHOR_DATE", "2001-02-03T04:05:06Z",
          "GIT_COMMITTER_DATE", "2001-02-03T04:05:06Z",
          "PYTHONHASHSEED", "1",
          "PERL_HASH_SEED", "1");

  /** Two hundred files in ten folders, and a larger file. */
  private static final String FILES =
      """
      mkdir -p tree/{0..9}
      for i in {0..199}; do echo "line $i $((i * 7919 % 200))" >"tree/$((i % 10))/$i.txt"; done
      cat tree/*/*.txt tree/*/*.txt tree/*/*.txt >large
      """;

  /** Programs that have threads, which are recorded. */
  private static final Set<String> THREADED = Set.of("git", "xz", "sort", "python3");

  @TempDir Path folder;

  /**
   * A program.
   *
   * @param tool that must be installed
   * @param script what bash does; it is the command that is recorded
   */
  record Program(String tool, String script) {
    @Override
    public String toString() {
      return tool;
    }
  }

  /** Programs that work on files. */
  static List<Program> tools() {
    return List.of(
        new Program(
            "git",
            """
            cd tree && git init -q -b main . && git config user.name n && git config user.email e@x
            git add . && git commit -q -m one && git config pack.threads 4
            echo more >>1/1.txt && git rm -q 2/2.txt && git status --short && git diff | cat
            git commit -q -a -m two && git log --stat --format='%H %s' && git gc -q && git fsck 2>&1
            git grep -c 'line 99' | sort && git checkout -q no-such-branch
            """),
        new Program(
            "tar",
            """
            tar --sort=name --mtime=@0 --owner=0 --group=0 -cf a.tar tree && md5sum <a.tar
            mkdir out && tar -C out -xf a.tar && diff -r tree out/tree && tar -tvf a.tar | tail -5
            tar -tf /etc/passwd
            """),
        new Program(
            "gzip",
            "gzip -9n <large | tee a.gz | md5sum; gzip -t a.gz; gzip -dc a.gz | cmp - large; gzip"
                + " -d large"),
        new Program(
            "xz",
            "xz -T4 --block-size=8KiB <large | tee a.xz | md5sum; xz -T4 -dc a.xz | cmp - large; xz"
                + " -d large"),
        new Program(
            "awk",
            """
            awk '{ s[$3 % 17] += $2 } END { for (i = 0; i < 17; i++) print i, s[i]; exit 4 }' large; echo $?
            awk 'BEGIN { while (("ls tree" | getline x) > 0) print x; printf "%c%s", 0, "end" }'
            awk '{' large
            """),
        new Program(
            "sort",
            """
            sort --parallel=4 -S 20K -k3n,3 -k2n large | md5sum
            find tree -name '*7.txt' | sort -V | xargs -P 4 -n 20 cat | sort | uniq -c | sort -rn | head -3
            grep -rlw 42 tree | sort; sed -n '5{p;q}' large; sort -c large
            """),
        new Program(
            "perl",
            """
            perl -e '$SIG{CHLD} = sub { $n++ }; for (1 .. 5) { next if fork; exit $_ } $s += $? >> 8 while wait > 0; print "$s\\n"'
            perl -ne '$h{$1}++ if /(\\d+)$/; END { print "$_=$h{$_} " for sort keys %h }' large | md5sum
            perl -e 'alarm 1; $SIG{ALRM} = sub { print "alarm\\n"; exit 3 }; select(undef, undef, undef, 20)'; echo $?
            perl -e 'print STDERR "bad\\n"; kill 13, $$'; echo $?
            perl -e 'die "so it ends\\n"'
            """));
  }

  /** Programs that run other programs, and some more. */
  static List<Program> languages() {
    return List.of(
        new Program(
            "python3",
            """
            cat >p.py <<'END'
            import hashlib, queue, subprocess, sys, threading
            q, sums = queue.Queue(), []
            def work():
                while (i := q.get()) is not None:
                    sums.append(hashlib.sha256(b'x' * i).hexdigest())
            threads = [threading.Thread(target=work) for _ in range(4)]
            for t in threads: t.start()
            for i in range(200): q.put(i)
            for t in threads: q.put(None)
            for t in threads: t.join()
            print(hashlib.md5(''.join(sorted(sums)).encode()).hexdigest())
            print(subprocess.run(['tr', 'a-z', 'A-Z'], input=b'child', stdout=subprocess.PIPE).stdout)
            sys.stdout.flush()
            raise ValueError('so it ends')
            END
            python3 p.py
            """),
        new Program(
            "bash",
            """
            coproc { while read -r l; do echo "<$l>"; done; }; echo hello >&${COPROC[1]}; read -r a <&${COPROC[0]}; echo "$a"
            trap 'echo usr1' USR1; kill -USR1 $BASHPID; (exit 5) & wait $!; echo $?
            diff <(seq 5) <(seq 2 6); seq 1000000 | head -2; echo "${PIPESTATUS[@]}"
            echo err >&2; exec 9<large; read -r -u 9 l; echo "$l"; trap 'echo bye' EXIT; exit 42
            """),
        new Program(
            "make",
            """
            printf 'all: a b c d\\n\\t+@$(MAKE) -s -f sub.mk\\na b c d:\\n\\t@echo $@ >$@; sleep 0.05\\nbad:\\n\\tfalse\\n' >Makefile
            printf 'all: e f g\\ne f g:\\n\\techo $@ >$@\\n' >sub.mk
            make -s -j4 && cat a b c d e f g; make bad
            """),
        new Program(
            "sqlite3",
            """
            sqlite3 a.db "create table t(i, s); with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
              insert into t select i, 'row' || i from n; create index x on t(s); select count(*), sum(i) from t where s like 'row1%';"
            sqlite3 a.db 'select * from no_such_table'
            """),
        new Program("bc", "echo 'scale=300; 4*a(1)' | bc -l; echo '1/0' | bc"),
        new Program(
            "jq", "seq 2000 | jq -s 'map({k: ., v: (. * .)}) | map(.v) | add'; echo '{' | jq ."),
        new Program(
            "openssl",
            """
            openssl dgst -sha512 large; openssl enc -aes-256-cbc -K 00 -iv 00 -in large 2>/dev/null | md5sum
            openssl x509 -in large -noout 2>/dev/null
            """),
        new Program("curl", "curl -sS file://$PWD/large | md5sum; curl -s http://127.0.0.1:1/"),
        new Program(
            "busybox", "busybox find tree -type f | busybox sort | busybox md5sum; busybox false"));
  }

  static Stream<Arguments> programsAndHow() {
    return Stream.concat(tools().stream(), languages().stream())
        .map(program -> Arguments.of(program, THREADED.contains(program.tool) ? "--threads" : ""));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("programsAndHow")
  void ofTheSystem(Program program, String how) throws Exception {
    Shell shell = new Shell(folder);
    assumeTrue(
        shell.script(folder, Map.of(), "command -v " + program.tool).exit() == 0,
        "skipped: not installed: " + program.tool);
    String script =
        "%scat >script <<'SCRIPT'\n%s\nSCRIPT\n\"${run[@]}\" bash script"
            .formatted(FILES, program.script.strip());
    same(shell.both(STEADY, script, how));
  }

  static List<Arguments> ofTheJvm() {
    return List.of(
        Arguments.of(
            "groovy.jar",
            "groovy.ui.GroovyMain",
            """
            def words = (1..3000).collect { "w${it % 97}" }.groupBy { it }.collectEntries { k, v -> [k, v.size()] }
            println words.sort { a, b -> b.value <=> a.value ?: a.key <=> b.key }.take(5)
            println((1..8).collect { i -> Thread.start { } }.each { it.join() }.size())
            class Derived extends RuntimeException { Derived(Object m) { super(m) } } // by Groovy's choice
            println new Derived('chosen').message
            System.err.println 'to the other'
            System.exit(5)
            """),
        Arguments.of(
            "clojure.jar",
            "clojure.main",
            """
            (defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
            (println (pmap fib (range 18)))
            (println (reduce + (map count (re-seq #"\\w+" (apply str (interpose " " (range 2000)))))))
            (binding [*out* *err*] (println "to the other") (flush))
            (shutdown-agents)
            (System/exit 6)
            """));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void ofTheJvm(String jar, String main, String source) throws Exception {
    Path file = PEERS.resolve(jar);
    assumeTrue(Files.exists(file), "skipped: not there, Maven did not fetch it: " + jar);
    String script =
        "cat >source <<'SCRIPT'\n%sSCRIPT\n\"${run[@]}\" '%s' -cp '%s' %s source"
            .formatted(source, Jdk.running().java(), file, main);
    String include = jar.replace(".jar", ".lang");
    Shell.Both both = new Shell(folder).both(STEADY, script, "--include", include);
    same(both);
    assertThat(both.recorded().out()).isNotEmpty();
    assertThat(Kymo.run("info", folder.resolve("run.kymo").toString()).out()).contains("ended");
  }

  private static void same(Shell.Both both) {
    assertThat(both.plain().out() + both.plain().err()).isNotEmpty();
    assertThat(both.recorded()).isEqualTo(both.plain());
  }
}
