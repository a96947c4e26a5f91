import { expect, test } from 'vitest';
import { shortCommand } from '../../src/base/command';

test('a Java command line is its main class or jar', () => {
  expect(shortCommand('/usr/lib/jvm/x/bin/java -javaagent:/a=b -cp /a:/b dev.Main one two')).toBe('dev.Main one two');
  expect(shortCommand('java -Xmx1g -jar /opt/app.jar serve')).toBe('app.jar serve');
  expect(shortCommand('java -m mod/Main')).toBe('Main');
  expect(
    shortCommand(
      'java --add-exports jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED --add-opens java.base/java.lang=ALL-UNNAMED -cp a.jar a.Main x',
    ),
  ).toBe('a.Main x');
});

test('other command lines keep their words', () => {
  expect(shortCommand('/usr/bin/javac -d out A.java')).toBe('javac -d out A.java');
  expect(shortCommand('java -version')).toBe('java -version');
  expect(shortCommand('')).toBe('');
});
