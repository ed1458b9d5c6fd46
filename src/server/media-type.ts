/**
 * A media type as a `Content-Type` field has it (RFC 9110, section 8.3.1), in lower case where the grammar ignores
 * case.
 */
export interface MediaType {
  /** `type/subtype`. */
  readonly essence: string;
  /** In the order in which they were given; a name may be given twice. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** Longer than every content type in use. A longer one is not parsed. */
const MAX_CONTENT_TYPE_CHARACTERS = 200;

/** Tokens (section 5.6.2) on both sides of the slash. */
const ESSENCE = /^[\t ]*([!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)[\t ]*/;
/** A parameter may be empty (section 5.6.6). Its value is a token or a quoted string (section 5.6.4). */
const PARAMETER =
  /;[\t ]*(?:([!#$%&'*+.^_`|~\w-]+)=(?:([!#$%&'*+.^_`|~\w-]+)|"((?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*)")[\t ]*)?/gy;
const ESCAPED = /\\(.)/g;

/** @returns undefined when it is too long, or when it or one of its parameters does not follow the grammar */
export function parseMediaType(text: string): MediaType | undefined {
  if (text.length > MAX_CONTENT_TYPE_CHARACTERS) return undefined;
  const [head = '', essence] = ESSENCE.exec(text) ?? [];
  if (essence === undefined) return undefined;
  const rest = text.slice(head.length);
  const parsed = [...rest.matchAll(PARAMETER)];
  if (parsed.map(([parameter]) => parameter).join('') !== rest) return undefined;
  return {
    essence: essence.toLowerCase(),
    parameters: parsed.flatMap(([, name, token, quoted]) => {
      const value = token ?? quoted?.replaceAll(ESCAPED, '$1');
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value] as const];
    }),
  };
}
