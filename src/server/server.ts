/** The door of this module: what the service opens its ports with, and what requests pass through. */
export { BodyBudget } from './body-budget.ts';
export { hasBody, readForm, receiveBody, type ReceivedBody } from './body.ts';
export { codingHeaders, contentCoding } from './content-coding.ts';
export { addressKey, clientAddress, createLimiter, type Limiter } from './limits.ts';
export { listen, ListenError, type Listener, type ListenOptions } from './listen.ts';
export { createOpsApp } from './ops-app.ts';
export { createRequestSeats, type RequestSeats } from './request-seats.ts';
export { CertificateError, createCertificateSource } from './server-certificate.ts';
export {
  protectAnswers,
  refuseCrossSite,
  refuseDuplicateFields,
  refuseForeignHosts,
  requireHost,
} from './site-protection.ts';
