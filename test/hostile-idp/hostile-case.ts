import { readFileSync } from 'node:fs';

/** Changes to a JSON object: members to set (with placeholders, see resolve-values.ts) and to leave out. */
export interface Patch {
  readonly set?: Readonly<Record<string, unknown>>;
  readonly unset?: readonly string[];
}

/** How an endpoint answers instead of as it should. */
export interface Answer extends Patch {
  readonly status?: number;
  readonly contentType?: string;
  /** `huge` never ends, `slow` never comes, `drip` comes a byte at a time; anything else is the body itself. */
  readonly body?: string;
  readonly location?: string;
}

/** One misbehaviour, as one line of test/data/hostile-logins.jsonl has it. */
export interface HostileCase {
  readonly name: string;
  /** Settings of the service for this login. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly discovery?: Answer;
  /** Query parameters with which the provider sends the browser back; `append` is added as it is. */
  readonly authorize?: Patch & { readonly append?: string };
  readonly token?: Answer;
  /** The token endpoint takes these credentials alone: of the header as they come, form-decoded, or of the body. */
  readonly client?: { readonly secret: string; readonly reads: 'raw' | 'decoded' | 'body' };
  readonly idToken?: {
    readonly claims?: Patch;
    readonly header?: Patch;
    readonly sign?: 'own' | 'foreign' | 'none' | 'publicKeyAsSecret' | 'secret' | 'tampered' | 'garbage';
  };
  readonly jwks?: Answer;
  readonly userinfo?: Answer;
  readonly browser?: {
    readonly dropCookies?: readonly ('state' | 'nonce' | 'verifier')[];
    readonly emptyCookies?: readonly ('state' | 'nonce' | 'verifier')[];
    /** Sends the callback a second time, with the cookies of the first. */
    readonly replay?: boolean;
    /** Another browser's callback address is opened in this one. */
    readonly foreignCallback?: boolean;
  };
  readonly expect: {
    /** Where the login ends: at the start (502), at the login page, or signed in. */
    readonly at: 'login' | 'callback' | 'home';
    readonly code?: string;
    readonly idpError?: string;
    readonly descriptionCode?: string;
    /** Words that the hint of the log line must have. */
    readonly hint?: string;
    readonly user?: Readonly<Record<string, unknown>>;
    /** Token requests that may happen; 1 unless given. */
    readonly tokenRequests?: number;
  };
}

/** All cases; one per line, in the order of the file. */
export function readHostileCases(): readonly HostileCase[] {
  return readFileSync(new URL('../data/hostile-logins.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as HostileCase);
}

/** The case of this name. */
export function hostileCase(name: string): HostileCase {
  const found = readHostileCases().find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no such case: ${name}`);
  return found;
}

/** The path segment under which the provider plays a case: its issuer is `<origin>/<slug>`. */
export function slugOf({ name }: HostileCase): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
