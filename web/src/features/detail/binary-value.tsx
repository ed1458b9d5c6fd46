import { Button } from '@patternfly/react-core';
import DownloadIcon from '@patternfly/react-icons/dist/esm/icons/download-icon';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Mask, RevealButton } from '../../ui/masked.tsx';
import { useReveal } from '../../ui/use-reveal.ts';
import { binaryKind } from '../../values/binary-kind.ts';
import { bytesOfBase64, formatBytes } from '../../values/bytes.ts';

/** A value that is not text: what it seems to be, and its base64 to look at, copy or download. */
export function BinaryValue({ name, base64 }: { readonly name: string; readonly base64: string }) {
  const { shown, toggle } = useReveal();
  const bytes = bytesOfBase64(base64);
  return (
    <li className="value-card">
      <div className="value-head">
        <h3>{name}</h3>
        <span className="value-size">
          binary: {binaryKind(bytes)}, {formatBytes(bytes.length)}
        </span>
        <span className="value-actions">
          <RevealButton shown={shown} of={`${name} as base64`} onClick={toggle} />
          <CopyButton value={base64} of={`${name} as base64`} />
          <Button
            variant="plain"
            aria-label={`Download ${name}`}
            title={`Download ${name}`}
            icon={<DownloadIcon />}
            onClick={() => download(name, bytes)}
          />
        </span>
      </div>
      {shown ? (
        <textarea
          className="value base64"
          readOnly
          rows={6}
          aria-label={`${name} as base64`}
          value={base64}
        />
      ) : (
        <Mask />
      )}
    </li>
  );
}

function download(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the bytes by then; a leftover address would keep them in memory.
  window.setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
