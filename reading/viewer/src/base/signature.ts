const PRIMITIVES: Readonly<Record<string, string>> = {
  B: 'byte',
  C: 'char',
  D: 'double',
  F: 'float',
  I: 'int',
  J: 'long',
  S: 'short',
  Z: 'boolean',
  V: 'void',
};

/**
 * A method as its source declares it: `take(int, String[]): Object` from `(I[Ljava/lang/String;)...`.
 * Any other text, such as `(int, char const*)`, is shown as it is, except the address of a native function.
 */
export function signature(name: string, descriptor: string): string {
  if (descriptor.startsWith('+0x')) return name;
  const match = /^\(((?:\[*(?:[BCDFIJSZ]|L[^;]+;))*)\)(\[*(?:[BCDFIJSZV]|L[^;]+;))$/.exec(descriptor);
  if (!match) return name + descriptor;
  const parameters = match[1]!.match(/\[*(?:[BCDFIJSZ]|L[^;]+;)/g) ?? [];
  return `${name}(${parameters.map(type).join(', ')}): ${type(match[2]!)}`;
}

function type(code: string): string {
  const element = code.replace(/^\[+/, '');
  const brackets = '[]'.repeat(code.length - element.length);
  if (element.length === 1) return PRIMITIVES[element] + brackets;
  const path = element.slice(1, -1);
  return path.slice(path.lastIndexOf('/') + 1).replaceAll('$', '.') + brackets;
}
