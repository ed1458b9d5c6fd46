import { readFileSync } from 'node:fs';
import type { KeyName } from './forge-jwt.ts';

/** Changes to a JSON object: members to set (with placeholders, see resolve-values.ts) and to leave out. */
export interface Patch {
  readonly set?: Readonly<Record<string, unknown>>;
  readonly unset?: readonly string[];
}

/** How an endpoint answers instead of as it should. */
export interface ScriptedResponse extends Patch {
  readonly status?: number;
  readonly contentType?: string;
  /**
   * `huge` never ends, `slow` never comes, `silent` sends not even a status, `drip` comes a byte at a time, `bomb` is
   * 16 MiB in a few kilobytes of gzip, `reset` ends in the middle; anything else is the body itself (or `$repeat`).
   */
  readonly body?: unknown;
  readonly location?: string;
  /** Only for so many requests; the next ones are answered by the book. */
  readonly times?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How a JWT is made; without more, by the book. */
export interface Forgery {
  readonly claims?: Patch;
  readonly header?: Patch;
  /** Text before the closing brace of the claims or the header, such as a member that is there already. */
  readonly appendToClaims?: string;
  readonly appendToHeader?: string;
  readonly sign?: KeyName | 'none' | 'publicKeyAsSecret' | 'secret' | 'tampered' | 'garbage';
}

/** A key of the key set, changed. */
export interface PublishedKey extends Patch {
  readonly key: KeyName;
}

/** One misbehaviour, as one line of test/data/hostile-logins.jsonl has it. */
export interface HostileCase {
  readonly name: string;
  /** Settings of the service for this login. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly discovery?: ScriptedResponse;
  /** Query parameters with which the provider sends the browser back; `append` is added as it is. */
  readonly authorize?: Patch & { readonly append?: string };
  readonly token?: ScriptedResponse;
  /** The token endpoint takes these credentials alone: of the header as they come, form-decoded, or of the body. */
  readonly client?: { readonly secret: string; readonly reads: 'raw' | 'decoded' | 'body' };
  readonly idToken?: Forgery;
  /** `publish` replaces the provider's own key. */
  readonly jwks?: ScriptedResponse & { readonly publish?: readonly PublishedKey[] };
  /** `jwt` answers as a signed JWT. */
  readonly userinfo?: ScriptedResponse & { readonly jwt?: Forgery };
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
    /** The stage and the status of the log line. */
    readonly stage?: string;
    readonly status?: number;
    /** The code with which UserInfo failed; the login may succeed all the same. */
    readonly userInfo?: string;
    /** Further fields of the log line. */
    readonly line?: Readonly<Record<string, unknown>>;
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
