import { When } from '../../ui/when.tsx';
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
  const { subject, issuer, notBefore, notAfter, names } = certificate;
  const expired = notAfter.getTime() < Date.now();
  return (
    <dl className="facts" aria-label={VALUE_DETAILS_WORDS.certificate}>
      <dt>{VALUE_DETAILS_WORDS.subject}</dt>
      <dd>{subject === '' ? VALUE_DETAILS_WORDS.noSubject : subject}</dd>
      {names.length > 0 && (
        <>
          <dt>{VALUE_DETAILS_WORDS.names}</dt>
          <dd>{names.join(', ')}</dd>
        </>
      )}
      <dt>{VALUE_DETAILS_WORDS.issuedBy}</dt>
      <dd>{issuer}</dd>
      <dt>{VALUE_DETAILS_WORDS.valid}</dt>
      <dd className={expired ? 'expired' : undefined}>
        <When time={notBefore.toISOString()} /> {VALUE_DETAILS_WORDS.to}{' '}
        <When time={notAfter.toISOString()} />
        {expired ? VALUE_DETAILS_WORDS.expired : ''}
      </dd>
    </dl>
  );
}

function Registries({ registries }: { readonly registries: readonly Registry[] }) {
  return (
    <ul className="registries" aria-label={VALUE_DETAILS_WORDS.registries}>
      {registries.map(({ server, username, password, isOverriding }) => (
        <li key={server}>
          <dl className="facts">
            <dt>{VALUE_DETAILS_WORDS.registry}</dt>
            <dd>{server}</dd>
            <dt>{VALUE_DETAILS_WORDS.userName}</dt>
            <dd>{username}</dd>
            <dt>{VALUE_DETAILS_WORDS.password}</dt>
            <dd>
              <Masked value={password} of={VALUE_DETAILS_WORDS.passwordOf(server)} bare />
            </dd>
          </dl>
          {isOverriding === true && <p className="expired">{OVERRIDING}</p>}
        </li>
      ))}
    </ul>
  );
}
