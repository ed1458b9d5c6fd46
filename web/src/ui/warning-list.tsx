import { Alert } from '@patternfly/react-core';

export interface WarningListProps {
  readonly texts: readonly string[];
  /** Read out when it changes. */
  readonly isLive?: boolean;
}

/** What the cluster accepts although it will hardly work; nothing when there is nothing to say. */
export function WarningList({ texts, isLive = false }: WarningListProps) {
  const [first, ...others] = texts;
  if (first === undefined) return isLive ? <div role="status" /> : null;
  return (
    <div {...(isLive ? { role: 'status' } : {})}>
      <Alert
        isInline
        variant="warning"
        component="h3"
        title={others.length === 0 ? `${first}.` : 'Check the certificate'}
      >
        {others.length > 0 && (
          <ul>
            {texts.map((text) => (
              <li key={text}>{text}.</li>
            ))}
          </ul>
        )}
      </Alert>
    </div>
  );
}
