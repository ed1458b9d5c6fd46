import { Button, Label, TextArea } from '@patternfly/react-core';
import { useParams } from 'react-router';
import { useMe } from '../api/queries.ts';
import type { SessionUser } from '../api/secrets-api.ts';
import { Done, useDone } from './done-note.tsx';

/** What someone without access has, and a request to send to whoever can give it. */
export function AccessRequest() {
  const { namespace, name } = useParams();
  const { data: me } = useMe();
  const { note, copy } = useDone();
  if (namespace === undefined || me === undefined) return null;
  const text = requestOf(me, namespace, name);
  return (
    <div className="access-request">
      <p className="labels">
        {me.groups.length === 0 ? "You're not in any group." : 'Your groups'}{' '}
        {me.groups.map((group) => (
          <Label key={group} isCompact>
            <span className="whole-name">{group}</span>
          </Label>
        ))}
      </p>
      <p>Send this to an owner of the Secret or to an administrator:</p>
      <TextArea
        aria-label="Request for access"
        readOnlyVariant="default"
        rows={3}
        resizeOrientation="vertical"
        value={text}
      />
      <p className="row-actions">
        <Button variant="secondary" onClick={() => copy(text, 'Copied.')}>
          Copy request
        </Button>
        <Done note={note} />
      </p>
    </div>
  );
}

function requestOf({ email, groups }: SessionUser, namespace: string, name: string | undefined): string {
  const what =
    name === undefined ? `the namespace ${namespace}` : `the Secret ${name} in the namespace ${namespace}`;
  const member = groups.length === 0 ? 'in no group' : `in the groups ${groups.join(', ')}`;
  return `Please give me access to ${what}.\nI am ${email}, ${member}.`;
}
