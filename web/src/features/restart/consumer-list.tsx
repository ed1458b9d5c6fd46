import { Checkbox } from '@patternfly/react-core';
import type { Consumer } from '../../api/secrets-api.ts';
import { idOf, picksUpByItself, usesInWords } from './workloads.ts';

export interface ConsumerListProps {
  readonly consumers: readonly Consumer[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

/** Everything that uses the Secret; what can be restarted has a box to tick. */
export function ConsumerList({ consumers, chosen, onChoose }: ConsumerListProps) {
  if (consumers.length === 0) return <NotFoundHere isEmpty />;
  const toggle = (id: string, wanted: boolean) =>
    onChoose(new Set(wanted ? [...chosen, id] : [...chosen].filter((one) => one !== id)));
  const others = consumers.filter((one) => !picksUpByItself(one));
  const byThemselves = consumers.filter(picksUpByItself);
  return (
    <>
      <p>
        Containers read environment variables only when they start, so the workloads that use them are already
        selected. Files in a volume follow within a minute or two, except with a subPath. Also select the
        workloads that read their files only when they start.
      </p>
      <ul className="consumers" aria-label="Workloads">
        {[...others, ...byThemselves].map((consumer) => {
          const id = idOf(consumer);
          const name = `${consumer.kind} ${consumer.name}`;
          const uses = usesInWords(consumer.uses);
          return (
            <li key={id}>
              {picksUpByItself(consumer) ? (
                <div className="by-itself">
                  {name}
                  <span className="second-line">{uses}; picks it up at its next run</span>
                </div>
              ) : (
                <Checkbox
                  id={id}
                  label={name}
                  description={uses}
                  isChecked={chosen.has(id)}
                  onChange={(_event, checked) => toggle(id, checked)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** What a list of workloads leaves out. */
export function NotFoundHere({ isEmpty }: { readonly isEmpty: boolean }) {
  return (
    <>
      {isEmpty && <p>No Deployment, StatefulSet, DaemonSet or CronJob in this namespace uses this Secret.</p>}
      <p className="hint">
        Programs that read it from the cluster themselves, Ingresses and bare pods are not found this way.
      </p>
    </>
  );
}
