const NOT_TRUSTED =
  "The provider's certificate is not trusted here. Give its authority by NODE_EXTRA_CA_CERTS.";
const NOT_REACHED = 'The provider cannot be reached over the network. Check network policies and proxies.';
const CUT_OFF = 'The connection to the provider was cut. Check proxies between here and there.';

/** What to check, by the system error codes of src/errors/system-codes.ts. */
const HINTS: Readonly<Record<string, string>> = {
  ECONNREFUSED:
    'Nothing listens at the address of the provider. Check OIDC_ISSUER and that the provider runs.',
  ECONNRESET: CUT_OFF,
  ECONNABORTED: CUT_OFF,
  EPIPE: CUT_OFF,
  UND_ERR_SOCKET: CUT_OFF,
  ENOTFOUND: "The provider's host name is unknown here. Check OIDC_ISSUER and the name service.",
  EAI_AGAIN: 'The name service did not answer. Check the name service and network policies.',
  EHOSTUNREACH: NOT_REACHED,
  ENETUNREACH: NOT_REACHED,
  ETIMEDOUT: NOT_REACHED,
  UND_ERR_CONNECT_TIMEOUT: NOT_REACHED,
  CERT_HAS_EXPIRED: "The provider's certificate has expired.",
  CERT_NOT_YET_VALID: "The provider's certificate is not valid yet. Check the clocks.",
  DEPTH_ZERO_SELF_SIGNED_CERT: NOT_TRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_TRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: "The provider's certificate is for another host name. Check OIDC_ISSUER.",
  ERR_SSL_WRONG_VERSION_NUMBER: 'The provider does not speak TLS at that address. Check OIDC_ISSUER.',
};

/** A fixed hint for a system error code; undefined if the code is clear by itself. */
export function hintFor(systemCode: string | undefined): string | undefined {
  return systemCode !== undefined && Object.hasOwn(HINTS, systemCode) ? HINTS[systemCode] : undefined;
}
