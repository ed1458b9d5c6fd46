import { When } from '../../ui/when.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Masked } from '../../ui/masked.tsx';
import { certificatesOf, type Certificate } from '../../values/certificate.ts';
import { OVERRIDING, registriesOf, type Registry } from '../../values/registries.ts';
import { VALUE_DETAILS_WORDS } from '../../words/detail.ts';

interface ValueDetailsProps {
  readonly name: string;
  readonly value: string;
}

/** Whether more can be said of a value without showing it. */
export function hasDetails(name: string, value: string): boolean {
  return value.includes('-----BEGIN CERTIFICATE-----') || registriesOf(name, value) !== undefined;
}

/** Certificates, and registries with their passwords masked. */
export function ValueDetails({ name, value }: ValueDetailsProps) {
  const registries = registriesOf(name, value);
  return (
    <div className="value-details">
      {certificatesOf(value).map((certificate) => (
        <CertificateFacts
          key={`${certificate.subject} ${certificate.notAfter.toISOString()}`}
          certificate={certificate}
        />
      ))}
      {registries !== undefined && <Registries registries={registries} />}
    </div>
  );
}

function CertificateFacts({ certificate }: { readonly certificate: Certificate }) {
  const { subject, issuer, names } = certificate;
  return (
    <Facts
      label={VALUE_DETAILS_WORDS.certificate}
      facts={[
        {
          term: VALUE_DETAILS_WORDS.subject,
          description: subject === '' ? VALUE_DETAILS_WORDS.noSubject : subject,
        },
        ...(names.length > 0 ? [{ term: VALUE_DETAILS_WORDS.names, description: names.join(', ') }] : []),
        { term: VALUE_DETAILS_WORDS.issuedBy, description: issuer },
        { term: VALUE_DETAILS_WORDS.valid, description: <Validity certificate={certificate} /> },
      ]}
    />
  );
}

function Validity({ certificate: { notBefore, notAfter } }: { readonly certificate: Certificate }) {
  const expired = notAfter.getTime() < Date.now();
  return (
    <span className={expired ? 'expired' : undefined}>
      <When time={notBefore.toISOString()} /> {VALUE_DETAILS_WORDS.to} <When time={notAfter.toISOString()} />
      {expired ? VALUE_DETAILS_WORDS.expired : ''}
    </span>
  );
}

function Registries({ registries }: { readonly registries: readonly Registry[] }) {
  return (
    <ul className="registries" aria-label={VALUE_DETAILS_WORDS.registries}>
      {registries.map(({ server, username, password, isOverriding }) => (
        <li key={server}>
          <Facts
            facts={[
              { term: VALUE_DETAILS_WORDS.registry, description: server },
              { term: VALUE_DETAILS_WORDS.userName, description: username },
              {
                term: VALUE_DETAILS_WORDS.password,
                description: <Masked value={password} of={VALUE_DETAILS_WORDS.passwordOf(server)} bare />,
              },
            ]}
          />
          {isOverriding === true && <p className="expired">{OVERRIDING}</p>}
        </li>
      ))}
    </ul>
  );
}
