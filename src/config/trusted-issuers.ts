import { X509Certificate } from 'node:crypto';
import * as z from 'zod';
import { jsonOrUndefined } from '../contract/json-text.ts';
import { isNamespaceName } from '../contract/names.ts';
import {
  CLAIMS_RULE,
  isWantedClaims,
  wantedClaims,
  type WantedClaim,
  type WrittenClaims,
} from '../contract/token-claims.ts';
import { isLoopback } from './addresses.ts';
import { file, isWebUrl } from './forms.ts';

/** An issuer of tokens of machines, whom the administrators trust. */
export interface TrustedIssuer {
  readonly name: string;
  /** `cluster`: this cluster, for the tokens of its service accounts, which it verifies itself. */
  readonly kind?: 'cluster' | undefined;
  /** Exactly what the tokens carry. */
  readonly issuer: string;
  readonly audience: string;
  /** What every token must have. */
  readonly requiredClaims: readonly WantedClaim[];
  /** Undefined: by the issuer's discovery document. */
  readonly jwksUri?: string | undefined;
  readonly caFile?: string | undefined;
  /** What `caFile` has: PEM certificates, which alone are trusted. Undefined: those that the runtime trusts. */
  readonly ca?: string | undefined;
}

const MAX_ISSUERS = 16;

/** Everyone's jobs there get a token with the audience that they name. */
const PUBLIC_PLATFORMS: readonly string[] = ['token.actions.githubusercontent.com', 'gitlab.com'];
/** Names of repositories, projects and their owners can be taken by someone else later. These cannot. */
const LASTING_CLAIMS: readonly string[] = [
  'repository_id',
  'repository_owner_id',
  'project_id',
  'namespace_id',
];

const valid = (holds: (value: string) => boolean, rule: string) =>
  z.string({ error: rule }).refine(holds, rule);
/** Plain http is for development alone, and refused at each request where it is not allowed. */
const address = valid(
  (value) => isWebUrl(value) && (value.startsWith('https:') || isLoopback(new URL(value))),
  'must be an https URL without query, fragment or credentials',
);

const nonblank = valid((value) => value.trim() !== '', 'must be a text');
const common = { name: valid(isNamespaceName, 'must be a DNS label'), audience: nonblank };

const cluster = z
  .strictObject(
    { ...common, kind: z.literal('cluster'), issuer: nonblank },
    { error: 'must be an object with name, kind, issuer, audience, and no more' },
  )
  .transform((given): TrustedIssuer => ({ ...given, requiredClaims: [] }));

const platform = z
  .strictObject(
    {
      ...common,
      kind: z.undefined().optional(),
      issuer: address,
      requiredClaims: z.custom<WrittenClaims>(isWantedClaims, CLAIMS_RULE).transform(wantedClaims),
      jwksUri: address.optional(),
      caFile: file.optional(),
    },
    {
      error:
        'must be an object with name, issuer, audience, requiredClaims, perhaps jwksUri and caFile, and no more',
    },
  )
  .refine(({ issuer, requiredClaims }) => !isPublicPlatform(issuer) || requiredClaims.some(isLasting), {
    path: ['requiredClaims'],
    error: `must have one of ${LASTING_CLAIMS.join(', ')} for this issuer`,
  });

function isPublicPlatform(issuer: string): boolean {
  const host = URL.canParse(issuer) ? new URL(issuer).hostname : '';
  return PUBLIC_PLATFORMS.includes(host) || host.endsWith('.ghe.com');
}

const isLasting = ([claim]: WantedClaim): boolean => LASTING_CLAIMS.includes(claim);

const LIST_RULE = `must be a JSON array of 1 to ${MAX_ISSUERS} issuers`;

const KIND_RULE = 'must be an object without a kind, or of kind cluster';

const list = z
  .array(z.discriminatedUnion('kind', [cluster, platform], { error: KIND_RULE }), { error: LIST_RULE })
  .min(1, LIST_RULE)
  .max(MAX_ISSUERS, LIST_RULE)
  .refine(differ('name'), 'must have a different name for each issuer')
  .refine(differ('issuer'), 'must name each issuer once');

function differ(field: 'name' | 'issuer') {
  return (issuers: readonly TrustedIssuer[]): boolean =>
    new Set(issuers.map((issuer) => issuer[field])).size === issuers.length;
}

/** The form of SERVICE_TRUSTED_ISSUERS. A message names the entry, the field and the rule, never a value. */
export const trustedIssuers = z.string().transform((value, context): readonly TrustedIssuer[] => {
  const parsed = list.safeParse(jsonOrUndefined(value));
  if (parsed.success) return parsed.data;
  const { path: [index, field = 'issuer'] = [], message = LIST_RULE } = parsed.error.issues[0] ?? {};
  const place = index === undefined ? '' : `must be valid: ${String(field)} of entry ${Number(index) + 1} `;
  context.addIssue({ code: 'custom', message: `${place}${message}` });
  return z.NEVER;
});

/**
 * The issuers with the certificates of their files. Of one whose file cannot be used, the rule that it breaks is
 * reported.
 */
export function withCertificates(
  issuers: readonly TrustedIssuer[],
  readFile: (path: string) => string,
  report: (rule: string) => void,
): readonly TrustedIssuer[] {
  return issuers.map((issuer, index) => {
    if (issuer.caFile === undefined) return issuer;
    try {
      const ca = readFile(issuer.caFile);
      if (new X509Certificate(ca).raw.length > 0) return { ...issuer, ca };
    } catch {
      // Unreadable, or no certificate.
    }
    report(`must be valid: caFile of entry ${index + 1} must be a file of PEM certificates that can be read`);
    return issuer;
  });
}
