import { RefusedError } from '../client';
import type { LocalRecording } from './unpack';

/** A capital letter that is not part of a class such as `\S`. */
const CAPITAL = /(?<!\\)\p{Lu}/u;

/** Numbers of the methods whose full name contains a match; without a capital letter any case matches. */
export function matchingMethods(data: LocalRecording, text: string): Set<number> {
  const pattern = compiled(text, CAPITAL.test(text) ? 'u' : 'ui');
  const found = data.methods.filter(({ type, name }) => pattern.test(type === '' ? name : `${type}.${name}`));
  return new Set(found.map((method) => method.id));
}

function compiled(text: string, flags: string): RegExp {
  try {
    return new RegExp(text, flags);
  } catch (error) {
    throw new RefusedError(`Not a regular expression: ${(error as Error).message}`);
  }
}
