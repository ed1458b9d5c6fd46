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
 * System error codes that may be logged, with the hint that each gives. Foreign errors contain hosts, tokens and bodies
 * in their messages, so nothing else is read from them.
 */
const SYSTEM_CODES: ReadonlyMap<string, keyof typeof HINTS | undefined> = new Map([
  ['ECONNREFUSED', 'refused'],
  ['ECONNRESET', 'cut'],
  ['ECONNABORTED', 'cut'],
  ['EPIPE', 'cut'],
  ['ETIMEDOUT', 'notReached'],
  ['ENOTFOUND', 'unknownHost'],
  ['EAI_AGAIN', 'noNameService'],
  ['EHOSTUNREACH', 'notReached'],
  ['ENETUNREACH', 'notReached'],
  ['EADDRINUSE', undefined],
  ['EACCES', undefined],
  ['ENOENT', undefined],
  ['CERT_HAS_EXPIRED', 'expired'],
  ['CERT_NOT_YET_VALID', 'notYetValid'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'notTrusted'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'notTrusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'notTrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'notTrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'notTrusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'otherHost'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'noTls'],
  ['ERR_HTTP2_SESSION_ERROR', undefined],
  ['ERR_HTTP2_STREAM_ERROR', undefined],
  ['UND_ERR_CONNECT_TIMEOUT', 'notReached'],
  ['UND_ERR_HEADERS_TIMEOUT', undefined],
  ['UND_ERR_BODY_TIMEOUT', undefined],
  ['UND_ERR_SOCKET', 'cut'],
  ['UND_ERR_ABORTED', undefined],
  ['UND_ERR_RESPONSE_EXCEEDED_SIZE', undefined],
  ['ABORT_ERR', undefined],
]);

/** Causes deeper than this are ignored (contract: error causes examined). */
const MAX_CAUSES = 8;

/** The first known system code among an error and its causes, or undefined. */
export function systemCodeOf(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof current === 'object' && current !== null; depth++) {
    const { code, cause } = current as { code?: unknown; cause?: unknown };
    if (typeof code === 'string' && SYSTEM_CODES.has(code)) return code;
    current = cause;
  }
  return undefined;
}

/** A fixed sentence about what to check; undefined if the code is clear by itself. */
export function connectionHint(systemCode: string | undefined, peer: Peer): string | undefined {
  const hint = systemCode === undefined ? undefined : SYSTEM_CODES.get(systemCode);
  return hint && HINTS[hint](peer);
}
