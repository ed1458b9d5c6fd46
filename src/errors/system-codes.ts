/** The other side of a connection, in the words of an operator. */
export interface Peer {
  /** Such as `API server`. */
  readonly name: string;
  /** The setting that names its address. */
  readonly addressSetting: string;
  /** The setting that names the authority of its certificate. */
  readonly authoritySetting: string;
}

const HINTS = {
  refused: ({ name, addressSetting }) =>
    `Nothing listens at the address of the ${name}. Check ${addressSetting} and that the ${name} runs.`,
  cut: ({ name }) => `The connection to the ${name} was cut. Check proxies between here and there.`,
  notReached: ({ name }) =>
    `The ${name} cannot be reached over the network. Check network policies and proxies.`,
  unknownHost: ({ name, addressSetting }) =>
    `The ${name}'s host name is unknown here. Check ${addressSetting} and the name service.`,
  noNameService: () => 'The name service did not answer. Check the name service and network policies.',
  expired: ({ name }) => `The ${name}'s certificate has expired.`,
  notYetValid: ({ name }) => `The ${name}'s certificate is not valid yet. Check the clocks.`,
  notTrusted: ({ name, authoritySetting }) =>
    `The ${name}'s certificate is not trusted here. Give its authority by ${authoritySetting}.`,
  otherHost: ({ name, addressSetting }) =>
    `The ${name}'s certificate is for another host name. Check ${addressSetting}.`,
  noTls: ({ name, addressSetting }) =>
    `The ${name} does not speak TLS at that address. Check ${addressSetting}.`,
} as const satisfies Record<string, (peer: Peer) => string>;

/**
 * System error codes that may be logged, by the hint that they give. Foreign errors contain hosts, tokens and bodies in
 * their messages, so nothing else is read from them.
 */
const CODES = {
  refused: ['ECONNREFUSED'],
  cut: ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET'],
  notReached: ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
  unknownHost: ['ENOTFOUND'],
  noNameService: ['EAI_AGAIN'],
  expired: ['CERT_HAS_EXPIRED'],
  notYetValid: ['CERT_NOT_YET_VALID'],
  notTrusted: [
    ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  ],
  otherHost: ['ERR_TLS_CERT_ALTNAME_INVALID'],
  noTls: ['ERR_SSL_WRONG_VERSION_NUMBER'],
  /** Clear by themselves. */
  none: [
    ...['EADDRINUSE', 'EACCES', 'ENOENT', 'ERR_HTTP2_SESSION_ERROR', 'ERR_HTTP2_STREAM_ERROR', 'ABORT_ERR'],
    ...['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_ABORTED'],
    ...['UND_ERR_RESPONSE_EXCEEDED_SIZE'],
  ],
} satisfies Record<keyof typeof HINTS | 'none', readonly string[]>;

const HINT_OF: ReadonlyMap<string, keyof typeof CODES> = new Map(
  (Object.keys(CODES) as (keyof typeof CODES)[]).flatMap((hint) => CODES[hint].map((code) => [code, hint])),
);

/** Causes deeper than this are ignored (contract: error causes examined). */
const MAX_CAUSES = 8;

/** An error or a cause, of which nothing is known. */
export interface Link {
  readonly cause?: unknown;
  readonly code?: unknown;
  readonly claim?: unknown;
}

/** An error and its causes. */
export function causesOf(error: unknown): readonly Link[] {
  const chain: Link[] = [];
  let current = error;
  while (chain.length < MAX_CAUSES && typeof current === 'object' && current !== null) {
    const link: Link = current;
    chain.push(link);
    current = link.cause;
  }
  return chain;
}

/** The first known system code among an error and its causes, or undefined. */
export function systemCodeOf(error: unknown): string | undefined {
  const codes = causesOf(error).map(({ code }) => code);
  return codes.find((code): code is string => typeof code === 'string' && HINT_OF.has(code));
}

/** A fixed sentence about what to check; undefined if the code is clear by itself. */
export function connectionHint(systemCode: string | undefined, peer: Peer): string | undefined {
  const hint = HINT_OF.get(systemCode ?? '') ?? 'none';
  return hint === 'none' ? undefined : HINTS[hint](peer);
}
