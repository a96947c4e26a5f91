/**
 * Characters that turn the direction of writing, end lines or paragraphs, or control: in the terminal the class
 * Printable writes the same ones as in source. The ends of lines and tabs stay, which pages fold anyway.
 */
const HARMFUL = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';

const IS_HARMFUL = new RegExp(`^[${HARMFUL}]$`);

/** Either as such, or as JSON writes any character; other escapes are passed over as a whole. */
const IN_JSON = new RegExp(`\\\\(?:u([0-9a-fA-F]{4})|[^u])|([${HARMFUL}])`, 'g');

const MAY_BE_HARMFUL = new RegExp(`\\\\u|[${HARMFUL}]`);

/**
 * JSON whose strings show harmful characters as in source, `\u202e`: names and texts come from recorded programs, and
 * must not show what is not there. All answers go through here, so that nothing that shows them need think of it.
 */
export function harmless(json: string): string {
  return MAY_BE_HARMFUL.test(json) ? json.replace(IN_JSON, asInSource) : json;
}

function asInSource(all: string, digits: string | undefined, raw: string | undefined): string {
  const c = raw ?? (digits === undefined ? '' : String.fromCharCode(parseInt(digits, 16)));
  return IS_HARMFUL.test(c) ? `\\\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}` : all;
}
