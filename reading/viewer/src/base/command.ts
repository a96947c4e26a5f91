/** Options of `java` whose value is the next word. */
const WITH_VALUE = new Set(
  '-cp -classpath --class-path -p --module-path --upgrade-module-path --add-modules --limit-modules --add-exports --add-opens --add-reads --patch-module --enable-native-access --illegal-native-access --source'.split(
    ' ',
  ),
);

/**
 * A Java command line in short: main class or jar, and its arguments. The rest, often
 * a long class path, is in the tooltip.
 */
export function shortCommand(command: string): string {
  const words = command.split(' ').filter((word) => word !== '');
  const program = (words[0] ?? '').replace(/^.*\//, '');
  if (program !== 'java') {
    return [program, ...words.slice(1)].join(' ');
  }
  for (let i = 1; i < words.length; i++) {
    const word = words[i] ?? '';
    if (WITH_VALUE.has(word)) {
      i++;
    } else if (word === '-jar' || word === '-m' || word === '--module') {
      const named = (words[i + 1] ?? '').replace(/^.*\//, '');
      return [named, ...words.slice(i + 2)].join(' ');
    } else if (!word.startsWith('-')) {
      return words.slice(i).join(' ');
    }
  }
  return command;
}
