import type { ModelStandIn } from './model-stand-in.ts'

type Json = Record<string, unknown>

/** Asks the stand-in over HTTP as a client of either provider would; `key` null sends none. */
export async function ask(
  standIn: ModelStandIn,
  provider: 'openai' | 'anthropic',
  body: Json | string,
  { key = standIn.apiKey, signal }: { key?: string | null; signal?: AbortSignal } = {},
): Promise<Response> {
  const path = provider === 'openai' ? '/v1/chat/completions' : '/v1/messages'
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (provider === 'anthropic') headers['anthropic-version'] = '2023-06-01'
  if (key !== null && provider === 'openai') headers.authorization = `Bearer ${key}`
  if (key !== null && provider === 'anthropic') headers['x-api-key'] = key
  return fetch(standIn.url + path, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  })
}

/** The JSON data of each event of a stream, with the event's name where it has one. */
export function parseEvents(stream: string): { event: string | undefined; data: Json }[] {
  return stream
    .split('\n\n')
    .filter((block) => block !== '' && block !== 'data: [DONE]')
    .map((block) => ({
      event: block.match(/^event: (.*)$/m)?.[1],
      data: JSON.parse(block.match(/^data: (.*)$/m)?.[1] ?? 'null'),
    }))
}

export const weather = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
  required: ['city', 'days'],
}
