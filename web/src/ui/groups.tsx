import { Label } from '@patternfly/react-core';
import type { SessionUser } from '../api/secrets-api.ts';

export function Groups({ of: { groups } }: { readonly of: SessionUser }) {
  if (groups.length === 0) return "You're not in any group.";
  return (
    <span className="labels">
      {groups.map((group) => (
        <Label key={group} isCompact>
          <span className="whole-name">{group}</span>
        </Label>
      ))}
    </span>
  );
}
