import { ClientError, isClientError } from '../client-error.ts'
import type { HttpRequest, SendRequest } from './contract.ts'
import { withRetries } from './retry.ts'
import { toClientError } from './to-client-error.ts'

export interface SendRequestOptions {
  /** Of the server, absolute, without a slash at its end. */
  baseUrl: string
  apiKey?: string | undefined
  fetch: typeof fetch
  /** Told of each answer that says that nobody is signed in. */
  onUnauthenticated?: ((error: ClientError) => void) | undefined
}

/** How requests of one client are sent. */
export function createSendRequest(options: SendRequestOptions): SendRequest {
  const root = `${options.baseUrl}/api/v1`

  async function attempt<A>(request: HttpRequest, read: (response: Response) => A | Promise<A>) {
    const url = `${root}${request.path}${toSearch(request)}`
    try {
      const response = await options.fetch(url, toInit(request, options.apiKey))
      if (!response.ok) throw await toClientError(response)
      return await read(response)
    } catch (cause) {
      request.signal?.throwIfAborted()
      const error = isClientError(cause) ? cause : toNetworkError(cause)
      if (error.status === 401) options.onUnauthenticated?.(error)
      throw error
    }
  }

  return (request, read) => {
    const isSafe = request.method === 'GET' || request.idempotencyKey !== undefined
    const once = () => attempt(request, read)
    return isSafe ? withRetries(once, request) : once()
  }
}

function toNetworkError(cause: unknown): ClientError {
  const message = 'The server could not be reached, or broke off.'
  return new ClientError(message, { status: 0, error_code: 'network_failed', cause })
}

/** A key speaks for itself; without one the browser's cookie does, also from another origin. */
function toInit(request: HttpRequest, apiKey: string | undefined): RequestInit {
  const { method, body, bytes, signal = null } = request
  return {
    method,
    headers: toHeaders(request, apiKey),
    body: bytes ?? (body === undefined ? null : JSON.stringify(body)),
    credentials: apiKey === undefined ? 'include' : 'omit',
    // The server redirects nothing of its API; whoever else does would get the key.
    redirect: 'error',
    signal,
  }
}

function toHeaders(request: HttpRequest, apiKey: string | undefined): Record<string, string> {
  const headers: Record<string, string> = { accept: request.accept ?? 'application/json' }
  if (apiKey !== undefined) headers['x-api-key'] = apiKey
  if (request.body !== undefined) headers['content-type'] = 'application/json'
  if (request.bytes !== undefined) headers['content-type'] = 'application/octet-stream'
  if (request.idempotencyKey) headers['idempotency-key'] = request.idempotencyKey
  return headers
}

function toSearch({ query = {} }: HttpRequest): string {
  const search = new URLSearchParams()
  for (const [field, value] of Object.entries(query)) {
    if (value !== undefined) search.append(field, String(value))
  }
  return search.size === 0 ? '' : `?${search}`
}
