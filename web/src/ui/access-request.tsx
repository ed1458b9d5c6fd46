import { Button, Label, TextArea } from '@patternfly/react-core';
import { useParams } from 'react-router';
import { useMe } from '../api/queries.ts';
import type { SessionUser } from '../api/secrets-api.ts';
import { ACCESS_WORDS, PROBLEM_WORDS } from '../words/access.ts';
import { Done } from './done-note.tsx';
import { useDone } from './use-done.ts';

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
        {me.groups.length === 0 ? ACCESS_WORDS.noGroups : ACCESS_WORDS.yourGroups}{' '}
        {me.groups.map((group) => (
          <Label key={group} isCompact>
            <span className="whole-name">{group}</span>
          </Label>
        ))}
      </p>
      <p>{PROBLEM_WORDS.forbiddenAdvice}</p>
      <TextArea
        aria-label={PROBLEM_WORDS.requestLabel}
        readOnlyVariant="default"
        rows={3}
        resizeOrientation="vertical"
        value={text}
      />
      <p className="row-actions">
        <Button
          variant="secondary"
          onClick={() => copy(text, { ...PROBLEM_WORDS, done: PROBLEM_WORDS.copied, unchecked: '' })}
        >
          {PROBLEM_WORDS.copyRequest}
        </Button>
        <Done note={note} />
      </p>
    </div>
  );
}

function requestOf({ email, groups }: SessionUser, namespace: string, name: string | undefined): string {
  const what =
    name === undefined ? PROBLEM_WORDS.ofNamespace(namespace) : PROBLEM_WORDS.ofSecret(name, namespace);
  const member = groups.length === 0 ? PROBLEM_WORDS.inNoGroup : PROBLEM_WORDS.inGroups(groups.join(', '));
  return PROBLEM_WORDS.request(what, email, member);
}
