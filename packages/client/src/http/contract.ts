/** What a call may be given beside what it is about. */
export interface CallOptions {
  /** Ends the call, its retries and its stream; what it rejects with is the signal's reason. */
  signal?: AbortSignal | undefined
  /**
   * What a repetition is known by, so that it is done once; what makes something has one of its own
   * where none is given. Null sends none: repeating it does no harm. A server keeps so many in an
   * hour.
   */
  idempotencyKey?: string | null | undefined
}

type QueryValue = string | number | boolean | undefined

/** The fields of a query, each of which may be left out. */
export type QueryOf<Q> = { [Field in keyof Q]?: Q[Field] | undefined }

/** Reads an answer; every schema is one. */
export interface AnswerReader<A> {
  parse(value: unknown): A
}

export interface HttpRequest extends CallOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Under /api/v1, its parts encoded: see `toPath`. */
  path: string
  query?: { [field: string]: QueryValue } | undefined
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is. */
  bytes?: NonNullable<RequestInit['body']> | undefined
  /** Whether a 409 that is to pass is waited out until the signal, and not within the budget. */
  isPatient?: boolean | undefined
  accept?: string | undefined
}

/**
 * Sends a request and reads its answer, again where that is safe and may help. Rejects with a
 * ClientError.
 */
export type SendRequest = <A>(
  request: HttpRequest,
  read: (response: Response) => A | Promise<A>,
) => Promise<A>
