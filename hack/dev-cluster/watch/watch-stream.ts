import { bookmarkObject, presented, type Form } from '../api/form.ts';
import { expired, type ApiError } from '../api/status.ts';
import { type FaultAction, type FaultRule } from '../faults/rule.ts';
import { type FaultTarget } from '../faults/fault-book.ts';
import { type Kind } from '../kinds/kind.ts';
import { type Selection } from '../resources/read.ts';
import { type ApiObject } from '../api/object.ts';
import { type Change } from '../store/history.ts';
import { eventOf, type WatchEvent } from './events.ts';

/** Where a watch writes to. */
export interface WatchSink {
  write(line: string): void;
  /** Resolves when the client has taken most of what was written; undefined when it has already. */
  whenReady(): Promise<void> | undefined;
  /** Ends the body cleanly. */
  end(): void;
  /** Cuts the connection. */
  cut(): void;
}

export interface WatchSubject {
  readonly kind: Kind;
  /** '' for all namespaces. */
  readonly namespace: string;
  readonly selection: Selection;
  readonly form: Form;
  readonly bookmarks: boolean;
  /** The request, for faults that apply to running watches. */
  readonly target: FaultTarget;
}

/** What a lagging watch keeps at most; it is cut beyond that. */
const MAX_LATE_LINES = 100_000;

type WatchFault = Extract<FaultAction, { type: 'endWatch' | 'silenceWatch' }>;

/** One running watch: picks its events out of all changes, and misbehaves according to its faults. */
export class WatchStream {
  readonly subject: WatchSubject;
  readonly #sink: WatchSink;
  #fault: { readonly action: WatchFault; left: number } | undefined;
  #dropsBookmarks = false;
  /** Permanent: what was kept back can never be made up for on the same connection. */
  #silent = false;
  #over = false;
  /** A revision that is yet to come: what comes up to it is not sent. */
  #after = 0;
  #lagMs = 0;
  #late = 0;
  /** Changes since the state that is being sent first. */
  #waiting: Change[] | undefined;

  constructor(subject: WatchSubject, sink: WatchSink) {
    this.subject = subject;
    this.#sink = sink;
  }

  get over(): boolean {
    return this.#over;
  }

  /** Sends nothing up to this revision, which may lie in the future. */
  startAfter(revision: number): void {
    this.#after = revision;
  }

  /** Sends what a change means to this watch, if anything. */
  notify(change: Change): void {
    if (change.revision <= this.#after) return;
    if (this.#waiting !== undefined) {
      this.#waiting.push(change);
      return;
    }
    const { namespace, selection } = this.subject;
    if (namespace !== '' && change.object.metadata.namespace !== namespace) return;
    const event = eventOf(change, (object) => selection.matches(object));
    if (event !== undefined) this.send(event);
  }

  /** Sends a state at the client's pace, then (marked) how far it goes, then what has changed meanwhile. */
  async sendState(objects: Iterable<ApiObject>, revision: number, isLast: boolean): Promise<void> {
    this.#waiting = [];
    for (const object of objects) {
      this.send({ type: 'ADDED', object });
      await this.#sink.whenReady();
      if (this.#over) return;
    }
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (isLast) this.bookmark(revision, true);
    for (const change of waiting) this.notify(change);
  }

  send({ type, object }: WatchEvent): void {
    if (!this.#takes()) return;
    const { kind, form } = this.subject;
    this.#write(`${JSON.stringify({ type, object: presented(kind, object, form) })}\n`);
    this.#count();
  }

  bookmark(revision: number, initialEnd = false): void {
    const { kind, form, bookmarks } = this.subject;
    if (!bookmarks || this.#dropsBookmarks || this.#waiting !== undefined || !this.#takes()) return;
    if (revision < this.#after) return;
    const object = bookmarkObject(kind, revision, form, initialEnd);
    this.#write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
  }

  /** The revision to go on from is gone. */
  tooOld(message: string): void {
    this.refuse(expired(message));
  }

  /** One ERROR event, and the end. */
  refuse({ status }: ApiError): void {
    if (!this.#takes()) return;
    this.#write(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
    this.end();
  }

  /** Makes the watch misbehave from now on. */
  apply(action: FaultRule['action']): void {
    if (action.type === 'dropBookmarks') this.#dropsBookmarks = true;
    if (action.type === 'lagWatch') this.#lagMs = action.ms;
    if (action.type === 'gone') this.tooOld('too old resource version');
    if (action.type !== 'endWatch' && action.type !== 'silenceWatch') return;
    this.#fault = { action, left: action.afterEvents ?? 0 };
    this.#strike();
  }

  /** The end that every watch comes to: a last bookmark before it. A silenced watch keeps even this to itself. */
  timeOut(revision: number): void {
    this.bookmark(revision);
    if (this.#takes()) this.end();
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#later(() => {
      this.#sink.end();
    });
  }

  /** The client is gone, or the cluster is closing. */
  cut(): void {
    if (this.#over) return;
    this.#over = true;
    this.#sink.cut();
  }

  #write(line: string): void {
    this.#later(() => {
      this.#sink.write(line);
    });
  }

  /** Timers of the same length run in their order. */
  #later(act: () => void): void {
    if (this.#lagMs === 0 && this.#late === 0) {
      act();
      return;
    }
    if (++this.#late > MAX_LATE_LINES) this.cut();
    setTimeout(() => {
      this.#late--;
      act();
    }, this.#lagMs).unref();
  }

  #takes(): boolean {
    return !this.#over && !this.#silent;
  }

  #count(): void {
    if (this.#fault === undefined) return;
    this.#fault.left--;
    this.#strike();
  }

  #strike(): void {
    if (this.#fault === undefined || this.#fault.left > 0) return;
    if (this.#fault.action.type === 'silenceWatch') this.#silent = true;
    else if (this.#fault.action.abrupt === true) this.cut();
    else this.end();
  }
}
