/** What a command wants of the page `/cli`. */
export interface TerminalRequest {
  readonly challenge: string;
  readonly state: string;
  /** Where it listens on this computer; undefined where the code is to be pasted. */
  readonly port: string | undefined;
}

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const STATE = /^[A-Za-z0-9_-]{16,128}$/;
/** Those that a program without privileges can listen on. */
const PORT = /^[1-9][0-9]{3,4}$/;

/** Undefined when a part is missing or malformed. */
export function requestOf(query: URLSearchParams): TerminalRequest | undefined {
  const { challenge = '', state = '', port } = Object.fromEntries(query);
  if (!CHALLENGE.test(challenge) || !STATE.test(state)) return undefined;
  const isPort = port === undefined || (PORT.test(port) && Number(port) >= 1_024 && Number(port) <= 65_535);
  return isPort ? { challenge, state, port } : undefined;
}

/** The loopback address, by number: a name could lead elsewhere (RFC 8252, section 8.3). */
export function returnAddress(
  { port, state }: TerminalRequest,
  result: { readonly code: string } | { readonly error: 'access_denied' },
): string {
  return `http://127.0.0.1:${port}/?${new URLSearchParams({ ...result, state }).toString()}`;
}
