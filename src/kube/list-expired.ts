import { ServiceError } from '../errors/service-error.ts';

/** A continue token outlived its list. */
export class ListExpired extends ServiceError {
  /**
   * Continues with the objects that exist now, behind those that were listed (Kubernetes: API concepts, retrieving large
   * results sets in chunks); undefined where the cluster gave none.
   */
  readonly continueToken: string | undefined;

  constructor(message: string, reason: string, continueToken: string | undefined) {
    super('expired', message, { reason });
    this.continueToken = continueToken;
  }
}
