import { jsonResponse, type PlainResponse, retryAfter } from '../http/index.ts'

/** RFC 6749 §5.2: why a program did not get what it asked for. */
export function oauthError(
  error: string,
  error_description: string,
  options: { status?: number; headers?: PlainResponse['headers'] } = {},
): PlainResponse {
  const { status = 400, headers = {} } = options
  return jsonResponse(status, { error, error_description }, { pragma: 'no-cache', ...headers })
}

export function tooManyRequests(retryAfterMs: number): PlainResponse {
  const headers = retryAfter(retryAfterMs)
  return oauthError('too_many_requests', 'Rate limit exceeded', { status: 429, headers })
}
