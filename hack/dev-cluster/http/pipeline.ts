import { setTimeout as wait } from 'node:timers/promises';
import { type Authenticate } from '../access/authenticator.ts';
import { denial, type Authorize } from '../access/authorizer.ts';
import { actingUser } from '../access/impersonation.ts';
import { formOf } from '../api/form.ts';
import { requestInfo } from '../api/request-info.ts';
import { type ApiRequest } from '../api/request.ts';
import { requestedKind } from '../api/router.ts';
import { ApiError, unauthorized } from '../api/status.ts';
import { faultError, faultPlan, NO_FAULTS, type FaultPlan } from '../faults/fault-plan.ts';
import { type FaultBook } from '../faults/fault-book.ts';
import { type RequestLog } from '../faults/request-log.ts';
import { selection } from '../resources/read.ts';
import { type WatchHub } from '../watch/watch-hub.ts';
import { watchPlan } from '../watch/watch-plan.ts';
import { errorResponse, type ApiResponse } from './api-response.ts';
import { readBody } from './body.ts';
import { cut, isGone, refuse, type Incoming, type Outgoing } from './exchange.ts';
import { responseSink } from './watch-sink.ts';

export interface PipelineParts {
  readonly authenticate: Authenticate;
  readonly authorize: Authorize;
  readonly route: (request: ApiRequest) => ApiResponse;
  readonly faults: FaultBook;
  readonly requests: RequestLog;
  readonly hub: WatchHub;
  readonly random: () => number;
}

type Note = (status: number) => void;

/** One request from its bytes to its answer: who, what goes wrong, may they, and the work itself. */
export function createPipeline(parts: PipelineParts) {
  return async (incoming: Incoming, response: Outgoing): Promise<void> => {
    const url = new URL(incoming.url ?? '/', 'http://cluster.invalid');
    const info = requestInfo(incoming.method ?? 'GET', url);
    const body = await readBody(incoming);
    const query = url.searchParams;
    const user = parts.authenticate(incoming.headers);
    const note = parts.requests.add(info, query, user?.name ?? '');
    if (user === undefined) {
      finish(errorResponse(unauthorized()), NO_FAULTS, response, note);
      return;
    }
    const request = { info, method: incoming.method ?? 'GET', query, headers: incoming.headers, body, user };
    const target = { info, user: user.name, query };
    const plan = faultPlan(parts.faults.strike(target), info, query);
    if (plan.delayMs > 0) await wait(plan.delayMs, undefined, { ref: false });
    if (isGone(response)) return;
    handle(parts, request, { plan, response, note });
  };
}

/** Where a response goes, and what goes wrong on the way. */
interface Reply {
  readonly plan: FaultPlan;
  readonly response: Outgoing;
  readonly note: Note;
}

function handle(parts: PipelineParts, received: ApiRequest, reply: Reply): void {
  const { plan, response, note } = reply;
  if (plan.before?.type === 'hang') return;
  if (plan.before?.type === 'cut') {
    if (plan.before.refused === true) refuse(response);
    else cut(response);
    return;
  }
  const refusal = plan.before === undefined ? plan.refusal : faultError(plan.before);
  try {
    if (refusal !== undefined) throw refusal;
    const request = { ...received, user: actingUser(received.user, received.headers, parts.authorize) };
    if (parts.authorize(request.user, request.info) === undefined) throw denial(request.user, request.info);
    if (request.info.verb === 'watch') watch(parts, request, reply);
    else finish(parts.route(request), plan, response, note);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    finish(errorResponse(error), plan, response, note);
  }
}

/** Answers, unless a fault has something else in mind for a request that has been handled. */
function finish(answer: ApiResponse, { after }: FaultPlan, response: Outgoing, note: Note): void {
  if (after?.type === 'hang') return;
  if (after?.type === 'cut') {
    if (after.when === 'midway') cutMidway(answer, response);
    else cut(response);
    return;
  }
  const sent = after === undefined ? answer : errorResponse(faultError(after));
  note(sent.status);
  writeResponse(response, sent);
}

export function writeResponse(response: Outgoing, answer: ApiResponse): void {
  if (isGone(response)) return;
  const body = Buffer.from(answer.body);
  for (const [name, value] of Object.entries(answer.headers)) {
    response.setHeader(name, typeof value === 'string' ? value : [...value]);
  }
  response.writeHead(answer.status, {
    'content-length': String(body.length),
    'cache-control': 'no-cache, private',
  });
  response.end(body);
}

function cutMidway(answer: ApiResponse, response: Outgoing): void {
  const bytes = Buffer.from(answer.body);
  response.writeHead(answer.status, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
  });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
    cut(response);
  });
}

function watch(parts: PipelineParts, request: ApiRequest, { plan, response, note }: Reply): void {
  const { info, query } = request;
  const kind = requestedKind(request);
  const form = formOf(request.headers.accept, false);
  const started = watchPlan(query, parts.random);
  const selects = selection(kind, query);
  if (plan.after?.type === 'status') throw faultError(plan.after);
  note(200);
  const subject = {
    kind,
    namespace: info.namespace,
    selection: selects,
    form,
    bookmarks: started.bookmarks,
    target: { info, user: request.user.name, query },
  };
  const silenced = plan.after?.type === 'hang' ? [{ type: 'silenceWatch' } as const] : [];
  const closed = parts.hub.open(subject, started, [...plan.watch, ...silenced], responseSink(response));
  response.on('close', closed);
  if (plan.after?.type === 'cut') cut(response);
}
