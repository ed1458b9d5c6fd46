import { Checkbox } from '@patternfly/react-core';
import type { Consumer } from '../../api/secrets-api.ts';
import { idOf, picksUpByItself, usesInWords } from './workloads.ts';
import { CONSUMER_LIST_WORDS } from '../../words/restart.ts';

export interface ConsumerListProps {
  readonly consumers: readonly Consumer[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

/** Everything that uses the Secret; what can be restarted has a box to tick. */
export function ConsumerList({ consumers, chosen, onChoose }: ConsumerListProps) {
  if (consumers.length === 0) return <NoConsumers />;
  const toggle = (id: string, wanted: boolean) =>
    onChoose(new Set(wanted ? [...chosen, id] : [...chosen].filter((one) => one !== id)));
  return (
    <>
      <p>{CONSUMER_LIST_WORDS.explain}</p>
      <ul className="consumers" aria-label={CONSUMER_LIST_WORDS.workloads}>
        {[...consumers.filter((one) => !picksUpByItself(one)), ...consumers.filter(picksUpByItself)].map(
          (consumer) => {
            const id = idOf(consumer);
            return (
              <li key={id}>
                {picksUpByItself(consumer) ? (
                  <ByItself consumer={consumer} />
                ) : (
                  <Checkbox
                    id={id}
                    label={`${consumer.kind} ${consumer.name}`}
                    description={usesInWords(consumer.uses)}
                    isChecked={chosen.has(id)}
                    onChange={(_event, checked) => toggle(id, checked)}
                  />
                )}
              </li>
            );
          },
        )}
      </ul>
    </>
  );
}

function ByItself({ consumer: { kind, name, uses } }: { readonly consumer: Consumer }) {
  return (
    <div className="by-itself">
      {kind} {name}
      <span className="second-line">{CONSUMER_LIST_WORDS.nextRun(usesInWords(uses))}</span>
    </div>
  );
}

function NoConsumers() {
  return (
    <>
      <p>{CONSUMER_LIST_WORDS.none}</p>
      <p className="hint">{CONSUMER_LIST_WORDS.limits}</p>
    </>
  );
}
