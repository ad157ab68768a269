import { errorResponseSchema, readJson } from '@dataagent/schema'
import { ClientError } from '../client-error.ts'

/** The error that an answer other than a success tells of, whoever on the way has sent it. */
export async function toClientError(response: Response): Promise<ClientError> {
  const { status, headers } = response
  const known = {
    status,
    request_id: headers.get('x-request-id') ?? undefined,
    retryAfterMs: toRetryAfterMs(headers.get('retry-after')),
  }
  const told = readTold(await response.text().catch(() => ''))
  if (told) {
    const { message, ...fields } = told
    return new ClientError(message, { ...known, ...fields })
  }
  const message = `The server answered ${status} without saying why.`
  return new ClientError(message, { ...known, error_code: `http_${status}` })
}

function readTold(text: string) {
  try {
    return errorResponseSchema.parse(readJson(text))
  } catch {
    return undefined
  }
}

/** RFC 9110 section 10.2.3: seconds or a date. */
function toRetryAfterMs(value: string | null): number | undefined {
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
