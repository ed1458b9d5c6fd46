import { type IncomingHttpHeaders } from 'node:http';
import { type User } from '../access/user.ts';
import { type RequestInfo } from './request-info.ts';

/** A request that has been read, understood and authenticated. */
export interface ApiRequest {
  readonly info: RequestInfo;
  readonly method: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly user: User;
}
