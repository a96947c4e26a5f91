/**
 * Characters that change the direction of writing, end lines or paragraphs, or are controls. In the terminal, the class
 * Printable escapes the same ones. Line ends and tabs stay, because pages fold them anyway.
 */
const HARMFUL =
  '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';

const IS_HARMFUL = new RegExp(`^[${HARMFUL}]$`);

/** Matches them as they are or as JSON escapes; any other escape is matched as a whole. */
const IN_JSON = new RegExp(`\\\\(?:u([0-9a-fA-F]{4})|[^u])|([${HARMFUL}])`, 'g');

const MAY_BE_HARMFUL = new RegExp(`\\\\u|[${HARMFUL}]`);

/**
 * Escapes harmful characters in JSON, as in `\u202e`: names and texts come from recorded programs, and
 * must not show what is not there. All answers go through here, so that no view has to do it.
 */
export function harmless(json: string): string {
  return MAY_BE_HARMFUL.test(json) ? json.replace(IN_JSON, asInSource) : json;
}

function asInSource(all: string, digits: string | undefined, raw: string | undefined): string {
  const c = raw ?? (digits === undefined ? '' : String.fromCharCode(parseInt(digits, 16)));
  return IS_HARMFUL.test(c) ? `\\\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}` : all;
}
