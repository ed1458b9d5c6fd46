import { DOCKER_CONFIG_KEY, LEGACY_DOCKER_CONFIG_KEY } from '../../../../src/contract/secret-types.ts';
import { certificateFacts } from '../../ui/certificate-facts.ts';
import { When } from '../../ui/when.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Masked } from '../../ui/masked.tsx';
import { certificatesOf, type Certificate } from '../../values/certificate.ts';
import { formatNumber } from '../../values/format.ts';
import { MAX_DRAWN, OVERRIDING, registriesOf } from '../../values/registries.ts';

export const isCertificateKey = (name: string): boolean => /\.(?:crt|cer)$/.test(name);

/** Whether the key says so before the value is read. */
export function expectsDetails(name: string): boolean {
  return isCertificateKey(name) || [DOCKER_CONFIG_KEY, LEGACY_DOCKER_CONFIG_KEY].includes(name);
}

/** Whether more can be said of a value without showing it. */
export function hasDetails(name: string, value: string): boolean {
  return value.includes('-----BEGIN CERTIFICATE-----') || registriesOf(name, value) !== undefined;
}

/** Certificates, and registries with their passwords masked. */
export function ValueDetails({ name, value }: { readonly name: string; readonly value: string }) {
  const registries = registriesOf(name, value);
  const certificates = certificatesOf(value);
  const undrawn = (registries ?? certificates).length - MAX_DRAWN;
  return (
    <div className="value-details">
      {certificates.slice(0, MAX_DRAWN).map((certificate) => (
        <Facts
          key={`${certificate.subject} ${certificate.notAfter.toISOString()}`}
          label="Certificate"
          facts={[
            ...certificateFacts(certificate),
            { term: 'Valid', description: <Validity certificate={certificate} /> },
          ]}
        />
      ))}
      {registries !== undefined && (
        <ul className="registries" aria-label="Registries">
          {registries.slice(0, MAX_DRAWN).map(({ server, username, password, isOverriding }) => (
            <li key={server}>
              <Facts
                facts={[
                  { term: 'Registry', description: server },
                  { term: 'User name', description: username },
                  {
                    term: 'Password',
                    description: <Masked value={password} of={`the password of ${server}`} bare />,
                  },
                ]}
              />
              {isOverriding === true && <p className="expired">{OVERRIDING}</p>}
            </li>
          ))}
        </ul>
      )}
      {undrawn > 0 && <p>and {formatNumber(undrawn)} more</p>}
    </div>
  );
}

function Validity({ certificate: { notBefore, notAfter } }: { readonly certificate: Certificate }) {
  const expired = notAfter.getTime() < Date.now();
  return (
    <span className={expired ? 'expired' : undefined}>
      <When time={notBefore.toISOString()} /> to <When time={notAfter.toISOString()} />
      {expired ? ' (expired)' : ''}
    </span>
  );
}
